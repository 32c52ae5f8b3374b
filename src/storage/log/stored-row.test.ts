import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteString, bytesOf } from '../../foundation/byte-string.ts';
import { isSound, StoredRow, storedRowOverheadBytes, valueOfStored, writeStored } from './stored-row.ts';

const bytes = fc.uint8Array({ maxLength: 40 });
const key = bytes.map((each) => Buffer.from(each).toString('latin1') as ByteString);
const lsn = fc.nat({ max: 2 ** 48 - 1 });

/** The row behind its key, with `before` bytes of others in front. */
function rowOf(own: ByteString, at: number, value: Uint8Array, before = 0): StoredRow {
  const storedAt = before + own.length;
  const end = storedAt + value.length + storedRowOverheadBytes;
  const chunk = Buffer.alloc(end + 5, 0xee);
  bytesOf(own).copy(chunk, before);
  writeStored(chunk, before, storedAt, at, value);
  return new StoredRow(own, chunk, storedAt, end);
}

test('a row gives back its key and its value, and is sound', () => {
  fc.assert(
    fc.property(key, lsn, bytes, fc.nat({ max: 9 }), (own, at, value, before) => {
      const row = rowOf(own, at, value, before);
      assert(row.stored !== undefined && row.value !== null);
      assert(row.keyBytes.equals(bytesOf(own)));
      assert(row.value.equals(value) && valueOfStored(row.stored).equals(value));
      assert.equal(row.sizeBytes, row.stored.length);
      assert.equal(isSound(row.keyBytes, row.stored), true);
    }),
  );
});

test('a removal has a key, and neither value nor stored form', () => {
  const row = new StoredRow('key' as ByteString, Buffer.from('..key'), 5, 5);
  assert.deepEqual(
    [row.isRemoval, row.value, row.stored, row.sizeBytes, row.keyBytes.toString()],
    [true, null, undefined, 0, 'key'],
  );
});

test('a row with an empty value is no removal', () => {
  const row = rowOf('key' as ByteString, 1, new Uint8Array());
  assert.deepEqual([row.isRemoval, row.value?.length], [false, 0]);
});

test('a stored row is sound under no other key', () => {
  fc.assert(
    fc.property(key, key, lsn, bytes, (own, other, at, value) => {
      fc.pre(own !== other);
      const { stored } = rowOf(own, at, value);
      assert(stored !== undefined);
      assert.equal(isSound(bytesOf(other), stored), false);
    }),
  );
});

test('any flipped bit of a stored row, and any cut of it, is noticed', () => {
  const row = rowOf('some key' as ByteString, 77, Buffer.from('some value'));
  const { stored, keyBytes } = row;
  assert(stored !== undefined);
  for (let bit = 0; bit < stored.length * 8; bit++) {
    const flipped: Buffer = Buffer.from(stored);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    assert.equal(isSound(keyBytes, flipped), false, `bit ${bit}`);
  }
  for (let length = 0; length < stored.length; length++) {
    assert.equal(isSound(keyBytes, stored.subarray(0, length)), false, `length ${length}`);
  }
});
