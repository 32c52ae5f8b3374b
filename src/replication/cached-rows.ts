import type { ByteString } from '../foundation/byte-string.ts';
import { LaidRow } from '../storage/laid-row.ts';
import { hashOf, noRow, nowhere, RowIndex, rowField, segmentBytes } from './row-index.ts';
import type { RowMemory, RowVisitor } from './row-visitor.ts';

// The rows of the partition cache, kept so that a million of them are nothing to the garbage collector: bytes in slabs
// of a megabyte, the rest in arrays of numbers. A slab is filled once, front to back, and never written again: what
// was read from it stays as it was for as long as somebody holds it, and a slab that is dropped is left to the garbage
// collector, not used anew.
//
// Room is made by dropping a slab. If less than half of one is still in use, all its rows move to another; otherwise
// the oldest goes, and only those of its rows move that were read since they came there (second chance).

/** Whoever keeps rows together in a range is asked and told about them. */
export interface RowOwners {
  /** The moment at which the range was last read. */
  readAt(owner: number): number;
  /** One of its rows is no longer cached. */
  rowIsLost(owner: number): void;
}

/** Row number, length of the key, length of the value; then the key, then the value. */
const headerBytes = 12;
/** In place of a value's length: the row is known not to exist. */
const absent = -1;

const largestSlabBytes = 2 ** 20;

interface Slab extends RowMemory {
  readonly place: number;
  /** The same memory as whole numbers, for the headers; records begin at multiples of four. */
  readonly words: Int32Array;
  bornAt: number;
  usedBytes: number;
  liveBytes: number;
}

export class CachedRows {
  readonly #limitBytes: number;
  readonly #slabBytes: number;
  readonly #owners: RowOwners;
  readonly #index: RowIndex;
  #slabs: (Slab | undefined)[] = [];
  #head: Slab | undefined;
  #slabsBytes = 0;
  #ownersBytes = 0;
  /** Raised with every slab. A row was read while it was in a slab if its moment is not before the slab's. */
  #moment = 1;

  constructor(limitBytes: number, owners: RowOwners) {
    this.#limitBytes = limitBytes;
    this.#slabBytes = Math.min(largestSlabBytes, limitBytes / 16) & ~3;
    this.#owners = owners;
    // One bucket for 256 bytes: a 64th of the limit, and enough for rows of that size or larger.
    this.#index = new RowIndex(limitBytes / 256);
  }

  /** Everything kept here and by the owners, with an estimate of what objects take. */
  get sizeBytes(): number {
    return this.#slabsBytes + this.#ownersBytes + this.#index.sizeBytes;
  }

  get count(): number {
    return this.#index.count;
  }

  get moment(): number {
    return this.#moment;
  }

