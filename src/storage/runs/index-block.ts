// An index block is a block of rows: the first key of a block → u48 where that block stands · u32 how long it is · u32 its CRC · its key
// filter, if it is a data block.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { mayHold } from './key-filter.ts';
import { type BlockBuilder, crcOf, type EncodedBlock, prefixOf, RowBlock } from './row-block.ts';

/** Of what stands before the filter. */
const placeBytes = 14;
/** What a string and a reference to it take beside its characters. */
const stringBytes = 28;

/** Where a block stands, and which one it is: a block of another place, whole in itself, is not taken for it. */
export class BlockPlace {
  readonly position: number;
  readonly sizeBytes: number;
  readonly crc: number;

  constructor(encoded: Buffer | undefined) {
    if (encoded === undefined || encoded.length < placeBytes) {
      throw new RingfoldError('corrupt-data', { what: 'the index of a run' });
    }
    this.position = encoded.readUIntBE(0, 6);
    this.sizeBytes = encoded.readUInt32BE(6);
    this.crc = encoded.readUInt32BE(10);
  }
}

export function addPlace(
  builder: BlockBuilder,
  block: EncodedBlock,
  position: number,
  filter?: Buffer,
): void {
  const { firstKey, bytes } = block;
  let at = builder.add(firstKey.length, placeBytes + (filter?.length ?? 0));
  at += firstKey.copy(builder.bytes, at);
  builder.bytes.writeUIntBE(position, at, 6);
  builder.bytes.writeUInt32BE(bytes.length, at + 6);
  builder.bytes.writeUInt32BE(crcOf(bytes), at + 10);
  filter?.copy(builder.bytes, at + placeBytes);
}

/**
 * The index of a run, or part of it, in memory. Most comparisons are of numbers, the first bytes of keys; where those are equal a key
 * becomes a string, once, since comparing bytes takes several times as long.
 */
export class IndexBlock {
  readonly #block: RowBlock;
  readonly #prefixes: Float64Array;
  /** For each entry where its filter begins and ends. */
  readonly #filters: Uint32Array;
  readonly #keys: (ByteString | undefined)[];
  /** What it takes in memory, about. */
  readonly sizeBytes: number;

  /** Throws when the bytes are not those of the block of this CRC. */
  constructor(bytes: Buffer, crc: number) {
    // It is kept for long, and what was read may be part of something larger.
    this.#block = new RowBlock(bytes.length < bytes.buffer.byteLength ? copyOf(bytes) : bytes, crc);
    const { rows } = this.#block;
    this.#prefixes = new Float64Array(rows);
    this.#filters = new Uint32Array(2 * rows);
    for (let entry = 0; entry < rows; entry++) {
      this.#prefixes[entry] = this.#block.prefixAt(entry);
      const { start, end } = this.#block.valueRangeAt(entry);
      this.#filters[2 * entry] = start + placeBytes;
      this.#filters[2 * entry + 1] = end;
    }
    this.#keys = new Array(rows).fill(undefined);
    const keyBytes = rows === 0 ? 0 : this.keyAt(0).length;
    this.sizeBytes =
      bytes.length + this.#prefixes.byteLength + this.#filters.byteLength + rows * (keyBytes + stringBytes);
  }

  /** How many blocks it tells of. */
  get entries(): number {
    return this.#keys.length;
  }

  /** The first key of the block that an entry tells of. */
  keyAt(entry: number): ByteString {
    let key = this.#keys[entry];
    if (key === undefined) {
      key = this.#block.keyAt(entry);
      this.#keys[entry] = key;
    }
    return key;
  }

  placeAt(entry: number): BlockPlace {
    return new BlockPlace(this.#block.valueAt(entry));
  }

  /** False when the data block that this entry tells of certainly has no key, or no position, of this hash. */
  mayHold(entry: number, hash: number): boolean {
    const filters = this.#filters;
    return mayHold(this.#block.bytes, filters[2 * entry] as number, filters[2 * entry + 1] as number, hash);
  }

  /** The first entry whose key is not below this one; the number of entries when there is none. */
  firstNotBelow(key: ByteString): number {
    const prefix = prefixOf(key);
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#prefixes[middle] as number;
      if (other < prefix || (other === prefix && this.keyAt(middle) < key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last entry whose key is not above this one; -1 when there is none. */
  floor(key: ByteString, prefix: number = prefixOf(key)): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#prefixes[middle] as number;
      if (other < prefix || (other === prefix && this.keyAt(middle) <= key)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
