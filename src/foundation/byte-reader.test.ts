import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { ByteReader } from './byte-reader.ts';

const isCorrupt = (error: unknown) => error instanceof RingfoldError && error.code === 'corrupt-data';

test('numbers are read big-endian, one after another', () => {
  const reader = new ByteReader(Buffer.from('01020304050607ffffffff00000000000100000000000080', 'hex'));
  assert.equal(reader.u8(), 1);
  assert.equal(reader.u16(), 0x0203);
  assert.equal(reader.u32(), 0x04050607);
  assert.equal(reader.i32(), -1);
  assert.equal(reader.u48(), 1);
  assert.equal(reader.position, 17);
  assert.equal(reader.remaining, 7);
});

test('reading past the end is corrupt data, whatever is read', () => {
  const reads: ((reader: ByteReader) => unknown)[] = [
    (r) => r.u8(),
    (r) => r.u16(),
    (r) => r.u32(),
    (r) => r.i32(),
    (r) => r.u48(),
    (r) => r.u64(),
    (r) => r.i64(),
    (r) => r.double(),
    (r) => r.varint(),
    (r) => r.bytes(1),
    (r) => r.byteString(1),
  ];
  for (const read of reads) assert.throws(() => read(new ByteReader(Buffer.alloc(0))), isCorrupt);
  assert.throws(() => new ByteReader(Buffer.alloc(8), 0, 3).u32(), isCorrupt);
});

test('slices share memory with what is read', () => {
  const source = Buffer.from('abcdef');
  const reader = new ByteReader(source);
  const slice = reader.bytes(3);
  const rest = reader.rest();
  source.write('ABCDEF');
  assert.equal(slice.toString(), 'ABC');
  assert.equal(rest.toString(), 'DEF');
  reader.expectEnd();
});

test('bytes after the end are corrupt data', () => {
  assert.throws(() => new ByteReader(Buffer.alloc(1)).expectEnd(), isCorrupt);
});

test('a varint beyond the safe integers or longer than needed is corrupt data', () => {
  for (const hex of ['8000', 'ff00', 'ffffffffffffff1f', 'ffffffffffffffff7f', '8080808080808080']) {
    assert.throws(() => new ByteReader(Buffer.from(hex, 'hex')).varint(), isCorrupt, hex);
  }
  assert.throws(() => new ByteReader(Buffer.from('0020000000000000', 'hex')).u64(), isCorrupt);
});

test('random bytes read as something or are corrupt data', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (random) => {
      const bytes = Buffer.from(random);
      try {
        assert.ok(Number.isSafeInteger(new ByteReader(bytes).varint()));
      } catch (error) {
        assert.ok(isCorrupt(error));
      }
    }),
  );
});
