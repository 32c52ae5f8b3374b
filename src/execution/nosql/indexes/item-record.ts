// What an index keeps beside an item's key: which version of it was indexed, by which policy, and the entries it has, so that they can be
// removed when the item is another or gone.

import { ByteReader } from '../../../foundation/byte-reader.ts';
import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import { ByteWriter } from '../../../foundation/byte-writer.ts';
import type { EngineWrite } from '../../../storage/storage-engine.ts';
import { ridOf, type SegmentKeys } from './index-keys.ts';
import { ORDER_BYTES } from './index-paths.ts';
import type { IndexTerm } from './item-terms.ts';

export interface ItemRecord {
  /** The item's timestamp: no two versions have the same. */
  readonly version: number;
  /** Which policy it was indexed by. */
  readonly policyTag: number;
  readonly rid: number;
  readonly terms: readonly IndexTerm[];
  /** Of each term; not of a record that was read. */
  readonly orders?: readonly ByteString[];
}

function encodeItemRecord({ version, policyTag, rid, terms }: ItemRecord): Buffer {
  const writer = new ByteWriter(32 + terms.length * 28);
  writer.u64(version);
  writer.u32(policyTag);
  writer.varint(rid);
  writer.varint(terms.length);
  for (const term of terms) {
    writer.varint(term.length);
    writer.byteString(term);
  }
  return writer.take();
}

export function decodeItemRecord(bytes: Buffer): ItemRecord {
  const reader = new ByteReader(bytes);
  const version = reader.u64();
  const policyTag = reader.u32();
  const rid = reader.varint();
  const count = reader.varint();
  const terms: IndexTerm[] = [];
  for (let at = 0; at < count; at++) terms.push(reader.byteString(reader.varint()));
  return { version, policyTag, rid, terms };
}

/** Whether the record is of that version and that policy, without a look at its terms. */
export function isRecordOf(bytes: Buffer, version: number, policyTag: number): boolean {
  const reader = new ByteReader(bytes);
  return reader.u64() === version && reader.u32() === policyTag;
}

/** How many entries the orders of a segment have. */
export interface EntryCounts {
  add(order: ByteString, difference: number): void;
}

/** Turns what the segment has of an item into what it shall have: only what differs is written. */
export function writeItem(
  keys: SegmentKeys,
  itemKey: ByteString,
  before: ItemRecord | undefined,
  after: ItemRecord | undefined,
  counts: EntryCounts,
  writes: EngineWrite[],
): void {
  const isSameItem = before !== undefined && before.rid === after?.rid;
  const kept = isSameItem && before.terms.length > 0 ? new Set(before.terms) : undefined;
  if (after !== undefined) {
    const rid = ridOf(after.rid);
    const value = bytesOf(itemKey);
    for (const [at, term] of after.terms.entries()) {
      if (kept?.delete(term)) continue;
      writes.push({ key: bytesOf(keys.entry(term, rid)), value });
      counts.add(after.orders?.[at] ?? orderIn(term), 1);
    }
  }
  if (before !== undefined) {
    const rid = ridOf(before.rid);
    for (const term of kept ?? before.terms) {
      writes.push({ key: bytesOf(keys.entry(term, rid)), value: undefined });
      counts.add(orderIn(term), -1);
    }
  }
  const value = after === undefined ? undefined : encodeItemRecord(after);
  writes.push({ key: bytesOf(keys.record(itemKey)), value });
}

function orderIn(term: IndexTerm): ByteString {
  return term.slice(0, ORDER_BYTES) as ByteString;
}
