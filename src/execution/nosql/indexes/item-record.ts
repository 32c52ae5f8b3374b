// What an index keeps beside an item's key: which version of it was indexed, by which policy, and the entries it has, so that they can be
// removed when the item is another or gone.
//
//   version (8) · policy (4) · rid (8) · place in its group, from 1 (1) · rid less the lowest of the group (2) · terms
//   a term: its length (2) · where its entry is shared, which items of the group had it at first (4) · its bytes
//
// Last come terms that the item shared and has no more: the shared entry is there until the last of those items is gone.

import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import type { EngineWrite } from '../../../storage/storage-engine.ts';
import type { SegmentKeys } from './index-keys.ts';
import { ORDER_BYTES } from './index-paths.ts';
import { MEMBERS_BYTES, membersIn } from './item-group.ts';
import type { RecordedValues } from './item-index.ts';
import { GIVEN_UP_MARK, LENGTH_BYTES, RECORD_HEAD_BYTES, SHARED_MARK, type TermList } from './term-list.ts';

const policyPlace = 8;
const ridPlace = 12;
const groupPlace = 20;
const noGroup = 0;

/** Which item, and which version of it. */
export interface RecordHead {
  /** The item's timestamp: no two versions have the same. */
  readonly version: number;
  /** Which policy it was indexed by. */
  readonly policyTag: number;
  readonly rid: number;
}

/** What an item is to have in a segment. */
export interface ItemRecord extends RecordHead {
  readonly terms: TermList;
}

/** The group that an item is in. */
export interface Membership {
  readonly lowestRid: number;
  /** From 0. */
  readonly place: number;
}

/** Which items of the group have the term of that index; 0 where its entry is the item's own. */
type SharedTerms = (index: number) => number;

function encodeItemRecord(
  record: ItemRecord,
  group?: Membership,
  shared: SharedTerms = () => 0,
  givenUp: readonly GivenUpTerm[] = [],
): Buffer {
  const { terms } = record;
  const bytes = group === undefined ? Buffer.from(terms.bytes) : withShared(terms, shared, givenUp);
  writeHead(bytes, record, group);
  return bytes;
}

export function writeHead(
  bytes: Buffer,
  { version, policyTag, rid }: RecordHead,
  group: Membership | undefined,
): void {
  writeU64(bytes, 0, version);
  bytes.writeUInt32BE(policyTag, policyPlace);
  writeU64(bytes, ridPlace, rid);
  bytes[groupPlace] = group === undefined ? noGroup : group.place + 1;
  bytes.writeUInt16BE(group === undefined ? 0 : rid - group.lowestRid, groupPlace + 1);
}

/** A term that the item shared once, in the record that told of it. */
interface GivenUpTerm extends TermPlace {
  readonly record: Buffer;
}

