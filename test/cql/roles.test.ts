// Roles and logins. The server asks for a login here, as it does wherever it is not on loopback.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql(undefined, { asksLogin: true });

/** Roles belong to the whole server, which other files may share. */
const role = () => `${cql.keyspace}_${cql.name('r')}`;

async function canLogIn(user: string, password: string): Promise<boolean> {
  const client = cql.newClient({ user, password });
  const isIn = await client.connect().then(
    () => true,
    () => false,
  );
  await client.shutdown();
  return isIn;
}

test('a role with a password and LOGIN logs in, and with another password does not', async () => {
  const name = role();
  await cql.run(`CREATE ROLE ${name} WITH PASSWORD = 'secret' AND LOGIN = true`);
  assert.equal(await canLogIn(name, 'secret'), true);
  assert.equal(await canLogIn(name, 'guess'), false);
  await cql.run(`ALTER ROLE ${name} WITH PASSWORD = 'other'`);
  assert.equal(await canLogIn(name, 'other'), true);
  await cql.run(`DROP ROLE ${name}`);
  assert.equal(await canLogIn(name, 'other'), false);
});

test('a role without LOGIN does not log in', async () => {
  const name = role();
  await cql.run(`CREATE ROLE ${name} WITH PASSWORD = 'secret'`);
  assert.equal(await canLogIn(name, 'secret'), false);
  await cql.run(`ALTER ROLE ${name} WITH LOGIN = true`);
  assert.equal(await canLogIn(name, 'secret'), true);
  await cql.run(`DROP ROLE ${name}`);
});

test('a wrong password is told with the code for bad credentials', async () => {
  const client = cql.newClient({ user: 'nobody', password: 'nothing' });
  const failure = (await client.connect().catch((error: unknown) => error)) as {
    readonly innerErrors: Record<string, { readonly message: string }>;
  };
  await client.shutdown();
  assert.match(
    Object.values(failure.innerErrors)[0]?.message ?? '',
    /Provided username nobody and\/or password are incorrect/,
  );
});

test('LIST ROLES shows name, rights and options of each role', async () => {
  const name = role();
  await cql.run(`CREATE ROLE ${name} WITH SUPERUSER = false AND LOGIN = true`);
  assert.deepEqual(await cql.columnNames('LIST ROLES'), ['role', 'super', 'login', 'options', 'datacenters']);
  const rows = await cql.rows('LIST ROLES');
  assert.deepEqual(
    rows.find(([listed]) => listed === name),
    [name, false, true, new Map(), 'ALL'],
  );
  assert.deepEqual(
    rows.find(([listed]) => listed === 'cassandra'),
    ['cassandra', true, true, new Map(), 'ALL'],
  );
  await cql.run(`DROP ROLE ${name}`);
});

test('LIST USERS shows the roles that may log in', async () => {
  const [user, group] = [role(), role()];
  await cql.runAll(`CREATE ROLE ${user} WITH LOGIN = true`, `CREATE ROLE ${group}`);
  const { columns, rows } = await cql.run('LIST USERS');
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['name', 'super', 'datacenters'],
  );
  const names = rows.map((row) => row.get('name'));
  assert.deepEqual([names.includes(user), names.includes(group)], [true, false]);
  await cql.runAll(`DROP ROLE ${user}`, `DROP ROLE ${group}`);
});

test('a role is granted to another, listed with it, and revoked', async () => {
  const [user, group] = [role(), role()];
  await cql.runAll(
    `CREATE ROLE ${user} WITH LOGIN = true`,
    `CREATE ROLE ${group}`,
    `GRANT ${group} TO ${user}`,
  );
  assert.deepEqual(new Set(await cql.column(`LIST ROLES OF ${user}`)), new Set([user, group]));
  await cql.refuses(`GRANT ${group} TO ${user}`, 'invalid', `${user} is a member of ${group}`);
  await cql.run(`REVOKE ${group} FROM ${user}`);
  assert.deepEqual(await cql.column(`LIST ROLES OF ${user}`), [user]);
  await cql.refuses(`REVOKE ${group} FROM ${user}`, 'invalid', `${user} is not a member of ${group}`);
  await cql.runAll(`DROP ROLE ${user}`, `DROP ROLE ${group}`);
});

test('USER is another word for a role that logs in', async () => {
  const name = role();
  await cql.run(`CREATE USER ${name} WITH PASSWORD 'p' NOSUPERUSER`);
  await cql.refuses(`CREATE USER ${name} WITH PASSWORD 'p'`, 'invalid', `${name} already exists`);
  await cql.run(`CREATE USER IF NOT EXISTS ${name}`);
  assert.equal(await canLogIn(name, 'p'), true);
  await cql.run(`ALTER USER ${name} WITH PASSWORD 'q'`);
  assert.equal(await canLogIn(name, 'q'), true);
  await cql.run(`DROP USER ${name}`);
  await cql.refuses(`DROP USER ${name}`, 'invalid', `${name} doesn't exist`);
});

