import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeCqlValue } from '../../../values/cql-codec.ts';
import { writeCollection } from '../../../values/cql-elements.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { inOrder } from './bound-collection.ts';

const int: CqlType = { kind: 'int' };
const set: CqlType = { kind: 'set', element: int, frozen: true };

function intBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

test('a set that was bound in any order is the set', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), (elements) => {
      const bound = writeCollection(elements.map(intBytes), 1);
      const ordered = inOrder(set, bound);
      assert.deepEqual(ordered, encodeCqlValue(set, elements));
      assert.equal(inOrder(set, ordered), ordered);
    }),
  );
});

test('of equal keys of a map the last stays', () => {
  const map: CqlType = { kind: 'map', key: int, value: int, frozen: true };
  const bound = writeCollection([2, 20, 1, 10, 2, 21].map(intBytes), 2);
  assert.deepEqual(inOrder(map, bound), writeCollection([1, 10, 2, 21].map(intBytes), 2));
});

test('sets inside lists are put in order, those inside tuples are not', () => {
  const unordered = writeCollection([2, 1].map(intBytes), 1);
  const ordered = writeCollection([1, 2].map(intBytes), 1);
  const list: CqlType = { kind: 'list', element: set, frozen: true };
  assert.deepEqual(inOrder(list, writeCollection([unordered], 1)), writeCollection([ordered], 1));
  const tuples: CqlType = { kind: 'list', element: { kind: 'tuple', fields: [set] }, frozen: true };
  const bytes = writeCollection([Buffer.concat([intBytes(unordered.length), unordered])], 1);
  assert.equal(inOrder(tuples, bytes), bytes);
});
