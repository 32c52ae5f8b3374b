import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonTextOf, parseJson } from './parse-json.ts';

const refusal = (cause?: unknown): Error => new Error('no JSON', { cause });

test('JSON is read, and its text stays as it came', () => {
  const bytes = Buffer.from(' {"a": 1.0} ');
  assert.deepEqual(parseJson(bytes, refusal), { a: 1 });
  assert.equal(jsonTextOf(bytes, refusal), ' {"a": 1.0} ');
});

test('what is no JSON is refused with the reason, and bytes that are no text as well', () => {
  const isRefused = (error: unknown) => error instanceof Error && error.message === 'no JSON';
  assert.throws(
    () => parseJson(Buffer.from('{'), refusal),
    (error) => isRefused(error) && (error as Error).cause instanceof SyntaxError,
  );
  assert.throws(() => jsonTextOf(Buffer.from([0x22, 0xff, 0x22]), refusal), isRefused);
});
