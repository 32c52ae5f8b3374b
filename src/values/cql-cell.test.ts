import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addToCounter,
  type CqlCell,
  compareCells,
  compareLiveness,
  counterTotal,
  isLiveCell,
  type LiveCell,
  purgeCell,
} from './cql-cell.ts';

const live = (timestamp: bigint, value: string): LiveCell => ({
  kind: 'live',
  timestamp,
  expiry: undefined,
  value: Buffer.from(value),
});
const expiring = (timestamp: bigint, value: string, ttlSeconds: number, second: number): LiveCell => ({
  ...live(timestamp, value),
  expiry: { ttlSeconds, second },
});
const tombstone = (timestamp: bigint, second: number): CqlCell => ({ kind: 'tombstone', timestamp, second });

test('of two cells the one Cassandra keeps is kept', () => {
  const byRank: readonly CqlCell[] = [
    live(99n, 'z'),
    live(100n, 'a'),
    live(100n, 'b'),
    live(100n, 'ba'),
    expiring(100n, 'z', 5, 50),
    expiring(100n, 'z', 9, 60),
    expiring(100n, 'a', 1, 60),
    expiring(100n, 'b', 1, 60),
    tombstone(100n, 10),
    tombstone(100n, 20),
    live(101n, 'a'),
  ];
  for (const [at, left] of byRank.entries()) {
    for (const [other, right] of byRank.entries()) {
      assert.equal(Math.sign(compareCells(left, right)), Math.sign(at - other), `${at} against ${other}`);
    }
  }
});

test('of two row markers the later stays, then the expiring, the later second, the shorter TTL', () => {
  const byRank = [
    { timestamp: 1n, expiry: { ttlSeconds: 9, second: 99 } },
    { timestamp: 2n, expiry: undefined },
    { timestamp: 2n, expiry: { ttlSeconds: 5, second: 10 } },
    { timestamp: 2n, expiry: { ttlSeconds: 1, second: 10 } },
    { timestamp: 2n, expiry: { ttlSeconds: 9, second: 11 } },
  ];
  for (const [at, left] of byRank.entries()) {
    for (const [other, right] of byRank.entries()) {
      assert.equal(Math.sign(compareLiveness(left, right)), Math.sign(at - other), `${at} against ${other}`);
    }
  }
});

test('an expiring cell is live until its second begins', () => {
  const cell = expiring(1n, 'a', 10, 60);
  assert.equal(isLiveCell(cell, 59), true);
  assert.equal(isLiveCell(cell, 60), false);
  assert.equal(isLiveCell(tombstone(1n, 60), 59), false);
});

test('purging forgets old tombstones and makes expired cells into tombstones as old as their write', () => {
  assert.equal(purgeCell(tombstone(1n, 49), 100, 50), undefined);
  assert.deepEqual(purgeCell(tombstone(1n, 50), 100, 50), tombstone(1n, 50));
  assert.deepEqual(purgeCell(expiring(1n, 'a', 10, 80), 80, 70), tombstone(1n, 70));
  assert.equal(purgeCell(expiring(1n, 'a', 10, 80), 80, 71), undefined);
  const notYet = expiring(1n, 'a', 10, 80);
  assert.equal(purgeCell(notYet, 79, 1_000), notYet);
});

test('a counter adds up, from nothing, from a deleted one, and round the end of 64 bits', () => {
  const five = addToCounter(undefined, 5n, 1n);
  assert.equal(counterTotal(addToCounter(five, -7n, 2n)), -2n);
  assert.equal(counterTotal(addToCounter(tombstone(3n, 1), 1n, 4n)), 1n);
  assert.equal(counterTotal(addToCounter(addToCounter(undefined, 2n ** 63n - 1n, 1n), 1n, 2n)), -(2n ** 63n));
});
