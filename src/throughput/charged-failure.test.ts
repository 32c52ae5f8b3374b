import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { chargedFailure, chargeOfFailure } from './charged-failure.ts';
import { fromHundredths } from './request-units.ts';

test('a failure tells what was spent, all of it, and stays what it was', () => {
  const failure = new RingfoldError('bad-request', { reason: 'no' });
  const once = chargedFailure(failure, fromHundredths(110));
  const twice = chargedFailure(once, fromHundredths(220));
  assert.equal(chargeOfFailure(twice), 3.3);
  assert.ok(twice instanceof RingfoldError);
  assert.deepEqual([twice.code, twice.details['reason']], ['bad-request', 'no']);
});

test('a failure before any work, and what is no failure of ours, stay as they are', () => {
  const failure = new RingfoldError('bad-request');
  assert.equal(chargedFailure(failure, fromHundredths(0)), failure);
  assert.equal(chargeOfFailure(failure), 0);
  const bug = new TypeError('a bug');
  assert.equal(chargedFailure(bug, fromHundredths(100)), bug);
});
