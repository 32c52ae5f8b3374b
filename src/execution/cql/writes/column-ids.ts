import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { PartitionWrite } from './partition-write.ts';

/** What a row may hold; undefined where no column was ever dropped, and it holds nothing else. */
export function columnIdsOf({ droppedColumns, statics, regulars }: TableSchema): PartitionWrite['columnIds'] {
  if (droppedColumns.length === 0) return undefined;
  return [...statics, ...regulars].map(({ id }) => {
    const dropped = droppedColumns.find((column) => column.id === id);
    return { id, droppedAt: dropped && BigInt(dropped.droppedAt) };
  });
}
