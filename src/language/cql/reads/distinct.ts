import { isStaticCompact } from '../../../catalog/cql/compact-storage.ts';
import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { Selection } from '../expressions/selection.ts';
import type { OrderingColumns } from './order-by.ts';
import type { SelectRestrictions } from './select-restrictions.ts';

/** SELECT DISTINCT knows partitions only: their keys and static columns. */
export function refuseDistinct(
  table: TableSchema,
  { reads }: Selection,
  { partitionKey: keyRestrictions, clustering, others, isKeyRange }: SelectRestrictions,
  orderings: OrderingColumns,
): void {
  const isStatic = ({ kind }: ColumnSchema) =>
    kind === 'static' || (kind === 'regular' && isStaticCompact(table));
  if (clustering.size > 0 || !others.columns.every(isStatic)) {
    throw invalidRequest(
      'SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static columns.',
    );
  }
  // Rows of several partitions are sorted afterwards: what they are sorted by is read too.
  const sorted = keyRestrictions.all.some(({ kind }) => kind === 'in') ? [...orderings.keys()] : [];
  const other = [...reads, ...sorted].find((column) => column.kind !== 'partition_key' && !isStatic(column));
  if (other !== undefined) {
    throw invalidRequest(
      `SELECT DISTINCT queries must only request partition key columns and/or static columns (not ${other.name})`,
    );
  }
  if (!isKeyRange) return;
  const missing = table.partitionKey.find((column) => !reads.includes(column));
  if (missing !== undefined) {
    throw invalidRequest(
      `SELECT DISTINCT queries must request all the partition key columns (missing ${missing.name})`,
    );
  }
}
