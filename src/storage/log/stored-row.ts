import { crc32 } from 'node:zlib';
import type { ByteString } from '../../foundation/byte-string.ts';
import { LaidRow } from '../laid-row.ts';

const lsnBytes = 6;
const crcBytes = 4;
/** What a stored row adds to its value: its LSN before, a CRC over key, LSN and value behind. */
export const storedRowOverheadBytes: number = lsnBytes + crcBytes;

/**
 * A row, or its removal, where it stands in a log entry: the key and right behind it what a row store keeps. Nothing is copied,
 * and no view of the bytes is made before somebody looks: thousands of these wait in memtables, and each view would be an object
 * more for the garbage collector.
 */
export class StoredRow {
  readonly key: ByteString;
  readonly #chunk: Buffer;
  /** Where the key ends and the stored form begins. */
  readonly #start: number;
  /** Equal to the start where the row was removed. */
  readonly #end: number;

  constructor(key: ByteString, chunk: Buffer, start: number, end: number) {
    this.key = key;
    this.#chunk = chunk;
    this.#start = start;
    this.#end = end;
  }

  get isRemoval(): boolean {
    return this.#end === this.#start;
  }

  /** Of the stored form alone. */
  get sizeBytes(): number {
    return this.#end - this.#start;
  }

  /** Puts the key and right behind it the stored form, if there is one. */
  copyTo(target: Buffer, at: number): void {
    this.#chunk.copy(target, at, this.#start - this.key.length, this.#end);
  }

  get keyBytes(): Buffer {
    return this.#chunk.subarray(this.#start - this.key.length, this.#start);
  }

  /** As a row store keeps it; undefined for a removal. */
  get stored(): Buffer | undefined {
    return this.isRemoval ? undefined : this.#chunk.subarray(this.#start, this.#end);
  }

  get value(): Buffer | null {
    return this.isRemoval ? null : this.#chunk.subarray(this.#start + lsnBytes, this.#end - crcBytes);
  }
}

/** The value inside a stored row. */
export function valueOfStored(stored: Buffer): Buffer {
  return stored.subarray(lsnBytes, stored.length - crcBytes);
}

/** The same where it lies. */
export function valueRowOf({ key, memory, valueAt, valueEnd }: LaidRow): LaidRow {
  return new LaidRow(key, memory, valueAt + lsnBytes, valueEnd - crcBytes);
}

/** Writes the stored form behind its key, which stands at `keyAt`. */
export function writeStored(
  target: Buffer,
  keyAt: number,
  storedAt: number,
  lsn: number,
  value: Uint8Array,
): void {
  target.writeUIntBE(lsn, storedAt, lsnBytes);
  target.set(value, storedAt + lsnBytes);
  const crcAt = storedAt + lsnBytes + value.length;
  target.writeUInt32BE(crc32(target.subarray(keyAt, crcAt)), crcAt);
}

/** A row store gave a row that is not what was written. The rest of it may be sound, so only the row is mended. */
export class UnsoundRowError extends Error {
  constructor() {
    super('a stored row fails its checksum');
    this.name = 'UnsoundRowError';
  }
}

/** Whether a stored row is what was written under this key. */
export function isSound(key: Buffer, stored: Buffer): boolean {
  if (stored.length < storedRowOverheadBytes) return false;
  const crcAt = stored.length - crcBytes;
  return crc32(stored.subarray(0, crcAt), crc32(key)) === stored.readUInt32BE(crcAt);
}