function withShared(terms: TermList, shared: SharedTerms, givenUp: readonly GivenUpTerm[]): Buffer {
  const source = terms.bytes;
  const more = givenUp.reduce((sum, { start, end }) => sum + LENGTH_BYTES + MEMBERS_BYTES + end - start, 0);
  const bytes = Buffer.allocUnsafe(source.length + terms.length * MEMBERS_BYTES + more);
  let at = RECORD_HEAD_BYTES;
  for (let index = 0; index < terms.length; index++) {
    const start = terms.startOf(index);
    const end = terms.endOf(index);
    const members = shared(index);
    bytes.writeUInt16BE((end - start) | (members === 0 ? 0 : SHARED_MARK), at);
    at += LENGTH_BYTES;
    if (members !== 0) at = bytes.writeInt32BE(members, at);
    for (let from = start; from < end; from++) bytes[at++] = source[from] as number;
  }
  for (const { record, start, end, members } of givenUp) {
    at = bytes.writeUInt16BE((end - start) | SHARED_MARK | GIVEN_UP_MARK, at);
    at = bytes.writeInt32BE(members, at);
    at += record.copy(bytes, at, start, end);
  }
  return bytes.subarray(0, at);
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

function membershipIn(bytes: Buffer): Membership | undefined {
  const place = bytes[groupPlace] ?? noGroup;
  if (place === noGroup) return undefined;
  return { lowestRid: readU64(bytes, ridPlace) - bytes.readUInt16BE(groupPlace + 1), place: place - 1 };
}

/** Where a term stands in a record. */
interface TermPlace {
  readonly start: number;
  readonly end: number;
  /** 0 where the entry is the item's own. */
  readonly members: number;
  readonly isGivenUp: boolean;
}

function placeAt(record: Buffer, at: number): TermPlace {
  const length = record.readUInt16BE(at);
  const start = at + LENGTH_BYTES;
  if ((length & SHARED_MARK) === 0) return { start, end: start + length, members: 0, isGivenUp: false };
  const behind = start + MEMBERS_BYTES;
  const end = behind + (length & (GIVEN_UP_MARK - 1));
  const isGivenUp = (length & GIVEN_UP_MARK) !== 0;
  return { start: behind, end, members: membersIn(record, start), isGivenUp };
}

/** The terms of a record whose entries are shared, those included that the item has no more. */
export function* sharedPlaces(record: Buffer): Generator<TermPlace> {
  for (let at = RECORD_HEAD_BYTES; at < record.length; ) {
    const place = placeAt(record, at);
    if (place.members !== 0) yield place;
    at = place.end;
  }
}

/** Of the item that the record tells of: its rid, and for each of those orders the values that it has there. */
export function recordedValues(record: Buffer, orders: readonly ByteString[]): RecordedValues {
  const values: ByteString[][] = orders.map(() => []);
  for (let at = RECORD_HEAD_BYTES; at < record.length; ) {
    const { start, end, isGivenUp } = placeAt(record, at);
    at = end;
    if (isGivenUp) break;
    for (const [index, order] of orders.entries()) {
      if (!beginsWith(record, start, order)) continue;
      values[index]?.push(record.toString('latin1', start + ORDER_BYTES, end) as ByteString);
    }
  }
  return { rid: readU64(record, ridPlace), values };
}

function beginsWith(record: Buffer, start: number, order: ByteString): boolean {
  for (let at = 0; at < ORDER_BYTES; at++) if (record[start + at] !== order.charCodeAt(at)) return false;
  return true;
}

/** How many entries the orders of a segment have. */
export interface EntryCounts {
  add(order: ByteString, difference: number): void;
}

/** An item, as its record told of it, that leaves its group because it is gone, or gives up some of what it shares in it. */
export interface PartingItem extends Membership {
  readonly record: Buffer;
  /** Undefined for all. */
  readonly givesUp: readonly TermPlace[] | undefined;
}

/**
 * Turns what the segment has of an item, a stored record, into what it shall have: only what differs is written. What it shares with others
 * is left to whoever is told that it parts from them.
 */
export function writeItem(
  keys: SegmentKeys,
  itemKey: ByteString,
  before: Buffer | undefined,
  after: ItemRecord | undefined,
  counts: EntryCounts,
  writes: EngineWrite[],
): PartingItem | undefined {
  const rid = before === undefined ? undefined : readU64(before, ridPlace);
  const difference = differenceOf(before, after?.terms, rid === after?.rid);
  const { gone, made } = difference;
  const group = before === undefined ? undefined : membershipIn(before);
  if (after !== undefined) {
    const { terms } = after;
    const { bytes } = terms;
    const value = bytesOf(itemKey);
    for (const index of made) {
      writes.push({ key: keys.entry(bytes, terms.startOf(index), terms.endOf(index), after.rid), value });
      counts.add(terms.orderOf(index), 1);
    }
  }
  if (before !== undefined && rid !== undefined) {
    for (const { start, end, members } of gone) {
      if (members === 0) writes.push({ key: keys.entry(before, start, end, rid), value: undefined });
      counts.add(before.toString('latin1', start, start + ORDER_BYTES) as ByteString, -1);
    }
  }
  const stays = rid === after?.rid ? group : undefined;
  const givesUp = stays === undefined ? undefined : gone.filter(({ members }) => members !== 0);
  const value = after === undefined ? undefined : nextRecord(before, after, stays, difference, givesUp ?? []);
  writes.push({ key: bytesOf(keys.record(itemKey)), value });
  if (group === undefined || before === undefined || givesUp?.length === 0) return undefined;
  return { record: before, givesUp, ...group };
}

function nextRecord(
  before: Buffer | undefined,
  after: ItemRecord,
  group: Membership | undefined,
  { gone, made, kept, givenUp, isInPlace }: Difference,
  givesUp: readonly TermPlace[],
): Buffer {
  if (before === undefined || group === undefined) return encodeItemRecord(after);
  if (!isInPlace) {
    const ever = [...givenUp, ...givesUp].map((place) => ({ record: before, ...place }));
    return encodeItemRecord(after, group, (index) => kept[index] ?? 0, ever);
  }
  const bytes = Buffer.from(before);
  writeU64(bytes, 0, after.version);
  bytes.writeUInt32BE(after.policyTag, policyPlace);
  for (const [at, index] of made.entries())
    after.terms.bytes.copy(bytes, gone[at]?.start, after.terms.startOf(index), after.terms.endOf(index));
  return bytes;
}

interface Difference {
  /** What the item has no more. */
  readonly gone: readonly TermPlace[];
  /** Which terms it did not have. */
  readonly made: readonly number[];
  /** With whom it shares the terms that it had, by their index; nothing where it does not. */
  readonly kept: readonly (number | undefined)[];
  /** What it shared once. */
  readonly givenUp: readonly TermPlace[];
  /** What is made is as long as what is gone, stands where that stood, and is not shared: the record is another in these places only. */
  readonly isInPlace: boolean;
}

/** The same item has most of its terms again, and at the same place; what is somewhere else is looked for. */
function differenceOf(
  before: Buffer | undefined,
  after: TermList | undefined,
  isSameItem: boolean,
): Difference {
  const gone: TermPlace[] = [];
  const made: number[] = [];
  const kept: (number | undefined)[] = [];
  const givenUp: TermPlace[] = [];
  let isInPlace = true;
  const count = after?.length ?? 0;
  let index = 0;
  if (before !== undefined) {
    for (let at = RECORD_HEAD_BYTES; at < before.length; index++) {
      // As `placeAt`, which would make an object of each.
      const marked = before.readUInt16BE(at);
      const members = (marked & SHARED_MARK) === 0 ? 0 : membersIn(before, at + LENGTH_BYTES);
      const start = at + LENGTH_BYTES + (members === 0 ? 0 : MEMBERS_BYTES);
      const end = start + (marked & (GIVEN_UP_MARK - 1));
      at = end;
      if ((marked & GIVEN_UP_MARK) !== 0) {
        givenUp.push({ start, end, members, isGivenUp: true });
        // They come last, and have no part in the count.
        index--;
        continue;
      }
      if (isSameItem && index < count && after?.isSame(index, before, start, end - start) === true) {
        if (members !== 0) kept[index] = members;
        continue;
      }
      gone.push({ start, end, members, isGivenUp: false });
      const isAsLong = index < count && after?.lengthOf(index) === end - start;
      if (!isAsLong || members !== 0) isInPlace = false;
      if (index < count) made.push(index);
    }
  }
  if (index < count) isInPlace = false;
  for (; index < count; index++) made.push(index);
  if (!isSameItem || before === undefined || after === undefined || gone.length === 0 || made.length === 0)
    return { gone, made, kept, givenUp, isInPlace };
  const places = new Map(gone.map((place) => [before.toString('latin1', place.start, place.end), place]));
  const isMade = (each: number): boolean => {
    const text = after.textOf(each);
    const place = places.get(text);
    if (place === undefined) return true;
    places.delete(text);
    if (place.members !== 0) kept[each] = place.members;
    return false;
  };
  const newlyMade = made.filter(isMade);
  isInPlace &&= newlyMade.length === made.length;
  return { made: newlyMade, gone: [...places.values()], kept, givenUp, isInPlace };
}
