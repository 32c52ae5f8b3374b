// GROUP BY: rows of a partition that have the first columns of the primary key in common, or a function of the last of them.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { Grouping } from '../../../execution/cql/reads/read-plan.ts';
import { type ByteString, byteStringOf, concatBytes, emptyBytes } from '../../../foundation/byte-string.ts';
import { encodeClusteringKey } from '../../../values/ordered-key.ts';
import { prepareSelection } from '../expressions/prepare-selection.ts';
import { untypedSelectable } from '../expressions/selectables/selectable-of.ts';
import type { Selection } from '../expressions/selection.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import type { Selectable } from '../selectors.ts';
import { existingColumn } from '../writes/target-table.ts';
import { checkMonotonic } from './monotonic.ts';
import { isColumnEqual, type SelectRestrictions } from './select-restrictions.ts';

export interface GroupBy {
  /** How many clustering columns a group has in common. */
  readonly prefixLength: number;
  /** Instead of the last of them. */
  readonly lastOf: Selection | undefined;
}

export function groupBy(
  selectables: readonly Selectable[],
  table: TableSchema,
  restrictions: SelectRestrictions,
  isDistinct: boolean,
  context: TermContext,
): GroupBy {
  const key = [...table.partitionKey, ...table.clustering];
  let at = 0;
  let prefixLength = 0;
  let lastOf: Selection | undefined;
  for (const selectable of selectables) {
    const hadFunction = lastOf !== undefined;
    let column: ColumnSchema;
    if (selectable.kind === 'column') {
      column = keyColumn(selectable.name, table);
      if (hadFunction) {
        throw invalidRequest('Functions are only supported on the last element of the GROUP BY clause');
      }
    } else {
      lastOf = prepareSelection([{ selectable, alias: null }], table, { isJson: false }, context);
      column = columnOf(lastOf);
      checkMonotonic(selectable, untypedSelectable(selectable, { table, context }));
    }
    for (;;) {
      const next = key[at++];
      if (next === undefined) throw wrongOrder();
      if (next.kind === 'clustering') prefixLength++;
      if (next === column) break;
      if (!isColumnEqual(restrictions, next)) throw wrongOrder();
    }
  }
  if (key[at]?.kind === 'partition_key') {
    throw invalidRequest('Group by is not supported on only a part of the partition key');
  }
  if (prefixLength > 0 && isDistinct) {
    throw invalidRequest('Grouping on clustering columns is not allowed for SELECT DISTINCT queries');
  }
  return { prefixLength, lastOf };
}

/** What tells the groups of a partition apart. */
export function bindGrouping(
  { prefixLength, lastOf }: GroupBy,
  { clustering }: TableSchema,
  bindings: Bindings,
): Grouping {
  if (prefixLength === 0) return () => emptyBytes;
  const columns = clustering.slice(0, lastOf === undefined ? prefixLength : prefixLength - 1);
  const run = lastOf?.begin(bindings);
  return (row) => {
    const values = columns.map((column) => row.value(column) ?? Buffer.alloc(0));
    const prefix = encodeClusteringKey(columns, values);
    const last = run?.rowOf(row)[0];
    return last ? concatBytes(prefix, byteStringOf(last)) : (prefix as ByteString);
  };
}

function keyColumn(name: string, table: TableSchema): ColumnSchema {
  const column = existingColumn(table, name);
  if (column.kind === 'partition_key' || column.kind === 'clustering') return column;
  throw invalidRequest(`Group by is currently only supported on the columns of the PRIMARY KEY, got ${name}`);
}

function columnOf({ reads, isAggregate, columns }: Selection): ColumnSchema {
  if (isAggregate) {
    const name = columns[0]?.name.replace(/\(.*$/s, '');
    throw invalidRequest(`Aggregate functions are not supported within the GROUP BY clause, got: ${name}`);
  }
  const [column, ...others] = reads;
  if (column === undefined) {
    throw invalidRequest('GROUP BY functions must have one clustering column name as parameter');
  }
  if (others.length > 0) {
    throw invalidRequest(
      `GROUP BY functions accept only one clustering column as parameter, got: ${reads.map(({ name }) => name).join(',')}`,
    );
  }
  if (column.kind !== 'clustering') {
    throw invalidRequest(`Group by functions are only supported on clustering columns, got ${column.name}`);
  }
  return column;
}

function wrongOrder(): Error {
  return invalidRequest(
    'Group by currently only support groups of columns following their declared order in the PRIMARY KEY',
  );
}
