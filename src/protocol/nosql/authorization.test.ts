import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { type AccountKeys, accountKeysFrom } from './account-keys.ts';
import { Authorization } from './authorization.ts';
import { EntraTokens } from './entra-tokens.ts';
import type { Principal } from './principal.ts';
import { parseResourcePath } from './resource-path.ts';
import { ResourceTokens } from './resource-tokens.ts';

const date = 'Mon, 16 Nov 2026 09:00:00 GMT';
const keys = accountKeysFrom({});

function authorization(): Authorization {
  const nowMs = Date.parse(date);
  return new Authorization({
    keys,
    tokens: new ResourceTokens(Buffer.alloc(32)),
    entra: new EntraTokens(undefined, []),
    clock: { now: () => nowMs, microseconds: () => nowMs * 1_000, monotonic: () => 0 },
  });
}

function signature(key: string, link: string): string {
  const text = `get\ndocs\n${link}\n${date.toLowerCase()}\n\n`;
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
}

function principalOf(checker: Authorization, link: string, signed: string): Principal {
  const token = encodeURIComponent(`type=master&ver=1.0&sig=${signed}`);
  const headers = new Map([
    ['authorization', token],
    ['x-ms-date', date],
  ]);
  return checker.principalOf('GET', parseResourcePath(`/${link}`), headers, () => false);
}

test('a signature that was right is right again, and only that one, for that alone and with the rights of its key', () => {
  const checker = authorization();
  const [a, b] = ['dbs/d/colls/c/docs/a', 'dbs/d/colls/c/docs/b'];
  const rights: readonly (readonly [keyof AccountKeys, boolean])[] = [
    ['primary', true],
    ['secondaryReadonly', false],
    ['secondary', true],
  ];
  for (const [name, mayWrite] of rights) {
    const signed = signature(keys[name], a);
    for (let round = 0; round < 3; round++)
      assert.deepEqual(principalOf(checker, a, signed), { kind: 'master', mayWrite }, name);
    assert.throws(() => principalOf(checker, b, signed), { code: 'bad-signature' });
    const wrong = `${signed.startsWith('A') ? 'B' : 'A'}${signed.slice(1)}`;
    for (const each of [wrong, signed.slice(1), '', `${signed}=`])
      assert.throws(() => principalOf(checker, a, each), { code: 'bad-signature' }, each);
  }
});
