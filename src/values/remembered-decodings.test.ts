import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RememberedDecodings } from './remembered-decodings.ts';

class Counted {
  decoded = 0;
  readonly remembered = new RememberedDecodings((bytes: Buffer) => {
    this.decoded += 1;
    return { first: bytes.readUInt8(0), bytes };
  });
}

test('the same large bytes are decoded once, and others anew', () => {
  const counted = new Counted();
  const bytes = Buffer.alloc(5_000, 1);
  const first = counted.remembered.of(bytes);
  assert.equal(counted.remembered.of(Buffer.from(bytes)), first);
  assert.equal(counted.decoded, 1);
  bytes.fill(2);
  assert.equal(counted.remembered.of(bytes).first, 2);
  assert.equal(first.first, 1);
  assert.equal(
    first.bytes.readUInt8(4_999),
    1,
    'what is remembered does not change with the bytes it came from',
  );
  assert.equal(counted.decoded, 2);
});

test('small ones are not remembered, and of large ones only the last few', () => {
  const counted = new Counted();
  for (let turn = 0; turn < 3; turn++) counted.remembered.of(Buffer.alloc(10));
  assert.equal(counted.decoded, 3);
  for (let byte = 0; byte < 9; byte++) counted.remembered.of(Buffer.alloc(5_000, byte));
  counted.decoded = 0;
  counted.remembered.of(Buffer.alloc(5_000, 8));
  assert.equal(counted.decoded, 0);
  counted.remembered.of(Buffer.alloc(5_000, 0));
  assert.equal(counted.decoded, 1);
  counted.remembered.of(Buffer.alloc(9 * 2 ** 20));
  counted.remembered.of(Buffer.alloc(5_000, 8));
  assert.equal(counted.decoded, 3, 'one that is too large pushes out all, itself too');
});
