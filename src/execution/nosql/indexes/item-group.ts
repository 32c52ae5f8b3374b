// Items that were made at about the same time are a group, and share an entry for each term that several of them have: most items have
// most values in common with others, and an entry costs by the row. What an item gets later is its own; what it shares it gives up when it
// has it no more, and it leaves the group when it is gone.
//
//   which are still in it (4) · of each item: rid less the lowest (2) · length of its key (2) · key

import { type ByteString, byteStringOf } from '../../../foundation/byte-string.ts';

/** One bit for each. */
export const MOST_IN_GROUP = 32;
/** Rids of a group lie within so many: whoever goes on behind a rid begins this much before it, and backwards reads as much ahead. */
export const GROUP_SPAN = 256;
/** Of a set of items of a group. */
export const MEMBERS_BYTES = 4;

const LENGTH_BYTES = 2;

interface GroupMember {
  readonly rid: number;
  readonly itemKey: ByteString;
}

/** Where an item stands in a set of members. */
export function bitOf(place: number): number {
  return 1 << place;
}

export function countOf(members: number): number {
  let count = 0;
  for (let rest = members; rest !== 0; rest &= rest - 1) count++;
  return count;
}

export function encodeMembers(members: number): Buffer {
  const bytes = Buffer.allocUnsafe(MEMBERS_BYTES);
  bytes.writeInt32BE(members);
  return bytes;
}

/** What stands under the key of an entry is such a set, and not the key of an item: those are longer by far. */
export function isMembers(value: Buffer): boolean {
  return value.length === MEMBERS_BYTES;
}

export function membersIn(bytes: Buffer, at = 0): number {
  return bytes.readInt32BE(at);
}

export function encodeGroup(lowestRid: number, members: readonly GroupMember[]): Buffer {
  const size = members.reduce((sum, { itemKey }) => sum + 2 * LENGTH_BYTES + itemKey.length, MEMBERS_BYTES);
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeInt32BE(members.reduce((all, _, place) => all | bitOf(place), 0));
  let at = MEMBERS_BYTES;
  for (const { rid, itemKey } of members) {
    bytes.writeUInt16BE(rid - lowestRid, at);
    bytes.writeUInt16BE(itemKey.length, at + LENGTH_BYTES);
    at += 2 * LENGTH_BYTES;
    at += bytes.write(itemKey, at, 'latin1');
  }
  return bytes;
}

/** A group with fewer of its items in it. */
export function withMembers(group: Buffer, members: number): Buffer {
  const bytes = Buffer.from(group);
  bytes.writeInt32BE(members);
  return bytes;
}

/** Those that are still in it and in the set. */
export function* membersOf(group: Buffer, lowestRid: number, wanted: number): Generator<GroupMember> {
  const present = membersIn(group) & wanted;
  let at = MEMBERS_BYTES;
  for (let place = 0; at < group.length; place++) {
    const start = at + 2 * LENGTH_BYTES;
    const end = start + group.readUInt16BE(at + LENGTH_BYTES);
    if ((present & bitOf(place)) !== 0)
      yield {
        rid: lowestRid + group.readUInt16BE(at),
        itemKey: byteStringOf(group.subarray(start, end)),
      };
    at = end;
  }
}
