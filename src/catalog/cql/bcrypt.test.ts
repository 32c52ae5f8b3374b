import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBcryptPassword, readBcrypt } from './bcrypt.ts';

/** Made by the library that Cassandra uses, jBCrypt 0.4. */
const hashes: readonly (readonly [password: string, hash: string])[] = [
  ['', '$2a$04$yCyegikJWNfkfRir3hBLdOwYCsFi6inIHJ.INQh3q.z9UZ9Bm8Xei'],
  ['a', '$2a$05$gYyK/t7FHPjtDbscFQncs.hwqj90k8gmM2VF1FWZ4TmBqyiIjqjaS'],
  ['correct horse', '$2a$06$pg26YYoY94nK4EDTAxiA2u7Z6fRQG99O.faW.FmiQv3YI0cUdt9Ci'],
  ['pässwörd ☃', '$2a$04$T222k89CotCtDEQYhqhax.6CfWOGm84j6p5zaMY3qzGfOjmWwzeg2'],
  ['x'.repeat(80), '$2a$05$yezmSIu8Ei.1wAtc.SewbeWvH86eBvBg7fxnZoB28Zy1PD1t0IZ2a'],
  ['old', '$2$05$Oh6aNhLmffTdU4CBMCyi2es3crFDsZzzw7t4g8QA8YeduGsfyPYlq'],
];

async function isRight(password: string, text: string): Promise<boolean> {
  const hash = readBcrypt(text);
  assert.ok(hash !== undefined, text);
  return isBcryptPassword(password, hash, async () => {});
}

test('a password is right for its hash, and no other is', async () => {
  for (const [password, hash] of hashes) {
    assert.equal(await isRight(password, hash), true, hash);
    assert.equal(await isRight(`y${password}`, hash), false, hash);
    assert.equal(await isRight(password, `${hash.slice(0, -1)}.`), hash.endsWith('.'), hash);
  }
});

test('a hash without its end is one that no password has', async () => {
  assert.equal(await isRight('a', '$2a$05$gYyK/t7FHPjtDbscFQncs.'), false);
  assert.equal(await isRight('a', '$2a$05$gYyK/t7FHPjtDbscFQncs.hwqj90k8gmM2VF1FWZ4TmBqyiIjqja'), false);
});

test('what is no hash of bcrypt is not read, nor one that takes too long', () => {
  const salt = 'gYyK/t7FHPjtDbscFQncs.';
  const others = [
    '',
    'x',
    `$2b$05$${salt}`,
    `$2a$5$${salt}`,
    `$2a$03$${salt}`,
    `$2a$16$${salt}`,
    `$2a$05$${salt.slice(1)}`,
  ];
  for (const text of [...others, `$2a$05$!${salt.slice(1)}`]) assert.equal(readBcrypt(text), undefined, text);
});

test('others may go first while a password is looked at', async () => {
  const hash = readBcrypt(hashes[2]?.[1] ?? '');
  assert.ok(hash !== undefined);
  let rests = 0;
  await isBcryptPassword('x', hash, async () => {
    rests++;
  });
  assert.equal(rests, 4);
});
