import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { type ByteString, byteStringOf, bytesOf } from '../../foundation/byte-string.ts';
import { encodedParts } from './encoded-rows.ts';
import { addPlace, IndexBlock } from './index-block.ts';
import { keyHash } from './key-filter.ts';
import { BlockBuilder, crcOf, type EncodedBlock } from './row-block.ts';

// Some alike in more bytes than are compared as a number.
const anyKey = fc
  .uint8Array({ maxLength: 8 })
  .map((bytes) => byteStringOf(bytes.map((byte, at) => byte & (at < 5 ? 0x80 : 0x83))));
const anyKeys = fc
  .uniqueArray(anyKey, { minLength: 1, maxLength: 60 })
  .map((keys) => keys.sort((left, right) => (left < right ? -1 : 1)));

/** Blocks of a few rows, and the index that tells of them. */
function indexOf(keys: readonly ByteString[]): { index: IndexBlock; blocks: EncodedBlock[]; bytes: Buffer } {
  const rows = keys.map((key) => ({ key, value: Buffer.from('value') }));
  const blocks = [...encodedParts(rows, 40)].flat();
  const builder = new BlockBuilder(64);
  for (const [at, block] of blocks.entries()) addPlace(builder, block, at * 2 ** 33, block.filter);
  const { bytes } = builder.finish();
  return { index: new IndexBlock(bytes, crcOf(bytes)), blocks, bytes };
}

test('an index block finds what a list of its keys finds', () => {
  const property = fc.property(anyKeys, fc.array(anyKey), (keys, others) => {
    const { index, blocks } = indexOf(keys);
    const firsts = blocks.map(({ firstKey }) => byteStringOf(firstKey));
    assert.equal(index.entries, firsts.length);
    for (const key of [...keys, ...others, '' as ByteString]) {
      assert.equal(
        index.floor(key),
        firsts.findLastIndex((first) => first <= key),
      );
      assert.equal(index.firstNotBelow(key), firsts.filter((first) => first < key).length);
    }
    assert.deepEqual(
      firsts.map((_, entry) => index.keyAt(entry)),
      firsts,
    );
  });
  fc.assert(property);
});

test('an entry tells where its block stands, and holds every key of it', () => {
  const property = fc.property(anyKeys, (keys) => {
    const { index, blocks } = indexOf(keys);
    for (const [entry, block] of blocks.entries()) {
      const { position, sizeBytes, crc } = index.placeAt(entry);
      assert.deepEqual(
        { position, sizeBytes, crc },
        { position: entry * 2 ** 33, sizeBytes: block.bytes.length, crc: crcOf(block.bytes) },
      );
    }
    for (const key of keys) {
      const bytes = bytesOf(key);
      assert.ok(index.mayHold(index.floor(key), keyHash(bytes, 0, bytes.length)));
    }
  });
  fc.assert(property);
});

test('an index block keeps nothing of what it was read with', () => {
  const { bytes } = indexOf(['a' as ByteString, 'b' as ByteString]);
  const large = Buffer.concat([Buffer.alloc(100), bytes, Buffer.alloc(100)]);
  const index = new IndexBlock(large.subarray(100, 100 + bytes.length), crcOf(bytes));
  large.fill(0xff);
  assert.equal(index.keyAt(0), 'a');
  assert.ok(index.sizeBytes > bytes.length);
});

test('a damaged index block is refused', () => {
  const { bytes } = indexOf(['a' as ByteString, 'b' as ByteString]);
  const crc = crcOf(bytes);
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] as number) ^ 4;
    assert.throws(
      () => new IndexBlock(damaged, crc),
      (error) => error instanceof RingfoldError && error.code === 'corrupt-data',
    );
  }
});
