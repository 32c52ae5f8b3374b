import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteString } from '../foundation/byte-string.ts';
import { WalkedBefore } from './walked-before.ts';

test('a place is new the first time only, and is forgotten after ten thousand others', () => {
  const walked = new WalkedBefore();
  const place = (n: number) => `place ${n}` as ByteString;
  assert.deepEqual([walked.isAgain(place(0)), walked.isAgain(place(0))], [false, true]);
  for (let n = 1; n < 10_000; n++) assert.equal(walked.isAgain(place(n)), false);
  assert.equal(walked.isAgain(place(0)), true);
  assert.equal(walked.isAgain(place(10_000)), false);
  assert.equal(walked.isAgain(place(1)), false);
  assert.equal(walked.isAgain(place(0)), true);
});
