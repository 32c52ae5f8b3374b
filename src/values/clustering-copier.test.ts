import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteString, byteStringOf, bytesOf } from '../foundation/byte-string.ts';
import { ClusteringCopier } from './clustering-copier.ts';
import type { NativeKind } from './cql-type.ts';
import { decodeClusteringKey, encodeClusteringKey } from './ordered-key.ts';

const lengths: Readonly<Partial<Record<NativeKind, number>>> = {
  tinyint: 1,
  smallint: 2,
  int: 4,
  date: 4,
  bigint: 8,
  timestamp: 8,
  time: 8,
  uuid: 16,
  timeuuid: 16,
};
const kinds: readonly NativeKind[] = [
  ...(['ascii', 'text', 'blob', 'inet', 'date', 'time', 'tinyint', 'smallint', 'int', 'bigint'] as const),
  ...(['timestamp', 'uuid', 'timeuuid'] as const),
];
const byte = fc.oneof(fc.constantFrom(0, 1, 0x10, 0x7f, 0x80, 0xfe, 0xff), fc.nat(255));

const anyBytes = bytes(0, 6).map(byteStringOf);

function bytes(minLength: number, maxLength: number): fc.Arbitrary<Buffer> {
  return fc.array(byte, { minLength, maxLength }).map((values) => Buffer.from(values));
}

const column = fc.tuple(fc.constantFrom(...kinds), fc.boolean()).chain(([kind, descending]) => {
  const length = lengths[kind];
  const value = length === undefined ? bytes(0, 6) : fc.oneof(bytes(length, length), bytes(0, 0));
  return fc.record({ column: fc.constant({ type: { kind }, descending }), value });
});

function copied(copier: ClusteringCopier, count: number): Buffer[] {
  return Array.from({ length: count }, (_, at) => {
    const target = Buffer.alloc(copier.lengthOf(at) + 2, 0xaa);
    copier.copy(at, target, 1);
    assert.equal(target.at(0), 0xaa);
    assert.equal(target.at(-1), 0xaa, 'nothing is written behind the value');
    return target.subarray(1, -1);
  });
}

test('what is copied out of a key is what decoding it gives, wherever in a stored key it begins', () => {
  fc.assert(
    fc.property(
      fc.array(column, { minLength: 1, maxLength: 4 }),
      anyBytes,
      anyBytes,
      (parts, before, behind) => {
        const columns = parts.map((part) => part.column);
        const values = parts.map((part) => part.value);
        const key = encodeClusteringKey(columns, values);
        const copier = ClusteringCopier.of(columns);
        assert.ok(copier !== undefined);
        const stored = bytesOf((before + key + behind) as ByteString);
        const isTaken = copier.load(stored, before.length, before.length + key.length);
        // A zero byte is escaped in the key, and only then is the value not as it stands there.
        const isEscaped = parts.some(
          (part) => lengths[part.column.type.kind] === undefined && part.value.includes(0),
        );
        assert.equal(isTaken, !isEscaped);
        if (isTaken) assert.deepEqual(copied(copier, columns.length), decodeClusteringKey(columns, key));
      },
    ),
    { numRuns: 500 },
  );
});

test('types whose keys must be decoded have no copier, and what is no key of the columns is not taken', () => {
  const ascending = (kind: NativeKind) => ({ type: { kind }, descending: false });
  assert.equal(ClusteringCopier.of([ascending('int'), ascending('decimal')]), undefined);
  const copier = ClusteringCopier.of([ascending('int'), ascending('text')]);
  for (const key of [
    '',
    '\x03\x80\0\0',
    '\x03\x80\0\0\x01',
    '\x01',
    '\x03\x80\0\0\x01\x03ab\0',
    '\x02\x02\0',
  ])
    assert.equal(copier?.load(bytesOf(key as ByteString), 0, key.length), false);
  assert.equal(copier?.load(Buffer.of(2, 2), 0, 2), true);
  assert.equal(copier?.load(Buffer.of(2, 2), 0, 1), false, 'what lies behind the key is not of it');
});
