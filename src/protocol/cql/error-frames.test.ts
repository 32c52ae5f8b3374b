import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, errorKinds } from '../../errors/error-codes.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { errorMessageOf } from './error-frames.ts';
import { writeErrorMessage } from './messages/error-message.ts';
import { ResponseWriter } from './response-writer.ts';

const request = { consistency: 'QUORUM', writeType: 'SIMPLE' } as const;

test('every code can be said in every version', () => {
  for (const code of Object.keys(errorKinds) as ErrorCode[]) {
    for (const version of [3, 4, 5] as const) {
      const out = new ResponseWriter(version);
      writeErrorMessage(out, 0, errorMessageOf(new RingfoldError(code), request));
      assert.ok(out.pendingBytes > 9);
    }
  }
});

test('a refusal for want of request units has what the retry policies of Cosmos look for', () => {
  const details = { retryAfterMs: 12.3, physicalPartition: 2, budgetRuPerSecond: 400, cause: 'budget' };
  const { error, message } = errorMessageOf(new RingfoldError('throughput-exceeded', details), request);
  assert.equal(error, 'overloaded');
  const [uuid] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(message) ?? [];
  assert.ok(
    message.startsWith(`Request rate is large: ActivityID=${uuid}, RetryAfterMs=13, Additional details='`),
  );
  const waits = message.split(',').map((part) => part.split('='));
  assert.ok(
    waits.some(
      ([key, value, ...rest]) => key?.trim() === 'RetryAfterMs' && value === '13' && rest.length === 0,
    ),
  );
});

test('errors have the fields that drivers read', () => {
  assert.deepEqual(errorMessageOf(new RingfoldError('too-few-replicas', { level: 2, needed: 3 }), request), {
    error: 'unavailable',
    message: 'Cannot achieve consistency level QUORUM',
    consistency: 'QUORUM',
    required: 3,
    alive: 2,
  });
  const lightweight = { ...request, writeType: 'CAS' } as const;
  assert.deepEqual(errorMessageOf(new RingfoldError('outcome-unknown'), lightweight), {
    error: 'write-timeout',
    message: 'Operation timed out - received only 0 responses.',
    consistency: 'QUORUM',
    received: 0,
    required: 3,
    writeType: 'CAS',
    contentions: 0,
  });
  const exists = new RingfoldError('cql-already-exists', { reason: 'r', keyspace: 'ks', table: 't' });
  assert.deepEqual(errorMessageOf(exists, request), {
    error: 'already-exists',
    message: 'r',
    keyspace: 'ks',
    table: 't',
  });
});
