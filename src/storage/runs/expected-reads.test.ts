import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteString } from '../../foundation/byte-string.ts';
import { ExpectedReads } from './expected-reads.ts';

const rangeOf = (container: number) => ({
  from: String.fromCharCode(0, 0, container >> 8, container & 0xff) as ByteString,
  to: '\xff' as ByteString,
});
const runOf = (rows: number, sizeBytes: number) => ({
  rows,
  record: { number: 1, sequence: 1, sizeBytes, crc: 0 },
});
const runs = [runOf(900, 900_000), runOf(100, 100_000)];

test('so much is expected of a store as the rows that are wanted take on average, and a little more', () => {
  const reads = new ExpectedReads();
  assert.equal(reads.shareOf(runs, rangeOf(1), { maxRows: 100, maxBytes: 10 ** 9 }), 0.125);
  assert.equal(reads.shareOf(runs, rangeOf(1), { maxRows: 10 ** 9, maxBytes: 40_000 }), 0.05);
  assert.equal(reads.shareOf(runs, rangeOf(1), { maxRows: 10 ** 9, maxBytes: 10 ** 9 }), 1);
  assert.equal(reads.shareOf([], rangeOf(1), { maxRows: 10, maxBytes: 10 }), 0);
  assert.equal(reads.shareOf([runOf(0, 50)], rangeOf(1), { maxRows: 10, maxBytes: 10 }), 0);
});

test('a container is known by the rows that were last read of it, if they were more than a few', () => {
  const reads = new ExpectedReads();
  const wanted = { maxRows: 100, maxBytes: 10 ** 9 };
  reads.note(rangeOf(1), 1_000, 40_000);
  reads.note(rangeOf(2), 15, 10 ** 6);
  assert.equal(reads.shareOf(runs, rangeOf(1), wanted), 0.005);
  assert.equal(reads.shareOf(runs, rangeOf(2), wanted), 0.125);
  reads.note(rangeOf(1), 16, 160_000);
  assert.equal(reads.shareOf(runs, rangeOf(1), wanted), 1);
});

test('of many containers those that were read last are known', () => {
  const reads = new ExpectedReads();
  const wanted = { maxRows: 100, maxBytes: 10 ** 9 };
  reads.note(rangeOf(1), 100, 1_000);
  reads.note(rangeOf(2), 100, 1_000);
  reads.note(rangeOf(1), 100, 1_000);
  for (let container = 3; container <= 1_001; container++) reads.note(rangeOf(container), 100, 1_000);
  assert.equal(reads.shareOf(runs, rangeOf(2), wanted), 0.125);
  assert.equal(reads.shareOf(runs, rangeOf(1), wanted), 0.00125);
});
