import { nextTurn } from '../../../foundation/scheduler.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { addressAt, whereverItIs } from '../../../routing/find-partition.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { ridKey } from '../item-keys.ts';
import type { NosqlParts } from '../nosql-parts.ts';

/** The id of the item that has the number; undefined where none has. What follows is charged, and this is a part of it. */
export function findItemId(
  parts: NosqlParts,
  logicalPartition: LogicalPartition,
  rid: number,
): string | undefined | Promise<string | undefined> {
  const { store } = parts.throughput;
  const { container, ringPosition } = logicalPartition;
  const row = store.readCached(addressAt(store, container, ringPosition), ridKey(logicalPartition, rid));
  return row === undefined ? readStored(parts, logicalPartition, rid) : idIn(row);
}

async function readStored(
  { throughput, scheduler }: NosqlParts,
  logicalPartition: LogicalPartition,
  rid: number,
): Promise<string | undefined> {
  const { store } = throughput;
  const found = await whereverItIs(store, logicalPartition, async (address) => {
    const outcome = await store.read(address, ridKey(logicalPartition, rid));
    if (outcome.kind === 'refused') throw outcome.error;
    if (outcome.kind === 'read') return { id: idIn(outcome.value) };
    await nextTurn(scheduler);
    return undefined;
  });
  return found.id;
}

function idIn(row: Buffer | null): string | undefined {
  return row === null ? undefined : decodeStoredItem(row).payload.toString('utf8');
}
