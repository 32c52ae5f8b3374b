import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader } from './byte-reader.ts';
import { byteStringOf } from './byte-string.ts';
import { ByteWriter } from './byte-writer.ts';

test('what was written is read back, at any starting capacity', () => {
  const field = fc.oneof(
    fc.record({ kind: fc.constant('u8' as const), value: fc.nat(0xff) }),
    fc.record({ kind: fc.constant('u16' as const), value: fc.nat(0xffff) }),
    fc.record({ kind: fc.constant('u32' as const), value: fc.nat(0xffffffff) }),
    fc.record({ kind: fc.constant('i32' as const), value: fc.integer() }),
    fc.record({ kind: fc.constant('u48' as const), value: fc.maxSafeNat().map((n) => n % 2 ** 48) }),
    fc.record({ kind: fc.constant('u64' as const), value: fc.maxSafeNat() }),
    fc.record({ kind: fc.constant('varint' as const), value: fc.maxSafeNat() }),
    fc.record({ kind: fc.constant('double' as const), value: fc.double() }),
    fc.record({ kind: fc.constant('i64' as const), value: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n) }),
  );
  fc.assert(
    fc.property(fc.array(field), fc.uint8Array(), fc.nat(20), (fields, tail, capacity) => {
      const writer = new ByteWriter(capacity);
      for (const { kind, value } of fields) {
        if (kind === 'i64') writer.i64(value);
        else writer[kind](value);
      }
      writer.bytes(tail);
      writer.byteString(byteStringOf(tail));
      const reader = new ByteReader(writer.toBuffer());
      for (const { kind, value } of fields) assert.equal(reader[kind](), value);
      assert.deepEqual(reader.bytes(tail.length), Buffer.from(tail));
      assert.equal(reader.byteString(tail.length), byteStringOf(tail));
      reader.expectEnd();
    }),
  );
});

test('a varint takes one byte below 128 and eight at the largest safe integer', () => {
  for (const [value, length] of [
    [0, 1],
    [127, 1],
    [128, 2],
    [16_383, 2],
    [16_384, 3],
    [2 ** 32, 5],
    [Number.MAX_SAFE_INTEGER, 8],
  ] as const) {
    const writer = new ByteWriter();
    writer.varint(value);
    assert.equal(writer.length, length);
    assert.equal(new ByteReader(writer.take()).varint(), value);
  }
});

test('what was taken stays as it is while the writer goes on', () => {
  const writer = new ByteWriter(4);
  writer.u32(1);
  const first = writer.take();
  writer.u32(2);
  assert.equal(writer.length, 4);
  assert.deepEqual([first.readUInt32BE(), writer.toBuffer().readUInt32BE()], [1, 2]);
});

test('a length can be filled in afterwards, within what was written', () => {
  const writer = new ByteWriter();
  writer.u32(0);
  writer.u8(9);
  writer.setU32(0, 0xdeadbeef);
  assert.equal(writer.toBuffer().toString('hex'), 'deadbeef09');
  assert.throws(() => writer.setU32(2, 0));
});

test('numbers that do not fit are refused', () => {
  const writer = new ByteWriter();
  for (const value of [-1, 0.5, 2 ** 53, Number.NaN]) {
    assert.throws(() => writer.varint(value));
    assert.throws(() => writer.u64(value));
  }
});
