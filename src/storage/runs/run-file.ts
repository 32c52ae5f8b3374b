// A run: rows in key order in one file that is written once, from front to back, and never changed.
//
//   data blocks, and among them index blocks, each behind the data blocks it tells of · root block · footer
//
// The root tells of the index blocks as they tell of data blocks, without filters. The footer says where the root is.

import { crc32 } from 'node:zlib';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { AppendFile, ReadFile } from '../disk.ts';
import { addPlace, BlockPlace, IndexBlock } from './index-block.ts';
import { BlockBuilder, crcOf, type EncodedBlock, RowBlock } from './row-block.ts';

const magic = 0x52_46_52_31; // "RFR1"
const footerBytes = 28;
/** Tells of about 120 data blocks, half a megabyte. What a look-up reads where the index is not in memory, so not more. */
const indexBlockBytes = 16 * 1024;

/** A run as it was written. */
export interface WrittenRun {
  readonly sizeBytes: number;
  readonly rows: number;
  /** Of the root, and through it of everything: runs with the same rows have the same. */
  readonly crc: number;
}

/** Made durable so often, so that the disk never has to take much at once while a log waits behind it. */
const syncBytes = 2 ** 20;

export class RunWriter {
  readonly #file: Pick<AppendFile, 'append' | 'sync' | 'sizeBytes'>;
  readonly #index = new BlockBuilder(indexBlockBytes);
  readonly #root = new BlockBuilder(indexBlockBytes);
  #rows = 0;
  #syncedBytes = 0;

  /** The file must be empty. */
  constructor(file: Pick<AppendFile, 'append' | 'sync' | 'sizeBytes'>) {
    this.#file = file;
  }

  async append(blocks: readonly EncodedBlock[]): Promise<void> {
    const parts: Buffer[] = [];
    let position = this.#file.sizeBytes;
    for (const block of blocks) {
      parts.push(block.bytes);
      addPlace(this.#index, block, position, block.filter);
      position += block.bytes.length;
      this.#rows += block.rows;
      if (!this.#index.isFull) continue;
      const index = this.#index.finish();
      parts.push(index.bytes);
      addPlace(this.#root, index, position);
      position += index.bytes.length;
    }
    if (parts.length === 0) return;
    await this.#file.append(parts);
    if (this.#file.sizeBytes - this.#syncedBytes < syncBytes) return;
    this.#syncedBytes = this.#file.sizeBytes;
    await this.#file.sync();
  }

  /** Writes what is left and makes all of it durable. */
  async finish(): Promise<WrittenRun> {
    const parts: Buffer[] = [];
    let position = this.#file.sizeBytes;
    if (!this.#index.isEmpty) {
      const index = this.#index.finish();
      parts.push(index.bytes);
      addPlace(this.#root, index, position);
      position += index.bytes.length;
    }
    const root = this.#root.finish();
    const footer = Buffer.alloc(footerBytes);
    footer.writeUIntBE(position, 0, 6);
    footer.writeUInt32BE(root.bytes.length, 6);
    footer.writeUInt32BE(crcOf(root.bytes), 10);
    footer.writeUIntBE(this.#rows, 14, 6);
    footer.writeUInt32BE(magic, 20);
    footer.writeUInt32BE(crc32(footer.subarray(0, 24)), 24);
    await this.#file.append([...parts, root.bytes, footer]);
    await this.#file.sync();
    return { sizeBytes: this.#file.sizeBytes, rows: this.#rows, crc: crcOf(root.bytes) };
  }
}

export interface RunRoot {
  readonly index: IndexBlock;
  readonly rows: number;
}

/** Throws when it is not the run with this CRC. */
export async function readRoot(file: ReadFile, sizeBytes: number, crc: number): Promise<RunRoot> {
  const bad = () => new RingfoldError('corrupt-data', { what: 'the footer of a run' });
  if (sizeBytes < footerBytes) throw bad();
  const footer = await file.readAt(sizeBytes - footerBytes, footerBytes);
  if (crc32(footer.subarray(0, 24)) !== footer.readUInt32BE(24) || footer.readUInt32BE(20) !== magic) {
    throw bad();
  }
  const place = new BlockPlace(footer);
  if (place.crc !== crc) throw bad();
  return { index: await readIndexBlock(file, place), rows: footer.readUIntBE(14, 6) };
}

export async function readBlock(file: ReadFile, place: BlockPlace): Promise<RowBlock> {
  return new RowBlock(await file.readAt(place.position, place.sizeBytes), place.crc);
}

export async function readIndexBlock(file: ReadFile, place: BlockPlace): Promise<IndexBlock> {
  return new IndexBlock(await file.readAt(place.position, place.sizeBytes), place.crc);
}
