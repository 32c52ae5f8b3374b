import type { Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { NamedRow } from './named-rows.ts';
import { ringTokenRanges } from './ring-tokens.ts';

/** About how many bytes the rows of the container take. */
export type TableSizes = (container: number) => Promise<number>;

/** Nobody counts partitions here. Readers multiply the two figures again, so what they get is right whatever stands for one. */
const ASSUMED_PARTITION_BYTES = 1_024;

/** For whoever reads a table by token ranges and wants to know how many at a time. */
export async function estimateRows(keyspace: Keyspace, sizes: TableSizes): Promise<NamedRow[]> {
  const tables = [...keyspace.tables.values()];
  return (await Promise.all(tables.map((table) => rowsOfTable(table, sizes)))).flat();
}

async function rowsOfTable(
  { keyspace, name, container }: TableSchema,
  sizes: TableSizes,
): Promise<NamedRow[]> {
  if (container === undefined) return [];
  const rangeBytes = (await sizes(container)) / ringTokenRanges.length;
  const partitions = Math.ceil(rangeBytes / ASSUMED_PARTITION_BYTES);
  return ringTokenRanges.map(({ start, end }) => ({
    keyspace_name: keyspace,
    table_name: name,
    range_start: String(start),
    range_end: String(end),
    mean_partition_size: BigInt(partitions === 0 ? 0 : Math.round(rangeBytes / partitions)),
    partitions_count: BigInt(partitions),
  }));
}
