import type { CqlCatalog } from '../../../catalog/cql/cql-catalog.ts';
import { containersOf } from '../../../catalog/cql/schema-difference.ts';
import { databaseOwner } from '../../../catalog/throughput-owner.ts';
import { dropContainer, dropDatabase } from '../../define-container.ts';
import type { ThroughputParts } from '../../throughput-parts.ts';
import { containerMark, databaseGoneMark } from './table-containers.ts';

/**
 * Once, at the start: what a crash left of tables that were dropped or truncated, or not quite created.
 * @public
 */
export async function dropLeftovers(parts: ThroughputParts, { schema }: CqlCatalog): Promise<void> {
  const { store } = parts;
  const named = new Set(containersOf(schema.keyspaces));
  for (const id of (await store.records.readAll(containerMark.kind)).keys()) {
    const container = Number(id);
    if (!named.has(container) && store.mapOf(container) !== undefined)
      await dropContainer(parts, container, [containerMark.remove(container)]);
  }
  for (const keyspace of (await store.records.readAll(databaseGoneMark.kind)).keys())
    await dropKeyspaceThroughput(parts, keyspace);
}

/** What containers of another API share stays, though the keyspace of the same name is gone. */
export async function dropKeyspaceThroughput(parts: ThroughputParts, keyspace: string): Promise<void> {
  const { records, store } = parts;
  const mark = databaseGoneMark.remove(keyspace);
  const isGone = records.of(databaseOwner(keyspace)) === undefined;
  if (isGone || records.sharing(keyspace).length > 0) await store.records.put([mark]);
  else await dropDatabase(parts, keyspace, [mark]);
}
