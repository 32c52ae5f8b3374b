import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Leisure } from './leisure.ts';

/** A hundredth of a core, and 10 ms ahead of it. */
function atTime(): { leisure: Leisure; wait: (ms: number) => void } {
  let nowMs = 1_000;
  return { leisure: new Leisure({ monotonic: () => nowMs }, 0.01, 10), wait: (ms) => (nowMs += ms) };
}

test('work that was saved for needs no rest', () => {
  const { leisure } = atTime();
  assert.equal(leisure.restAfter(6), 0);
  assert.equal(leisure.restAfter(4), 0);
});

test('beyond that a rest is as long as makes the work its share of the time', () => {
  const { leisure, wait } = atTime();
  assert.equal(leisure.restAfter(15), 500);
  wait(500);
  assert.equal(leisure.restAfter(2), 200);
});

test('however long nothing was done, no more is saved than there may be', () => {
  const { leisure, wait } = atTime();
  leisure.restAfter(10);
  wait(1_000_000);
  assert.equal(leisure.restAfter(15), 500);
});

test('time that the work took because it waited for others is not added to the rest', () => {
  const { leisure, wait } = atTime();
  leisure.restAfter(10);
  wait(400);
  assert.equal(leisure.restAfter(7), 300);
});

test('short rests are put off until they are one long rest', () => {
  const { leisure, wait } = atTime();
  leisure.restAfter(10);
  assert.equal(leisure.restAfter(1), 0);
  wait(10);
  assert.equal(leisure.restAfter(2), 290);
});
