import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';
import { noRoleOptions } from '../role-options.ts';

test('a role is told its options in any order, each once', () => {
  const text =
    "CREATE ROLE IF NOT EXISTS R WITH LOGIN = TRUE AND PASSWORD = 'p' AND SUPERUSER = false AND OPTIONS = {'a': 'b'} " +
    "AND ACCESS TO DATACENTERS {'d'} AND ACCESS FROM ALL CIDRS";
  assert.deepEqual(parseCql(text).statement, {
    kind: 'createRole',
    ifNotExists: true,
    role: 'r',
    options: {
      password: 'p',
      hashedPassword: null,
      isSuperuser: false,
      canLogin: true,
      options: new Map([['a', 'b']]),
      datacenters: ['d'],
      cidrs: 'all',
    },
  });
  assert.throws(() => parseCql('ALTER ROLE r WITH LOGIN = true AND LOGIN = true'), {
    message: "Multiple definition for property 'LOGIN'",
  });
});

test('a user is a role that may log in, and keeps the case of its name', () => {
  assert.deepEqual(parseCql("CREATE USER Bob WITH PASSWORD 'p' SUPERUSER").statement, {
    kind: 'createRole',
    ifNotExists: false,
    role: 'Bob',
    options: { ...noRoleOptions, password: 'p', isSuperuser: true, canLogin: true },
  });
  assert.deepEqual(parseCql('ALTER USER IF EXISTS Bob NOSUPERUSER').statement, {
    kind: 'alterRole',
    ifExists: true,
    role: 'Bob',
    options: { ...noRoleOptions, isSuperuser: false },
  });
});
