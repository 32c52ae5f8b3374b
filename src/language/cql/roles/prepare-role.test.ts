import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Roles } from '../../../catalog/cql/roles.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { StatementAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import { decodeCqlValue } from '../../../values/cql-codec.ts';
import { parseCql } from '../cql-parser.ts';
import type { StatementContext } from '../prepared-statement.ts';
import { prepareRole, type RoleStatement } from './prepare-role.ts';

class Session {
  readonly roles: Roles;
  readonly role: string | undefined;

  constructor(roles: Roles, role?: string) {
    this.roles = roles;
    this.role = role;
  }

  async run(text: string): Promise<StatementAnswer> {
    const { statement, markers } = parseCql(text);
    const schema = { keyspaces: new Map([['ks', { tables: new Map([['t', {}]]) }]]) };
    const context = { parts: { roles: this.roles }, schema, keyspace: 'ks' } as unknown as StatementContext;
    const request = { session: { role: this.role } } as StatementRequest;
    return await prepareRole(statement as RoleStatement, markers, context).run(request);
  }

  /** The code and text of the failure, or 'done'. */
  async outcome(text: string): Promise<string> {
    try {
      await this.run(text);
      return 'done';
    } catch (error) {
      assert.ok(error instanceof RingfoldError);
      return `${error.code}: ${error.details['reason']}`;
    }
  }

  async rows(text: string): Promise<unknown[][]> {
    const answer = await this.run(text);
    assert.ok(answer.kind === 'rows');
    return answer.rows.map((row) =>
      answer.columns.map(({ type }, at) => decodeCqlValue(type, row[at] ?? null)),
    );
  }

  as(role: string): Session {
    return new Session(this.roles, role);
  }
}

async function newSession(): Promise<Session> {
  return new Session(await Roles.load({ readAll: async () => new Map(), put: async () => {} }));
}

test('roles are created, altered, listed and dropped, in the words of Cassandra', async () => {
  const session = await newSession();
  assert.equal(await session.outcome("CREATE ROLE r WITH PASSWORD = 'x' AND LOGIN = true"), 'done');
  assert.equal(await session.outcome('CREATE ROLE r'), 'bad-request: r already exists');
  assert.equal(await session.outcome('CREATE ROLE IF NOT EXISTS r'), 'done');
  assert.equal(await session.outcome("CREATE ROLE ''"), "bad-request: Role name can't be an empty string");
  assert.equal(await session.outcome('CREATE USER u NOSUPERUSER'), 'done');
  assert.deepEqual(await session.rows('LIST ROLES'), [
    ['cassandra', true, true, [], 'ALL'],
    ['r', false, true, [], 'ALL'],
    ['u', false, true, [], 'ALL'],
  ]);
  assert.equal(await session.outcome('ALTER ROLE r WITH LOGIN = false'), 'done');
  assert.equal(await session.outcome('ALTER ROLE r'), "bad-request: ALTER [ROLE|USER] can't be empty");
  assert.equal(await session.outcome('ALTER ROLE q WITH LOGIN = false'), "bad-request: Role q doesn't exist");
  assert.equal(await session.outcome('ALTER ROLE IF EXISTS q WITH LOGIN = false'), 'done');
  assert.deepEqual(await session.rows('LIST USERS'), [
    ['cassandra', true, 'ALL'],
    ['u', false, 'ALL'],
  ]);
  assert.equal(await session.outcome('DROP ROLE r'), 'done');
  assert.equal(await session.outcome('DROP ROLE r'), "bad-request: r doesn't exist");
  assert.equal(await session.outcome('DROP ROLE IF EXISTS r'), 'done');
});

test('roles are granted to roles, never in a circle', async () => {
  const session = await newSession();
  for (const role of ['a', 'b', 'c']) await session.run(`CREATE ROLE ${role}`);
  assert.equal(await session.outcome('GRANT a TO b'), 'done');
  assert.equal(await session.outcome('GRANT b TO c'), 'done');
  assert.equal(await session.outcome('GRANT a TO c'), 'bad-request: c is a member of a');
  assert.equal(await session.outcome('GRANT c TO a'), 'bad-request: c is a member of a');
  assert.equal(await session.outcome('GRANT nope TO a'), "bad-request: nope doesn't exist");
  const names = async (text: string) => (await session.rows(text)).map(([name]) => name);
  assert.deepEqual(await names('LIST ROLES OF c'), ['a', 'b', 'c']);
  assert.deepEqual(await names('LIST ROLES OF c NORECURSIVE'), ['b', 'c']);
  assert.equal(await session.outcome('LIST ROLES OF nope'), "bad-request: <role nope> doesn't exist");
  assert.equal(await session.outcome('REVOKE a FROM c'), 'bad-request: c is not a member of a');
  assert.equal(await session.outcome('REVOKE b FROM c'), 'done');
  assert.deepEqual(await names('LIST ROLES OF c'), ['c']);
});

test('what concerns superusers is theirs', async () => {
  const session = await newSession();
  await session.run('CREATE ROLE plain WITH LOGIN = true');
  await session.run('CREATE ROLE strong WITH SUPERUSER = true');
  const plain = session.as('plain');
  assert.equal(
    await plain.outcome('CREATE ROLE x WITH SUPERUSER = true'),
    'unauthorized: Only superusers can create a role with superuser status',
  );
  assert.equal(
    await plain.outcome('ALTER ROLE strong WITH SUPERUSER = false'),
    'unauthorized: Only superusers are allowed to alter superuser status',
  );
  assert.equal(
    await plain.outcome('ALTER ROLE plain WITH SUPERUSER = true'),
    "unauthorized: You aren't allowed to alter your own superuser status or that of a role granted to you",
  );
  assert.equal(await plain.outcome("ALTER ROLE plain WITH PASSWORD = 'y'"), 'done');
  assert.equal(
    await plain.outcome('ALTER ROLE plain WITH LOGIN = false'),
    "unauthorized: You aren't allowed to alter LOGIN",
  );
  assert.equal(
    await plain.outcome('DROP ROLE strong'),
    'unauthorized: Only superusers can drop a role with superuser status',
  );
  assert.equal(
    await session.as('strong').outcome('DROP ROLE strong'),
    'bad-request: Cannot DROP primary role for current login',
  );
});

