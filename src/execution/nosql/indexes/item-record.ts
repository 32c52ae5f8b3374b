// What an index keeps beside an item's key: which version of it was indexed, by which policy, and the entries it has, so that they can be
// removed when the item is another or gone.
//
//   version (8) · policy (4) · rid (8) · terms, each behind its length (2)

import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import type { EngineWrite } from '../../../storage/storage-engine.ts';
import type { SegmentKeys } from './index-keys.ts';
import { ORDER_BYTES } from './index-paths.ts';
import { LENGTH_BYTES, RECORD_HEAD_BYTES, type TermList } from './term-list.ts';

const policyPlace = 8;
const ridPlace = 12;

/** What an item is to have in a segment. */
export interface ItemRecord {
  /** The item's timestamp: no two versions have the same. */
  readonly version: number;
  /** Which policy it was indexed by. */
  readonly policyTag: number;
  readonly rid: number;
  readonly terms: TermList;
}

function encodeItemRecord({ version, policyTag, rid, terms }: ItemRecord): Buffer {
  const bytes = Buffer.from(terms.bytes);
  writeU64(bytes, 0, version);
  bytes.writeUInt32BE(policyTag, policyPlace);
  writeU64(bytes, ridPlace, rid);
  return bytes;
}

function writeU64(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt32BE(Math.floor(value / 2 ** 32), at);
  bytes.writeUInt32BE(value % 2 ** 32, at + 4);
}

function readU64(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}

/** Whether the record is of that version and that policy, without a look at its terms. */
export function isRecordOf(bytes: Buffer, version: number, policyTag: number): boolean {
  return readU64(bytes, 0) === version && bytes.readUInt32BE(policyPlace) === policyTag;
}

/** How many entries the orders of a segment have. */
export interface EntryCounts {
  add(order: ByteString, difference: number): void;
}

/** Turns what the segment has of an item, a stored record, into what it shall have: only what differs is written. */
export function writeItem(
  keys: SegmentKeys,
  itemKey: ByteString,
  before: Buffer | undefined,
  after: ItemRecord | undefined,
  counts: EntryCounts,
  writes: EngineWrite[],
): void {
  const rid = before === undefined ? undefined : readU64(before, ridPlace);
  const { gone, made } = differenceOf(before, after?.terms, rid === after?.rid);
  if (after !== undefined) {
    const { terms } = after;
    const { bytes } = terms;
    const value = bytesOf(itemKey);
    for (const index of made) {
      const key = keys.entry(bytes, terms.startOf(index), terms.endOf(index), after.rid);
      writes.push({ key, value });
      counts.add(terms.orderOf(index), 1);
    }
  }
  if (before !== undefined && rid !== undefined) {
    for (const { start, end } of gone) {
      writes.push({ key: keys.entry(before, start, end, rid), value: undefined });
      counts.add(before.toString('latin1', start, start + ORDER_BYTES) as ByteString, -1);
    }
  }
  const value = after === undefined ? undefined : encodeItemRecord(after);
  writes.push({ key: bytesOf(keys.record(itemKey)), value });
}

interface Place {
  readonly start: number;
  readonly end: number;
}

interface Difference {
  /** Where the terms stand that the item has no more. */
  readonly gone: Iterable<Place>;
  /** Which terms it did not have. */
  readonly made: Iterable<number>;
}

/** The same item has most of its terms again, and at the same place; what is somewhere else is looked for. */
function differenceOf(
  before: Buffer | undefined,
  after: TermList | undefined,
  isSameItem: boolean,
): Difference {
  const gone: Place[] = [];
  const made: number[] = [];
  const count = after?.length ?? 0;
  let index = 0;
  if (before !== undefined) {
    for (let at = RECORD_HEAD_BYTES; at < before.length; index++) {
      const start = at + LENGTH_BYTES;
      const length = before.readUInt16BE(at);
      at = start + length;
      if (isSameItem && index < count && after?.isSame(index, before, start, length) === true) continue;
      gone.push({ start, end: at });
      if (index < count) made.push(index);
    }
  }
  for (; index < count; index++) made.push(index);
  if (!isSameItem || before === undefined || after === undefined || gone.length === 0 || made.length === 0)
    return { gone, made };
  const places = new Map(gone.map((place) => [before.toString('latin1', place.start, place.end), place]));
  return { made: made.filter((each) => !places.delete(after.textOf(each))), gone: places.values() };
}
