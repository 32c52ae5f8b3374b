import type { ByteString } from '../../foundation/byte-string.ts';
import type { SortedRows } from '../storage-engine.ts';
import { BlockBuilder, type EncodedBlock } from './row-block.ts';

/** A slice goes to the row stores of all its nodes, which are in one process: its blocks are made once and live as long as it does. */
const made = new WeakMap<SortedRows, readonly EncodedBlock[]>();

export function encodedSlice(slice: SortedRows, blockBytes: number): readonly EncodedBlock[] {
  let blocks = made.get(slice);
  if (blocks === undefined) {
    blocks = encodeSlice(slice, blockBytes);
    made.set(slice, blocks);
  }
  return blocks;
}

function encodeSlice(slice: SortedRows, blockBytes: number): EncodedBlock[] {
  const builder = new BlockBuilder(blockBytes);
  const blocks: EncodedBlock[] = [];
  for (const row of slice) {
    const at = builder.add(row.key.length, row.isRemoval ? -1 : row.sizeBytes);
    row.copyTo(builder.bytes, at);
    if (builder.isFull) blocks.push(builder.finish());
  }
  if (!builder.isEmpty) blocks.push(builder.finish());
  return blocks;
}

const maxPartBytes = 64 * 1024;

export interface PlainRow {
  readonly key: ByteString;
  /** Null where it was removed. */
  readonly value: Buffer | null;
}

/** Rows in key order, a part at a time: each takes well under a millisecond to make. */
export function* encodedParts(
  rows: Iterable<PlainRow>,
  blockBytes: number,
): Generator<readonly EncodedBlock[]> {
  const builder = new BlockBuilder(blockBytes);
  let blocks: EncodedBlock[] = [];
  let partBytes = 0;
  for (const { key, value } of rows) {
    const at = builder.add(key.length, value === null ? -1 : value.length);
    builder.bytes.write(key, at, 'latin1');
    value?.copy(builder.bytes, at + key.length);
    if (!builder.isFull) continue;
    const block = builder.finish();
    blocks.push(block);
    partBytes += block.bytes.length;
    if (partBytes < maxPartBytes) continue;
    yield blocks;
    blocks = [];
    partBytes = 0;
  }
  if (!builder.isEmpty) blocks.push(builder.finish());
  if (blocks.length > 0) yield blocks;
}
