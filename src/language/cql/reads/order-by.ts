// ORDER BY: the order in which rows are stored in their partition, or the opposite one.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ReadRow } from '../../../execution/cql/read-row.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { encodeClusteringKey } from '../../../values/ordered-key.ts';
import type { Ordering } from '../statements/select.ts';
import { existingColumn } from '../writes/target-table.ts';
import { isColumnEqual, type SelectRestrictions } from './select-restrictions.ts';

export interface OrderBy {
  readonly isReversed: boolean;
  /** Rows of several partitions are sorted when all are there. */
  readonly sortKeyOf: ((row: ReadRow) => ByteString) | undefined;
}

/** A column by the last that is said of it, in the order in which they are named first. */
export type OrderingColumns = ReadonlyMap<ColumnSchema, Ordering>;

export function orderingColumns(orderings: readonly Ordering[], table: TableSchema): OrderingColumns {
  return new Map(orderings.map((ordering) => [existingColumn(table, ordering.column), ordering]));
}

export function orderBy(
  orderings: OrderingColumns,
  table: TableSchema,
  restrictions: SelectRestrictions,
): OrderBy {
  if (orderings.size === 0) return { isReversed: false, sortKeyOf: undefined };
  if (restrictions.usesIndex) {
    throw invalidRequest('ORDER BY with 2ndary indexes is not supported, except for ANN queries.');
  }
  if (restrictions.isKeyRange) {
    throw invalidRequest(
      'ORDER BY is only supported when the partition key is restricted by an EQ or an IN.',
    );
  }
  const isReversed = isOppositeOrder(orderings, table, restrictions);
  const columns = [...orderings.keys()];
  return { isReversed, sortKeyOf: restrictions.isKeyIn ? (row) => sortKey(row, columns) : undefined };
}

function isOppositeOrder(
  orderings: OrderingColumns,
  { clustering }: TableSchema,
  restrictions: SelectRestrictions,
): boolean {
  const directions = new Map<number, boolean>();
  let position = 0;
  for (const [column, { descending }] of orderings) {
    if (column.kind !== 'clustering') {
      throw invalidRequest(
        `Order by is currently only supported on the clustered columns of the PRIMARY KEY, got ${column.name}`,
      );
    }
    while (position !== column.position) {
      const skipped = clustering[position++];
      if (skipped === undefined || !isColumnEqual(restrictions, skipped)) {
        throw invalidRequest(
          'Order by currently only supports the ordering of columns following their declared order in the PRIMARY KEY',
        );
      }
    }
    position++;
    directions.set(column.position, descending !== column.descending);
  }
  const [isReversed = false, ...others] = [...directions]
    .sort(([left], [right]) => left - right)
    .map(([, direction]) => direction);
  if (others.some((other) => other !== isReversed)) throw invalidRequest('Unsupported order by relation');
  return isReversed;
}

/** A row of static columns alone has no clustering values, and comes first. */
function sortKey(row: ReadRow, columns: readonly ColumnSchema[]): ByteString {
  const values: Buffer[] = [];
  for (const column of columns) {
    const value = row.value(column);
    if (value === null) break;
    values.push(value);
  }
  return encodeClusteringKey(columns, values);
}