test('roles that are there are not made again, and those that are not are not changed', async () => {
  const name = role();
  await cql.run(`CREATE ROLE ${name}`);
  await cql.refuses(`CREATE ROLE ${name}`, 'invalid', `${name} already exists`);
  await cql.run(`CREATE ROLE IF NOT EXISTS ${name}`);
  await cql.run(`DROP ROLE ${name}`);
  await cql.refuses(`ALTER ROLE ${name} WITH LOGIN = true`, 'invalid', `Role ${name} doesn't exist`);
  await cql.refuses(`DROP ROLE ${name}`, 'invalid', `${name} doesn't exist`);
  await cql.run(`DROP ROLE IF EXISTS ${name}`);
  await cql.refuses(`GRANT ${name} TO cassandra`, 'invalid', `${name} doesn't exist`);
});

test('nobody drops the role of the own login, nor takes its superuser status', async () => {
  await cql.refuses('DROP ROLE cassandra', 'invalid', 'Cannot DROP primary role for current login');
  await cql.refuses(
    'ALTER ROLE cassandra WITH SUPERUSER = false',
    'unauthorized',
    "You aren't allowed to alter your own superuser status or that of a role granted to you",
  );
});

test('options of a role are of the right type', async () => {
  await cql.refuses(
    `CREATE ROLE ${role()} WITH nosuch = 1`,
    'syntax',
    "no viable alternative at input 'nosuch'",
  );
  await cql.refuses(
    `CREATE ROLE ${role()} WITH LOGIN = 5`,
    'syntax',
    "mismatched input '5' expecting BOOLEAN",
  );
  await cql.refuses(
    `CREATE ROLE ${role()} WITH PASSWORD = 5`,
    'syntax',
    "mismatched input '5' expecting STRING_LITERAL",
  );
});

test('quoted names of roles keep their case', async () => {
  const name = role();
  await cql.run(`CREATE ROLE "${name}_Upper"`);
  assert.ok((await cql.column('LIST ROLES')).includes(`${name}_Upper`));
  await cql.run(`DROP ROLE "${name}_Upper"`);
});

test('what a statement about roles names must be there when it is prepared', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  const nobody = role();
  const refused: readonly (readonly [string, string])[] = [
    [`GRANT SELECT ON ${t} TO ${nobody}`, `Role ${nobody} doesn't exist`],
    [`REVOKE SELECT ON ${t} FROM ${nobody}`, `Role ${nobody} doesn't exist`],
    [`GRANT SELECT ON ${nobody} TO cassandra`, `Resource <table ${cql.keyspace}.${nobody}> doesn't exist`],
    [`GRANT ${nobody} TO cassandra`, `${nobody} doesn't exist`],
    [`REVOKE ${nobody} FROM cassandra`, `${nobody} doesn't exist`],
    [`LIST ROLES OF ${nobody}`, `<role ${nobody}> doesn't exist`],
    [`DROP ROLE ${nobody}`, `${nobody} doesn't exist`],
    [`ALTER ROLE ${nobody} WITH LOGIN = true`, `Role ${nobody} doesn't exist`],
    ['CREATE ROLE cassandra', 'cassandra already exists'],
    [
      `CREATE ROLE ${nobody} WITH HASHED PASSWORD = 'x'`,
      'Invalid hashed password value. Please use jBcrypt.',
    ],
    [`TRUNCATE ${nobody}`, `table ${nobody} does not exist`],
  ];
  // A batch takes no such statement, but the driver prepares what is in it before it is told so.
  const prepared = (statement: string) => cql.client.batch([{ query: statement }], { prepare: true });
  const isPrepared = /only UPDATE, INSERT and DELETE statements are allowed/;
  await assert.rejects(prepared(`GRANT SELECT ON ${t} TO cassandra`), isPrepared);
  await assert.rejects(prepared(`DROP ROLE IF EXISTS ${nobody}`), isPrepared);
  for (const [statement, text] of refused) {
    await assert.rejects(prepared(statement), (error: Error) => error.message.includes(text), statement);
  }
});

test('a role with a password that was hashed by bcrypt logs in with the password', async () => {
  const [name, other] = [role(), role()];
  const hash = '$2a$10$7AxBgJGcawjt3VywSvmL4Oy4tMqyqEIHuj2Z6/AYGQoH86hIqTOP.';
  await cql.run(`CREATE ROLE ${name} WITH HASHED PASSWORD = '${hash}' AND LOGIN = true`);
  await cql.run(`CREATE USER ${other} WITH PASSWORD 'first'`);
  await cql.run(`ALTER USER ${other} WITH HASHED PASSWORD '${hash}'`);
  for (const user of [name, other]) {
    const client = cql.newClient({ user, password: 'ringfold' });
    await client.connect();
    await client.shutdown();
    const stranger = cql.newClient({ user, password: 'first' });
    await assert.rejects(stranger.connect());
    await stranger.shutdown();
  }
  for (const wrong of ['x', '', hash.replace('2a', '2b'), hash.replace('$10$', '$03$'), hash.slice(0, 28)])
    await cql.refuses(
      `ALTER ROLE ${name} WITH HASHED PASSWORD = '${wrong}'`,
      'invalid',
      'Invalid hashed password value. Please use jBcrypt.',
    );
  await cql.run(`DROP ROLE ${name}`);
  await cql.run(`DROP ROLE ${other}`);
});
