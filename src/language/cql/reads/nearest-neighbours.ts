import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Ordering } from '../statements/select.ts';
import { columnSpec } from '../writes/target-table.ts';
import type { OrderingColumns } from './order-by.ts';

/** ORDER BY … ANN OF … is checked as Cassandra checks it, and then refused: there are no vector indexes yet. */
export function refuseNearestNeighbours(
  orderings: readonly Ordering[],
  columns: OrderingColumns,
  table: TableSchema,
  context: TermContext,
): void {
  const nearest = [...columns].filter(([, { nearestTo }]) => nearestTo !== null);
  for (const [column, { nearestTo }] of nearest) {
    if (nearestTo !== null) prepareTerm(nearestTo, columnSpec(table, column), context);
  }
  const [first] = nearest;
  if (first === undefined) return;
  const [column, { descending }] = first;
  if (orderings.filter(({ nearestTo }) => nearestTo !== null).length > 1) {
    throw invalidRequest('Cannot specify more than one ANN ordering');
  }
  if (orderings.length > 1) throw invalidRequest('ANN ordering does not support any other ordering');
  if (descending) throw invalidRequest('Descending ANN ordering is not supported');
  refuseColumn(column, table);
}

function refuseColumn({ name, type }: ColumnSchema, { indexes }: TableSchema): never {
  if (type.kind !== 'vector' || type.element.kind !== 'float') {
    throw invalidRequest('ANN ordering is only supported on float vector indexes');
  }
  if (!indexes.some((index) => index.column === name)) {
    throw invalidRequest('ANN ordering by vector requires the column to be indexed');
  }
  throw invalidRequest('ANN ordering by vector is not supported yet');
}
