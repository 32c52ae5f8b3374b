import type { TableSchema } from '../../../catalog/cql/table-schema.ts';

/** What a row may hold; undefined where no column was ever dropped, and it holds nothing else. */
export function columnIdsOf({
  droppedColumns,
  statics,
  regulars,
}: TableSchema): readonly number[] | undefined {
  if (droppedColumns.length === 0) return undefined;
  return [...statics, ...regulars].map(({ id }) => id);
}
