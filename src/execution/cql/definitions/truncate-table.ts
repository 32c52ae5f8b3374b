import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { assert } from '../../../foundation/assert.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import { createContainerLike, dropContainer } from '../../define-container.ts';
import type { CqlParts } from '../cql-parts.ts';
import type { StatementAnswer } from '../statement-request.ts';
import { withTable } from './edit-keyspaces.ts';
import { containerMark } from './table-containers.ts';

/** The table gets another container, like the one it had but empty; the old one is dropped when nobody is led to it any more. */
export function truncateTable(
  { catalog, throughput }: Pick<CqlParts, 'catalog' | 'throughput'>,
  tableIn: (schema: CqlSchema) => TableSchema,
): Promise<StatementAnswer> {
  return catalog.inTurn(async () => {
    const table = tableIn(catalog.schema);
    const { container: old } = table;
    assert(old !== undefined, 'a table with rows has a container');
    const { keyspaces } = catalog.schema;
    let staged = catalog.stage(keyspaces, 'same-version');
    try {
      await createContainerLike(throughput, old, (container) => {
        staged = catalog.stage(withTable(keyspaces, { ...table, container }), 'same-version');
        return [...staged.records, containerMark.put(container)];
      });
    } catch (cause) {
      const reason = `Error during truncate: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new RingfoldError('cql-truncate-failed', { reason }, cause);
    }
    catalog.adopt(staged.schema, undefined);
    // Nobody can reach it any more. If it cannot be dropped now, it is dropped at the next start.
    await dropContainer(throughput, old, [containerMark.remove(old)]).catch(() => {});
    return { kind: 'void', warnings: [], chargeRu: 0 as RequestUnits };
  });
}
