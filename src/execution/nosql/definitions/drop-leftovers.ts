// What belonged to a database that is gone is removed: containers, what was defined in it, the throughput its containers shared. Nobody can
// reach it any more, so what cannot be removed now is left to the next start.

import { noRecord } from '../../../catalog/nosql/definition-records.ts';
import { ItemRids } from '../../../catalog/nosql/item-rids.ts';
import type { NosqlCatalog } from '../../../catalog/nosql/nosql-catalog.ts';
import type { ContainerDefinition, DatabaseDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { SystemRecord } from '../../../replication/system-records.ts';
import { dropContainer, dropDatabase } from '../../define-container.ts';
import type { ThroughputParts } from '../../throughput-parts.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { ridOfThroughputName, throughputName } from './offer-owner.ts';

/** Records that are removed in one transaction, which has a limit. */
const recordsAtOnce = 500;

export async function dropContentsOf(
  { catalog, throughput }: Pick<NosqlParts, 'catalog' | 'throughput'>,
  database: DatabaseDefinition,
): Promise<void> {
  const containers = [...database.containers.values()];
  const drops = await Promise.allSettled(
    containers.map(({ rid, container }) => dropNamed(throughput, catalog, rid, container)),
  );
  await removeChildren(throughput, childRidsOf(database));
  if (database.hasSharedThroughput && drops.every(({ status }) => status === 'fulfilled'))
    await dropDatabase(throughput, throughputName(database));
}

/** Once, at the start. */
export async function dropLeftovers(throughput: ThroughputParts, catalog: NosqlCatalog): Promise<void> {
  const { store, records } = throughput;
  for (const { rid, container } of catalog.leftovers.containers)
    await dropNamed(throughput, catalog, rid, container);
  await removeChildren(throughput, catalog.leftovers.children);
  for (const name of records.databases()) {
    const rid = ridOfThroughputName(name);
    if (rid !== undefined && catalog.databaseOfRid(rid) === undefined && records.sharing(name).length === 0)
      await dropDatabase(throughput, name);
  }
  // A bound that was being raised while its container was dropped.
  const stale = catalog.itemRids
    .containers()
    .filter((container) => catalog.containerOf(container) === undefined);
  for (const container of stale) catalog.itemRids.forget(container);
  if (stale.length > 0) await store.records.put(stale.map(ItemRids.noRecordOf));
}

/** The container with its definition and with what is defined in it, in one transaction. */
export async function dropNamed(
  throughput: ThroughputParts,
  { itemRids }: NosqlCatalog,
  rid: string,
  container: number,
  children: readonly string[] = [],
): Promise<void> {
  const records = [
    noRecord('container', rid),
    ItemRids.noRecordOf(container),
    ...children.map((child) => noRecord('child', child)),
  ];
  if (throughput.store.mapOf(container) === undefined) await throughput.store.records.put(records);
  else await dropContainer(throughput, container, records);
  itemRids.forget(container);
}

export function scriptRidsOf(container: ContainerDefinition): string[] {
  const { storedProcedures, triggers, userDefinedFunctions } = container;
  return [storedProcedures, triggers, userDefinedFunctions].flatMap((scripts) =>
    [...scripts.values()].map(({ rid }) => rid),
  );
}

function childRidsOf({ containers, users, clientEncryptionKeys }: DatabaseDefinition): string[] {
  return [
    ...[...containers.values()].flatMap(scriptRidsOf),
    ...[...users.values()].flatMap(({ rid, permissions }) => [
      rid,
      ...[...permissions.values()].map((permission) => permission.rid),
    ]),
    ...[...clientEncryptionKeys.values()].map(({ rid }) => rid),
  ];
}

async function removeChildren({ store }: ThroughputParts, rids: readonly string[]): Promise<void> {
  for (let at = 0; at < rids.length; at += recordsAtOnce) {
    const records: SystemRecord[] = rids.slice(at, at + recordsAtOnce).map((rid) => noRecord('child', rid));
    await store.records.put(records);
  }
}