  find(key: ByteString): number {
    const hash = hashOf(key);
    let row = this.#index.first(hash);
    while (
      row !== noRow &&
      (this.#index.get(row, rowField.hash) !== hash || this.compareKey(row, key) !== 0)
    ) {
      row = this.#index.get(row, rowField.next);
    }
    return row;
  }

  /** A key that is not there yet. No row when it is too large to be cached. Null means: known not to exist. */
  add(key: ByteString, value: Buffer | null): number {
    if (this.#index.isFull && !this.#makeRoom(segmentBytes)) return noRow;
    const row = this.#index.add(hashOf(key));
    this.#index.set(row, rowField.slab, nowhere);
    this.#index.set(row, rowField.owner, 0);
    this.#index.set(row, rowField.readAt, 0);
    if (this.#store(row, key, value)) return row;
    this.#index.remove(row);
    return noRow;
  }

  /** False when the new value is too large to be cached: the row is then dropped. */
  replace(row: number, key: ByteString, value: Buffer | null): boolean {
    this.#release(row);
    if (this.#store(row, key, value)) return true;
    this.#forget(row);
    return false;
  }

  drop(row: number): void {
    this.#release(row);
    this.#forget(row);
  }

  clear(): void {
    this.#index.clear();
    this.#slabs = [];
    this.#head = undefined;
    this.#slabsBytes = 0;
    this.#ownersBytes = 0;
  }

  /** Counts memory of an owner towards the limit. Making room for it may cost the owner a row. */
  charge(bytes: number): void {
    this.#ownersBytes += bytes;
    this.#makeRoom(0);
  }

  giveBack(bytes: number): void {
    this.#ownersBytes -= bytes;
  }

  isAbsent(row: number): boolean {
    const slab = this.#slabOf(row);
    return slab.words[(this.#index.get(row, rowField.offset) >>> 2) + 2] === absent;
  }

  /** Null for a row known not to exist. */
  valueOf(row: number): Buffer | null {
    const { bytes, words } = this.#slabOf(row);
    const offset = this.#index.get(row, rowField.offset);
    const length = words[(offset >>> 2) + 2] as number;
    if (length === absent) return null;
    const start = offset + headerBytes + (words[(offset >>> 2) + 1] as number);
    return bytes.subarray(start, start + length);
  }

  /** Of a row that exists, under its own key. */
  laidRow(row: number, key: ByteString): LaidRow {
    const { bytes, words } = this.#slabOf(row);
    const offset = this.#index.get(row, rowField.offset);
    const valueAt = offset + headerBytes + key.length;
    return new LaidRow(key, bytes, valueAt, valueAt + (words[(offset >>> 2) + 2] as number));
  }

  /** Nothing of a row known not to exist. False when the visitor wants no more. */
  show(row: number, visitor: RowVisitor): boolean {
    const slab = this.#slabOf(row);
    const { words } = slab;
    const offset = this.#index.get(row, rowField.offset);
    const length = words[(offset >>> 2) + 2] as number;
    if (length === absent) return true;
    const keyAt = offset + headerBytes;
    const valueAt = keyAt + (words[(offset >>> 2) + 1] as number);
    return visitor.visit(slab, keyAt, valueAt, valueAt + length);
  }

  keyOf(row: number): ByteString {
    const { bytes, words } = this.#slabOf(row);
    const offset = this.#index.get(row, rowField.offset);
    const start = offset + headerBytes;
    return bytes.toString('latin1', start, start + (words[(offset >>> 2) + 1] as number)) as ByteString;
  }

  /** Below zero when the row's key is below the other, zero when they are equal. The first bytes may be known to be. */
  compareKey(row: number, key: ByteString, equalLength = 0): number {
    const { bytes, words } = this.#slabOf(row);
    const offset = this.#index.get(row, rowField.offset);
    const start = offset + headerBytes;
    const length = words[(offset >>> 2) + 1] as number;
    const common = Math.min(length, key.length);
    for (let at = equalLength; at < common; at++) {
      const difference = (bytes[start + at] as number) - key.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length - key.length;
  }

  noteRead(row: number): void {
    this.#index.set(row, rowField.readAt, this.#moment);
  }

  ownerOf(row: number): number {
    return this.#index.get(row, rowField.owner);
  }

  setOwner(row: number, owner: number): void {
    this.#index.set(row, rowField.owner, owner);
  }

  evictionsSeen(row: number): number {
    return this.#index.get(row, rowField.evictionsSeen);
  }

  setEvictionsSeen(row: number, count: number): void {
    this.#index.set(row, rowField.evictionsSeen, count);
  }

  #slabOf(row: number): Slab {
    return this.#slabs[this.#index.get(row, rowField.slab)] as Slab;
  }

  #store(row: number, key: ByteString, value: Buffer | null): boolean {
    const valueBytes = value === null ? 0 : value.length;
    const recordBytes = (headerBytes + key.length + valueBytes + 3) & ~3;
    const slab = this.#slabFor(recordBytes);
    if (slab === undefined) return false;
    const offset = slab.usedBytes;
    slab.words[offset >>> 2] = row;
    slab.words[(offset >>> 2) + 1] = key.length;
    slab.words[(offset >>> 2) + 2] = value === null ? absent : valueBytes;
    let at = offset + headerBytes;
    for (let index = 0; index < key.length; index++) slab.bytes[at++] = key.charCodeAt(index);
    if (value !== null) slab.bytes.set(value, at);
    this.#settle(row, slab, recordBytes);
    return true;
  }

  /** The record at the end of the slab is the row's. */
  #settle(row: number, slab: Slab, recordBytes: number): void {
    this.#index.set(row, rowField.slab, slab.place);
    this.#index.set(row, rowField.offset, slab.usedBytes);
    slab.usedBytes += recordBytes;
    slab.liveBytes += recordBytes;
  }

  /** The row's record is garbage from here on. */
  #release(row: number): void {
    const slab = this.#slabOf(row);
    slab.liveBytes -= recordBytesAt(slab, this.#index.get(row, rowField.offset));
    this.#index.set(row, rowField.slab, nowhere);
  }

  #forget(row: number): void {
    const owner = this.#index.get(row, rowField.owner);
    this.#index.remove(row);
    if (owner !== 0) this.#owners.rowIsLost(owner);
  }

  #slabFor(recordBytes: number): Slab | undefined {
    if (hasRoom(this.#head, recordBytes)) return this.#head;
    // A large row has a slab of its own: in a common one it would leave much of the end unused. It has no second
    // chance, being too large to move.
    if (recordBytes > this.#slabBytes >>> 2) {
      return recordBytes <= this.#limitBytes / 8 && this.#makeRoom(recordBytes)
        ? this.#open(recordBytes)
        : undefined;
    }
    if (!this.#makeRoom(this.#slabBytes)) return undefined;
    // Making room may have opened a slab already, for rows that moved.
    if (!hasRoom(this.#head, recordBytes)) this.#head = this.#open(this.#slabBytes);
    return this.#head;
  }

  #open(slabBytes: number): Slab {
    const free = this.#slabs.indexOf(undefined);
    const place = free === -1 ? this.#slabs.length : free;
    const memory = new ArrayBuffer(slabBytes);
    const bornAt = ++this.#moment;
    const bytes = Buffer.from(memory);
    const slab: Slab = {
      place,
      bytes,
      view: new DataView(memory),
      words: new Int32Array(memory),
      bornAt,
      usedBytes: 0,
      liveBytes: 0,
    };
    this.#slabs[place] = slab;
    this.#slabsBytes += slabBytes;
    return slab;
  }

  // One slab is kept back, for the moment in which rows move from one that goes to one that comes. Two rounds free
  // at least one slab: a round moves at most half of one, so it cannot fill what the round before has opened.
  #makeRoom(bytes: number): boolean {
    while (this.sizeBytes + bytes > this.#limitBytes - this.#slabBytes) {
      const victim = this.#chooseVictim();
      if (victim === undefined) return false;
      this.#empty(victim);
      this.#slabs[victim.place] = undefined;
      this.#slabsBytes -= victim.bytes.length;
      if (victim === this.#head) this.#head = undefined;
    }
    return true;
  }

  #chooseVictim(): Slab | undefined {
    let oldest: Slab | undefined;
    let emptiest: Slab | undefined;
    for (const slab of this.#slabs) {
      if (slab === undefined || slab === this.#head) continue;
      if (oldest === undefined || slab.bornAt < oldest.bornAt) oldest = slab;
      if (emptiest === undefined || liveShare(slab) < liveShare(emptiest)) emptiest = slab;
    }
    if (emptiest !== undefined && liveShare(emptiest) < 0.5) return emptiest;
    return oldest ?? this.#head;
  }

  #empty(victim: Slab): void {
    let mayMoveBytes = victim === this.#head ? 0 : this.#slabBytes >>> 1;
    const keepsAll = victim.liveBytes <= mayMoveBytes;
    for (let offset = 0; offset < victim.usedBytes; offset += recordBytesAt(victim, offset)) {
      const row = victim.words[offset >>> 2] as number;
      if (!this.#isAt(row, victim, offset)) continue;
      const recordBytes = recordBytesAt(victim, offset);
      if (recordBytes <= mayMoveBytes && (keepsAll || this.#wasReadIn(victim, row))) {
        mayMoveBytes -= recordBytes;
        this.#move(row, victim, offset, recordBytes);
      } else this.#forget(row);
    }
  }

  #isAt(row: number, slab: Slab, offset: number): boolean {
    return (
      this.#index.get(row, rowField.slab) === slab.place && this.#index.get(row, rowField.offset) === offset
    );
  }

  #wasReadIn(slab: Slab, row: number): boolean {
    if (this.#index.get(row, rowField.readAt) >= slab.bornAt) return true;
    const owner = this.#index.get(row, rowField.owner);
    return owner !== 0 && this.#owners.readAt(owner) >= slab.bornAt;
  }

  #move(row: number, from: Slab, offset: number, recordBytes: number): void {
    if (!hasRoom(this.#head, recordBytes)) this.#head = this.#open(this.#slabBytes);
    const to = this.#head as Slab;
    to.bytes.set(from.bytes.subarray(offset, offset + recordBytes), to.usedBytes);
    this.#settle(row, to, recordBytes);
  }
}

function hasRoom(slab: Slab | undefined, recordBytes: number): boolean {
  return slab !== undefined && slab.usedBytes + recordBytes <= slab.bytes.length;
}

function liveShare(slab: Slab): number {
  return slab.liveBytes / slab.bytes.length;
}

function recordBytesAt(slab: Slab, offset: number): number {
  const keyBytes = slab.words[(offset >>> 2) + 1] as number;
  const valueBytes = Math.max(0, slab.words[(offset >>> 2) + 2] as number);
  return (headerBytes + keyBytes + valueBytes + 3) & ~3;
}
