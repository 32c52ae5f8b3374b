import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResourceTokens } from './resource-tokens.ts';

const tokens = new ResourceTokens(Buffer.alloc(32, 1));
const grant = { mode: 'read', resource: 'dbs/a==/colls/b=', partitionKey: '["p"]' } as const;
const nowMs = Date.UTC(2026, 10, 16);

function signatureOf(token: string): string {
  assert.match(token, /^type=resource&ver=1&sig=[^;]+;[^;]+;$/);
  return token.slice(token.indexOf('&sig=') + '&sig='.length);
}

test('a token says what its permission says, until its time is over', () => {
  const signature = signatureOf(tokens.mint(grant, nowMs, 60));
  assert.deepEqual(tokens.verify(signature, nowMs + 60_000), { kind: 'resource-token', ...grant });
  assert.throws(() => tokens.verify(signature, nowMs + 60_001), { code: 'forbidden' });
});

test('tokens of another account, and what is none, are refused', () => {
  const other = new ResourceTokens(Buffer.alloc(32, 2));
  assert.throws(() => other.verify(signatureOf(tokens.mint(grant, nowMs, 60)), nowMs), {
    code: 'bad-signature',
  });
  for (const text of ['', ';', ';;', 'a;b;', 'AAAA', '=;='])
    assert.throws(() => tokens.verify(text, nowMs), { code: 'bad-signature' }, text);
});

test('no byte of a token can be another', () => {
  const signature = signatureOf(tokens.mint(grant, nowMs, 60));
  const end = signature.length - 1;
  for (let at = 0; at < end; at++) {
    const other = signature[at] === 'A' ? 'B' : 'A';
    const changed = `${signature.slice(0, at)}${other}${signature.slice(at + 1)}`;
    assert.throws(() => tokens.verify(changed, nowMs), { code: 'bad-signature' }, `at ${at}`);
  }
});
