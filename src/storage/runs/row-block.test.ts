import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { type ByteString, byteStringOf, bytesOf } from '../../foundation/byte-string.ts';
import { encodedParts, type PlainRow } from './encoded-rows.ts';
import { keyHash, mayHold } from './key-filter.ts';
import { BlockBuilder, crcOf, type EncodedBlock, RowBlock } from './row-block.ts';

const anyKey = fc.uint8Array({ maxLength: 4 }).map((bytes) => byteStringOf(bytes.map((byte) => byte & 0x83)));
const anyValue = fc.option(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)));
const anyRows = fc
  .uniqueArray(fc.record({ key: anyKey, value: anyValue }, { noNullPrototype: true }), {
    selector: ({ key }) => key,
    maxLength: 60,
  })
  .map((rows) => rows.toSorted((left, right) => (left.key < right.key ? -1 : 1)));

function oneBlock(rows: readonly PlainRow[]): EncodedBlock {
  const [block, ...others] = [...encodedParts(rows, 2 ** 20)].flat();
  assert.equal(others.length, 0);
  return block ?? new BlockBuilder(16).finish();
}

const opened = (bytes: Buffer): RowBlock => new RowBlock(bytes, crcOf(bytes));

function rowsOf(block: RowBlock): PlainRow[] {
  return Array.from({ length: block.rows }, (_, row) => ({
    key: block.keyAt(row),
    value: block.valueAt(row) ?? null,
  }));
}

const isCorrupt = (error: unknown): boolean =>
  error instanceof RingfoldError && error.code === 'corrupt-data';

test('rows are read from a block as they were put in, removals included', () => {
  const property = fc.property(anyRows, (rows) => {
    const encoded = oneBlock(rows);
    const block = opened(encoded.bytes);
    assert.deepEqual(rowsOf(block), rows);
    assert.equal(encoded.rows, rows.length);
    assert.equal(block.sizeBytes, encoded.bytes.length);
    for (const [row, { value }] of rows.entries()) assert.equal(block.isRemovalAt(row), value === null);
  });
  fc.assert(property);
});

test('rows are cut into blocks of about the size asked for, none lost, each with its first key and its filter', () => {
  const property = fc.property(anyRows, fc.integer({ min: 1, max: 200 }), (rows, blockBytes) => {
    const encoded = [...encodedParts(rows, blockBytes)].flat();
    const blocks = encoded.map(({ bytes }) => opened(bytes));
    assert.deepEqual(blocks.flatMap(rowsOf), rows);
    for (const [index, { firstKey, filter }] of encoded.entries()) {
      const block = blocks[index] as RowBlock;
      assert.equal(byteStringOf(firstKey), block.keyAt(0));
      for (const { key } of rowsOf(block)) {
        const bytes = bytesOf(key);
        assert.ok(mayHold(filter, 0, filter.length, keyHash(bytes, 0, bytes.length)));
      }
      // Without its last row a block was not full yet.
      const rowBytes = rowsOf(block).map(({ key, value }) => 8 + key.length + (value?.length ?? 0));
      assert.ok(rowBytes.slice(0, -1).reduce((sum, bytes) => sum + bytes, 0) < blockBytes);
    }
  });
  fc.assert(property);
});

test('searches agree with those in a sorted array', () => {
  const property = fc.property(anyRows, anyKey, (rows, wanted) => {
    const block = opened(oneBlock(rows).bytes);
    const keys = rows.map(({ key }) => key);
    for (const key of [wanted, ...keys]) {
      const notBelow = keys.findIndex((other) => other >= key);
      assert.equal(block.firstNotBelow(bytesOf(key)), notBelow === -1 ? keys.length : notBelow);
      assert.equal(block.floor(bytesOf(key)), keys.filter((other) => other <= key).length - 1);
      assert.equal(block.find(bytesOf(key)), keys.indexOf(key));
    }
  });
  fc.assert(property);
});

test('a row copied into another builder is the same row there', () => {
  const property = fc.property(anyRows, fc.array(fc.nat(59), { maxLength: 20 }), (rows, picks) => {
    const block = opened(oneBlock(rows).bytes);
    const chosen = [...new Set(picks)].filter((row) => row < rows.length).sort((a, b) => a - b);
    const builder = new BlockBuilder(8);
    for (const row of chosen) block.copyTo(builder, row);
    const copy = opened(builder.finish().bytes);
    assert.deepEqual(
      rowsOf(copy),
      chosen.map((row) => rows[row]),
    );
  });
  fc.assert(property);
});

test('every flipped bit and every cut is noticed', () => {
  const { bytes } = oneBlock([
    { key: 'a' as ByteString, value: Buffer.from('one') },
    { key: 'b' as ByteString, value: null },
    { key: 'c\xff' as ByteString, value: Buffer.alloc(0) },
  ]);
  const crc = crcOf(bytes);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7));
    assert.throws(() => new RowBlock(damaged, crc), isCorrupt, `bit ${bit}`);
  }
  for (let length = 0; length < bytes.length; length++)
    assert.throws(() => new RowBlock(bytes.subarray(0, length), crc), isCorrupt, `length ${length}`);
});

test('a whole block that is not the one expected is refused', () => {
  const { bytes } = oneBlock([{ key: 'a' as ByteString, value: Buffer.from('old') }]);
  const other = oneBlock([{ key: 'a' as ByteString, value: Buffer.from('new') }]);
  assert.throws(() => new RowBlock(bytes, crcOf(other.bytes)), isCorrupt);
});

test('a builder can be used again, also after a row far above its size', () => {
  const builder = new BlockBuilder(32);
  const large = Buffer.alloc(16 * 2 ** 20, 'large');
  for (const value of [Buffer.from('x'), large, Buffer.from('y')]) {
    const at = builder.add(1, value.length);
    builder.bytes.write('k', at, 'latin1');
    value.copy(builder.bytes, at + 1);
    const block = opened(builder.finish().bytes);
    assert.equal(block.rows, 1);
    assert.ok(block.valueAt(0)?.equals(value));
    assert.ok(builder.isEmpty && !builder.isFull);
  }
});
