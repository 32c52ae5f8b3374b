import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SystemRecord } from '../../replication/system-records.ts';
import { LoginChecks } from './login-checks.ts';
import { Roles } from './roles.ts';

function recordsInMemory(): Parameters<typeof Roles.load>[0] & { readonly stored: Map<string, string> } {
  const stored = new Map<string, string>();
  return {
    stored,
    readAll: async (kind: string) =>
      new Map(
        Array.from(stored)
          .filter(([key]) => key.startsWith(`${kind}/`))
          .map(([key, json]) => [key.slice(kind.length + 1), JSON.parse(json)]),
      ),
    put: async (records: readonly SystemRecord[]) => {
      for (const { kind, id, value } of records) {
        if (value === null) stored.delete(`${kind}/${id}`);
        else stored.set(`${kind}/${id}`, JSON.stringify(value));
      }
    },
  };
}

test('a new server has the superuser cassandra, whose password is its name, and nothing is stored for it', async () => {
  const records = recordsInMemory();
  const roles = await Roles.load(records);
  assert.deepEqual(
    roles.all().map(({ name, isSuperuser, canLogin }) => [name, isSuperuser, canLogin]),
    [['cassandra', true, true]],
  );
  assert.equal(await roles.authenticate('cassandra', 'cassandra'), true);
  assert.equal(await roles.authenticate('cassandra', 'Cassandra'), false);
  assert.equal(await roles.authenticate('nobody', 'cassandra'), false);
  assert.equal(records.stored.size, 0);
});

test('a name that is not known is refused after the same work as a wrong password', async () => {
  let checked = 0;
  const checks = new LoginChecks(async (password, stored) => {
    checked++;
    assert.match(stored, /^scrypt\$16384\$8\$5\$/);
    return stored.endsWith(password);
  });
  const roles = await Roles.load(recordsInMemory(), checks);
  await roles.create('theo', { canLogin: true, password: 'secret' });
  await roles.create('readers', { canLogin: true });
  for (const name of ['theo', 'nobody', 'readers', 'cassandra']) {
    assert.equal(await roles.authenticate(name, `wrong for ${name}`), false);
  }
  assert.equal(checked, 4);
});

test('roles are there after a restart, with their passwords, and the first superuser only if it was not dropped', async () => {
  const records = recordsInMemory();
  const roles = await Roles.load(records);
  await roles.create('theo', { canLogin: true, password: 'secret' });
  await roles.alter('cassandra', { password: 'other' });
  const again = await Roles.load(records);
  assert.deepEqual(again.all(), roles.all());
  assert.equal(await again.authenticate('theo', 'secret'), true);
  assert.equal(await again.authenticate('theo', 'other'), false);
  assert.equal(await again.authenticate('cassandra', 'cassandra'), false);
  assert.equal(await again.authenticate('cassandra', 'other'), true);
  assert.ok(![...records.stored.values()].join().includes('secret'));
  await again.drop('cassandra');
  assert.deepEqual(
    (await Roles.load(records)).all().map(({ name }) => name),
    ['theo'],
  );
});

test('what a role is granted it has, and those in turn; a dropped role is granted to nobody', async () => {
  const roles = await Roles.load(recordsInMemory());
  for (const name of ['a', 'b', 'c']) await roles.create(name, {});
  await roles.grant('b', 'a');
  await roles.grant('c', 'b');
  await roles.grant('cassandra', 'c');
  const names = (name: string, isRecursive: boolean) =>
    roles.rolesOf(name, isRecursive).map((role) => role.name);
  assert.deepEqual(names('a', true), ['a', 'b', 'c', 'cassandra']);
  assert.deepEqual(names('a', false), ['a', 'b']);
  assert.ok(roles.isSuperuser('a'));
  await roles.drop('b');
  assert.deepEqual(names('a', true), ['a']);
  assert.ok(!roles.isSuperuser('a'));
  await roles.revoke('cassandra', 'c');
  assert.ok(!roles.isSuperuser('c'));
});

test('changes made at once do not lose one another', async () => {
  const records = recordsInMemory();
  const roles = await Roles.load(records);
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => roles.create(name, {})));
  await Promise.all(['b', 'c', 'd'].map((name) => roles.grant(name, 'a')));
  assert.deepEqual(roles.find('a')?.memberOf, ['b', 'c', 'd']);
  assert.deepEqual((await Roles.load(records)).all(), roles.all());
});
