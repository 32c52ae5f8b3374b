import type { ColumnSchema, TableSchema } from './table-schema.ts';

/** All of a table but what follows from its columns. */
export type TableWithoutColumns = Pick<
  TableSchema,
  | 'keyspace'
  | 'name'
  | 'id'
  | 'container'
  | 'options'
  | 'indexes'
  | 'droppedColumns'
  | 'nextColumnId'
  | 'isCompact'
>;

/** The one place in which columns get their order. They may come in any. */
export function assembleTable(table: TableWithoutColumns, columns: Iterable<ColumnSchema>): TableSchema {
  const all = [...columns];
  const partitionKey = inPosition(all, 'partition_key');
  const clustering = inPosition(all, 'clustering');
  const statics = byName(all, 'static');
  const regulars = byName(all, 'regular');
  const ordered = [...partitionKey, ...clustering, ...statics, ...regulars];
  return {
    ...table,
    partitionKey,
    clustering,
    statics,
    regulars,
    columns: new Map(ordered.map((column) => [column.name, column])),
    isCounter: ordered.some(({ type }) => type.kind === 'counter'),
  };
}

function inPosition(columns: readonly ColumnSchema[], kind: 'partition_key' | 'clustering'): ColumnSchema[] {
  return columns.filter((column) => column.kind === kind).sort((a, b) => a.position - b.position);
}

function byName(columns: readonly ColumnSchema[], kind: 'static' | 'regular'): ColumnSchema[] {
  return columns.filter((column) => column.kind === kind).sort((a, b) => compareNames(a.name, b.name));
}

/** Cassandra orders names by their bytes, of which it takes the first eight for a signed number: those that are not ASCII come first. */
function compareNames(a: string, b: string): number {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  const isLower = (name: Buffer): boolean => (name[0] ?? 0) >= 0x80;
  return Number(isLower(right)) - Number(isLower(left)) || Buffer.compare(left, right);
}
