import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { LoginChecks } from './login-checks.ts';

/** As slow hashes are, but the hash of a password is `hash of` it; counts how many are made, and how many at once. */
class CountedHashes {
  made = 0;
  atOnce = 0;
  #running = 0;

  check = async (password: string, stored: string): Promise<boolean> => {
    this.made++;
    this.#running++;
    this.atOnce = Math.max(this.atOnce, this.#running);
    await setImmediate();
    this.#running--;
    return stored === `hash of ${password}`;
  };
}

test('a password that was right is known again without a hash, and only where it was right', async () => {
  const hashes = new CountedHashes();
  const checks = new LoginChecks(hashes.check);
  for (let login = 0; login < 10; login++) {
    assert.equal(await checks.isRight('theo', 'secret', 'hash of secret'), true);
  }
  assert.equal(hashes.made, 1);
  assert.equal(await checks.isRight('theo', 'secret', 'hash of other'), false);
  assert.equal(await checks.isRight('theo', 'Secret', 'hash of secret'), false);
  assert.equal(await checks.isRight('anna', 'secret', 'hash of secret'), true);
  assert.equal(hashes.made, 4);
  checks.forget('theo');
  assert.equal(await checks.isRight('theo', 'secret', 'hash of secret'), true);
  assert.equal(hashes.made, 5);
});

test('connections that log in at once with the same password are one check', async () => {
  const hashes = new CountedHashes();
  const checks = new LoginChecks(hashes.check);
  const logins = Array.from({ length: 500 }, () => checks.isRight('theo', 'secret', 'hash of secret'));
  assert.ok((await Promise.all(logins)).every((isRight) => isRight));
  assert.equal(hashes.made, 1);
});

test('of many wrong passwords a few are checked at once and most are refused, while who was let in before still is', async () => {
  const hashes = new CountedHashes();
  const checks = new LoginChecks(hashes.check);
  assert.equal(await checks.isRight('theo', 'secret', 'hash of secret'), true);
  const guesses = Array.from({ length: 100 }, (_, at) =>
    checks.isRight('theo', `guess ${at}`, 'hash of secret').catch((error: unknown) => error),
  );
  assert.equal(await checks.isRight('theo', 'secret', 'hash of secret'), true);
  const answers = await Promise.all(guesses);
  const refused = answers.filter((answer) => answer instanceof RingfoldError);
  assert.ok(refused.every(({ code }) => code === 'too-much-in-flight'));
  assert.equal(refused.length, 100 - 34);
  assert.equal(hashes.atOnce, 2);
  assert.ok(!answers.includes(true));
  assert.equal(await checks.isRight('theo', 'guess', 'hash of secret'), false);
});
