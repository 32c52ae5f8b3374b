import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { noLimit } from '../../../execution/cql/reads/read-plan.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Bindings, TypedTerm } from '../expressions/typed-term.ts';
import type { Term } from '../terms.ts';
import { specOf } from '../writes/target-table.ts';

export function prepareLimit(
  term: Term | null,
  name: '[limit]' | '[per_partition_limit]',
  table: TableSchema,
  context: TermContext,
): TypedTerm | undefined {
  return term === null ? undefined : prepareTerm(term, specOf(table, name, { kind: 'int' }), context);
}

/** A value that is not set is no limit. */
export function bindLimit(limit: TypedTerm | undefined, bindings: Bindings): number {
  if (limit === undefined) return noLimit;
  const value = limit.evaluate(bindings);
  if (value === undefined) return noLimit;
  if (value === null) throw invalidRequest('Invalid null value of limit');
  if (value.length !== 4) throw invalidRequest('Invalid limit value');
  const rows = value.readInt32BE();
  if (rows <= 0) throw invalidRequest('LIMIT must be strictly positive');
  return rows;
}
