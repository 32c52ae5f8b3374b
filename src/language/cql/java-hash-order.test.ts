import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hashOfBytes,
  hashOfColumnName,
  hashOfPair,
  hashOfText,
  inBucketOrder,
  inHashOrder,
} from './java-hash-order.ts';

test('hashes are those of Java', () => {
  assert.equal(hashOfText('hello'), 99_162_322);
  assert.equal(hashOfText(''), 0);
  assert.equal(hashOfText('polygenelubricants'), -2_147_483_648);
  assert.equal(hashOfColumnName('a'), 128);
});

test('columns come in the order in which Cassandra 5.0.5 complains of them', () => {
  assert.deepEqual(inHashOrder(['d', 'c'], hashOfColumnName), ['c', 'd']);
  assert.deepEqual(inHashOrder(['F', 'd', 'd'], hashOfColumnName), ['d', 'F']);
});

test('conditions are in the order in which Cassandra was seen to look at them', () => {
  const zero = Buffer.alloc(4);
  const one = Buffer.from([0, 0, 0, 1]);
  const hashes: readonly (readonly [string, number])[] = [
    ['t', hashOfPair(hashOfColumnName('t'), 0)],
    ['m[1]', hashOfPair(hashOfColumnName('m'), hashOfBytes(one))],
    ['l[0]', hashOfPair(hashOfColumnName('l'), hashOfBytes(zero))],
    ['a', hashOfPair(hashOfColumnName('a'), 0)],
    ['b', hashOfPair(hashOfColumnName('b'), 0)],
  ];
  const order = inBucketOrder(hashes, ([, hash]) => hash, hashes.length).map(([name]) => name);
  assert.equal(order[0], 'b');
  for (const later of ['t', 'm[1]', 'l[0]']) assert.ok(order.indexOf('a') < order.indexOf(later), later);
});
