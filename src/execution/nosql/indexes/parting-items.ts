// Items that part from others of their groups: an entry that is shared tells who has it still, and goes when the last of those who had it is
// gone; a group goes with the last that was in it.

import { assert } from '../../../foundation/assert.ts';
import { type ByteString, byteStringOf, bytesOf } from '../../../foundation/byte-string.ts';
import type { EngineWrite, StorageEngine } from '../../../storage/storage-engine.ts';
import type { SegmentKeys } from './index-keys.ts';
import { bitOf, encodeMembers, membersIn, withMembers } from './item-group.ts';
import { type PartingItem, sharedPlaces } from './item-record.ts';

/** In one batch with what else is written of the items, and all of the batch at once: groups and shared entries are read, and written anew. */
export async function writePartings(
  engine: Pick<StorageEngine, 'get'>,
  keys: SegmentKeys,
  parting: readonly PartingItem[],
  writes: EngineWrite[],
): Promise<void> {
  if (parting.length === 0) return;
  const leaving = new Map<number, PartingItem[]>();
  const givenUp = new Map<ByteString, number>();
  for (const item of parting) {
    const { lowestRid, place, record, givesUp } = item;
    if (givesUp === undefined) {
      const others = leaving.get(lowestRid);
      if (others === undefined) leaving.set(lowestRid, [item]);
      else others.push(item);
    }
    for (const { start, end } of givesUp ?? []) {
      const key = byteStringOf(keys.sharedEntry(record, start, end, lowestRid));
      givenUp.set(key, (givenUp.get(key) ?? 0) | bitOf(place));
    }
  }
  const [groups, entries] = await Promise.all([
    Promise.all([...leaving.keys()].map((lowestRid) => engine.get(keys.group(lowestRid)))),
    Promise.all([...givenUp.keys()].map((key) => engine.get(key))),
  ]);
  for (const [at, [key, who]] of [...givenUp].entries()) {
    const entry = entries[at];
    assert(entry !== undefined, 'a shared entry is there as long as an item that had it');
    writes.push({ key: bytesOf(key), value: encodeMembers(membersIn(entry) & ~who) });
  }
  for (const [at, [lowestRid, items]] of [...leaving].entries())
    writeLeaving(keys, lowestRid, groups[at], items, writes);
}

function writeLeaving(
  keys: SegmentKeys,
  lowestRid: number,
  group: Buffer | undefined,
  items: readonly PartingItem[],
  writes: EngineWrite[],
): void {
  assert(group !== undefined, 'a group is there as long as an item is in it');
  const left = items.reduce((rest, { place }) => rest & ~bitOf(place), membersIn(group));
  for (const { record } of items)
    for (const { start, end, members } of sharedPlaces(record))
      if ((members & left) === 0)
        writes.push({ key: keys.sharedEntry(record, start, end, lowestRid), value: undefined });
  const key = bytesOf(keys.group(lowestRid));
  writes.push({ key, value: left === 0 ? undefined : withMembers(group, left) });
}
