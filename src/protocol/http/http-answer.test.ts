import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { test } from 'node:test';
import { encodeAnswer, type HttpAnswer, headerLine } from './http-answer.ts';
import { reasonOf } from './status-reasons.ts';

const long = 'ä'.repeat(20_000);

function textOf(answer: HttpAnswer, how: { isHead?: boolean; isLast?: boolean } = {}): string {
  return Buffer.concat(encodeAnswer(answer, { isHead: false, isLast: false, ...how })).toString('utf8');
}

test('the length is that of the bytes, and an answer that has no body has no length', () => {
  assert.equal(
    textOf({ status: 200, lines: headerLine('x-a', 'b'), body: 'grün' }),
    'HTTP/1.1 200 OK\r\nx-a: b\r\ncontent-length: 5\r\nconnection: keep-alive\r\nkeep-alive: timeout=150\r\n\r\ngrün',
  );
  const bytes = Buffer.from('grün');
  assert.match(
    textOf({ status: 201, lines: '', body: bytes }),
    /^HTTP\/1\.1 201 Created\r\ncontent-length: 5\r\n.*\r\n\r\ngrün$/s,
  );
  assert.match(textOf({ status: 200, lines: '', body: undefined }), /\r\ncontent-length: 0\r\n/);
  for (const status of [204, 304])
    assert.doesNotMatch(textOf({ status, lines: '', body: undefined }), /content-length|transfer-encoding/i);
});

test('a long body is not copied and comes whole', () => {
  const body = Buffer.from(long);
  const parts = encodeAnswer({ status: 200, lines: '', body }, { isHead: false, isLast: false });
  assert.equal(parts.at(-1), body);
  assert.match(textOf({ status: 200, lines: '', body: long }), /content-length: 40000\r\n.*\r\n\r\nä+$/s);
});

test('HEAD is told the length of a body that it does not get', () => {
  assert.match(
    textOf({ status: 200, lines: '', body: 'grün' }, { isHead: true }),
    /content-length: 5\r\n.*\r\n\r\n$/s,
  );
});

test('the last answer of a connection says so', () => {
  const text = textOf({ status: 200, lines: '', body: 'a' }, { isLast: true });
  assert.match(text, /\r\nconnection: close\r\n\r\na$/);
  assert.doesNotMatch(text, /keep-alive/);
});

test('no value of a header can begin another line', () => {
  assert.equal(headerLine('a', 'b\r\nc: d\u{1f600}€ü\t~'), 'a: b??c: d??ü\t~\r\n');
});

test('reasons are those of the standard', () => {
  for (let status = 100; status < 600; status++)
    if (reasonOf(status) !== '' && status !== 449) assert.equal(reasonOf(status), STATUS_CODES[status]);
});