test('permissions and what else is not kept are refused as by a Cassandra that does not keep them', async () => {
  const session = await newSession();
  await session.run('CREATE ROLE r');
  const manager = 'org.apache.cassandra.auth.CassandraRoleManager';
  const refusals: readonly (readonly [string, string])[] = [
    ['GRANT SELECT ON ALL KEYSPACES TO r', 'GRANT operation is not supported by AllowAllAuthorizer'],
    ['REVOKE SELECT ON ALL KEYSPACES FROM r', 'REVOKE operation is not supported by AllowAllAuthorizer'],
    ['GRANT SELECT ON ALL KEYSPACES TO q', "Role q doesn't exist"],
    ['LIST ALL PERMISSIONS', 'LIST PERMISSIONS operation is not supported by AllowAllAuthorizer'],
    ['LIST ALL PERMISSIONS OF q', "<role q> doesn't exist"],
    ["CREATE ROLE q WITH OPTIONS = {'a': 'b'}", `${manager} doesn't support OPTIONS`],
    ["CREATE ROLE q WITH HASHED PASSWORD = 'x'", 'Invalid hashed password value. Please use jBcrypt.'],
    [
      "ALTER ROLE r WITH ACCESS TO DATACENTERS {'datacenter1'}",
      'ACCESS TO DATACENTERS operations not supported by AllowAllNetworkAuthorizer',
    ],
    [
      "CREATE ROLE q WITH ACCESS FROM CIDRS {'a', 'b'}",
      'Invalid CIDR group(s): [a, b]. Available CIDR Groups are: []',
    ],
    [
      "CREATE ROLE q WITH ACCESS TO DATACENTERS {'nowhere'}",
      "Invalid value(s) for DATACENTERS '[nowhere]',All values must be valid datacenters",
    ],
    ["ADD IDENTITY 'i' TO ROLE 'q'", "Can not add identity for non-existent role 'q'"],
    ["DROP IDENTITY 'i'", "identity 'i' doesn't exist"],
  ];
  for (const [text, reason] of refusals) assert.equal(await session.outcome(text), `bad-request: ${reason}`);
  assert.equal(await session.outcome("ADD IDENTITY 'i' TO ROLE 'r'"), 'done');
  assert.equal(await session.outcome("ADD IDENTITY 'i' TO ROLE 'r'"), 'bad-request: i already exists');
  assert.equal(await session.outcome("DROP IDENTITY 'i'"), 'done');
});

test('what a permission is asked for must be there, before anything is said of permissions', async () => {
  const session = await newSession();
  await session.run('CREATE ROLE r');
  const unknown: readonly (readonly [string, string])[] = [
    ['KEYSPACE no', '<keyspace no>'],
    ['ALL TABLES IN KEYSPACE no', '<all tables in no>'],
    ['no', '<table ks.no>'],
    ['no.t', '<table no.t>'],
    ['ROLE no', '<role no>'],
    ['ALL FUNCTIONS IN KEYSPACE no', '<all functions in no>'],
    ['FUNCTION ks.no(int)', '<function ks.no(int)>'],
  ];
  for (const [resource, shown] of unknown) {
    const refusal = `Resource ${shown} doesn't exist`;
    assert.equal(await session.outcome(`GRANT ALL ON ${resource} TO r`), `bad-request: ${refusal}`);
    assert.equal(await session.outcome(`REVOKE ALL ON ${resource} FROM r`), `bad-request: ${refusal}`);
    assert.equal(
      await session.outcome(`LIST ALL PERMISSIONS ON ${resource}`),
      `bad-request: ${shown} doesn't exist`,
    );
    assert.equal(await session.outcome(`GRANT ALL ON ${resource} TO q`), "bad-request: Role q doesn't exist");
  }
  assert.equal(
    await session.outcome('GRANT EXECUTE ON FUNCTION no() TO r'),
    'bad-request: In this context function name must be explictly qualified by a keyspace',
  );
  for (const resource of ['t', 'ks.t', 'KEYSPACE ks', 'ROLE r', 'ALL ROLES', 'ALL FUNCTIONS'])
    assert.match(await session.outcome(`GRANT ALL ON ${resource} TO r`), /AllowAllAuthorizer$/);
});

test('a password that came hashed is the one it was hashed from, until another is set', async () => {
  const session = await newSession();
  const hash = '$2a$05$gYyK/t7FHPjtDbscFQncs.hwqj90k8gmM2VF1FWZ4TmBqyiIjqjaS';
  assert.equal(
    await session.outcome(`CREATE ROLE h WITH HASHED PASSWORD = '${hash}' AND LOGIN = true`),
    'done',
  );
  assert.equal(await session.roles.authenticate('h', 'a'), true);
  assert.equal(await session.roles.authenticate('h', hash), false);
  assert.equal(await session.outcome('ALTER ROLE h WITH LOGIN = false'), 'done');
  assert.equal(await session.roles.authenticate('h', 'a'), true);
  assert.equal(await session.outcome("ALTER ROLE h WITH PASSWORD = 'b'"), 'done');
  assert.equal(await session.roles.authenticate('h', 'a'), false);
  assert.equal(await session.roles.authenticate('h', 'b'), true);
});
