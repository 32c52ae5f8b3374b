import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, errorKinds } from '../../errors/error-codes.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { errorResponse, errorRows } from './error-responses.ts';

const activityId = '00000000-0000-0000-0000-000000000001';

interface Body {
  readonly code: string;
  readonly message: string;
  readonly additionalErrorInfo?: string;
}

function bodyOf(error: unknown): Body {
  return JSON.parse(String(errorResponse(error, activityId).body)) as Body;
}

test('every failure has a JSON body with a code word and a message that names the request', () => {
  for (const code of Object.keys(errorKinds) as ErrorCode[]) {
    const { status, headers } = errorResponse(new RingfoldError(code), activityId);
    assert.equal(status, errorRows[code].status);
    assert.match(headers['x-ms-substatus'] ?? '', /^\d+$/);
    const { code: word, message } = bodyOf(new RingfoldError(code));
    assert.match(word, /^[A-Z][A-Za-z]+$/);
    assert.match(message, new RegExp(`\\r\\nActivityId: ${activityId}, `));
    assert.ok(message.length > 60, code);
  }
});

test('codes that a caller can mend are never told as the fault of the server, nor the other way round', () => {
  for (const [code, { fault, retry }] of Object.entries(errorKinds)) {
    const { status } = errorRows[code as ErrorCode];
    if (fault === 'caller' && !retry && !code.startsWith('data-directory') && code !== 'unknown-format')
      assert.ok(status < 500 || status === 501, code);
    if (fault === 'disk') assert.ok(status >= 500, code);
  }
});

test('a reason in the service’s words is what clients read, wrapped as the service does', () => {
  assert.match(
    bodyOf(new RingfoldError('unique-key-violation', { reason: 'Taken.' })).message,
    /^Message: {"Errors":\["Taken\."\]}\r\n/,
  );
  assert.match(bodyOf(new RingfoldError('bad-request', { reason: 'Plain.' })).message, /^Plain\.\r\n/);
});

test('that an item is missing, there already or another version is said plainly, as the gateway does', () => {
  for (const code of ['item-not-found', 'item-exists', 'etag-mismatch'] as const)
    assert.match(bodyOf(new RingfoldError(code, { reason: 'Words.' })).message, /^Words\.\r\n/);
  const ofDefinition = bodyOf(new RingfoldError('etag-mismatch')).message;
  assert.match(ofDefinition, /^Message: {"Errors":\["One of the specified pre-condition is not met/);
});

test('what is wrong with a continuation is said after the service’s words for it', () => {
  const { message } = bodyOf(new RingfoldError('bad-page-token', { reason: 'it is damaged' }));
  assert.match(message, /^Invalid Continuation Token: it is damaged\.\r\n/);
});

test('a failure of the language shows its list of errors', () => {
  const errors = [{ severity: 'Error', code: 'SC1001', message: 'Syntax error' }];
  assert.match(
    bodyOf(new RingfoldError('sql-syntax', { reason: 'x', errors })).message,
    /^Message: {"errors":\[{"severity":"Error","code":"SC1001"/,
  );
});

test('how long to wait, what was spent, and what a query would be divided into are told', () => {
  const details = { retryAfterMs: 12, chargeRu: 3.5, additionalErrorInfo: '{}' };
  const { headers } = errorResponse(new RingfoldError('throughput-exceeded', details), activityId);
  assert.equal(headers['x-ms-retry-after-ms'], '12');
  assert.equal(headers['x-ms-request-charge'], '3.5');
  assert.equal(headers['x-ms-substatus'], '3200');
  assert.equal(bodyOf(new RingfoldError('cross-partition-query', details)).additionalErrorInfo, '{}');
});

test('a split or merge that cannot be waited for is 410/1007, and writes that keep meeting others are 449', () => {
  const busy = errorResponse(new RingfoldError('partition-busy'), activityId);
  assert.deepEqual([busy.status, busy.headers['x-ms-substatus']], [410, '1007']);
  assert.equal(bodyOf(new RingfoldError('partition-busy')).code, 'Gone');
  const contended = errorResponse(new RingfoldError('write-contention'), activityId);
  assert.equal(contended.status, 449);
  assert.equal(bodyOf(new RingfoldError('write-contention')).code, 'RetryWith');
});

test('a refusal by HTTP keeps its status; what nobody foresaw is 500 and tells nothing of itself', () => {
  const refused = errorResponse(new HttpRefusal(405, 'No.', { allow: 'GET' }), activityId);
  assert.equal(refused.status, 405);
  assert.equal(refused.headers['allow'], 'GET');
  const unforeseen = errorResponse(new TypeError('secret'), activityId);
  assert.equal(unforeseen.status, 500);
  assert.doesNotMatch(String(unforeseen.body), /secret/);
});
