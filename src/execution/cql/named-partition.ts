import type { CqlSchema } from '../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../catalog/cql/table-schema.ts';
import type { RingfoldError } from '../../errors/ringfold-error.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { containerIn } from '../../partitioning/logical-partition.ts';
import { errorOfRefusal, type RequestRefusal } from '../../throughput/request-refusal.ts';
import type { CqlParts } from './cql-parts.ts';
import { printPartitionKey } from './print-partition-key.ts';

/** Heat is counted by what stored keys begin with; people are told the values of the key. */
export function nameOfPartition(
  { catalog }: Pick<CqlParts, 'catalog'>,
  container: number,
  logicalPartition: string,
): string {
  const table = tableOf(catalog.schema, container);
  return table === undefined ? logicalPartition : printPartitionKey(table, logicalPartition);
}

/** Undefined for a container that is no table. */
export function nameOfTable({ catalog }: Pick<CqlParts, 'catalog'>, container: number): string | undefined {
  const table = tableOf(catalog.schema, container);
  return table === undefined ? undefined : `${table.keyspace}.${table.name}`;
}

/** Told with the hottest partition's name, since that is who to look at. */
export function refusedRequest(
  parts: Pick<CqlParts, 'catalog'>,
  container: number,
  refusal: RequestRefusal,
): RingfoldError {
  const { hottest } = refusal;
  if (hottest === undefined) return errorOfRefusal(refusal);
  // Tables of a keyspace may share a budget: then it may be a key of another one.
  const owner = containerIn(hottest.logicalPartition as ByteString);
  const key = nameOfPartition(parts, owner, hottest.logicalPartition);
  const logicalPartition = owner === container ? key : `${key} of ${nameOfTable(parts, owner) ?? owner}`;
  return errorOfRefusal({ ...refusal, hottest: { ...hottest, logicalPartition } });
}

/** Undefined for a container that is no table. */
export function tableOf({ keyspaces }: CqlSchema, container: number): TableSchema | undefined {
  for (const { tables } of keyspaces.values()) {
    for (const table of tables.values()) if (table.container === container) return table;
  }
  return undefined;
}
