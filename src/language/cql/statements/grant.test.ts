import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';

test('a permission is granted on any resource that can have it', () => {
  const resources = [
    ['SELECT', 'ALL KEYSPACES', { kind: 'allKeyspaces' }],
    ['CREATE', 'KEYSPACE ks', { kind: 'keyspace', keyspace: 'ks' }],
    ['MODIFY', 'TABLE ks.t', { kind: 'table', table: { keyspace: 'ks', name: 't' } }],
    ['MODIFY', 'role', { kind: 'table', table: { keyspace: null, name: 'role' } }],
    ['SELECT', 'all', { kind: 'table', table: { keyspace: null, name: 'all' } }],
    ['ALTER', 'ALL TABLES IN KEYSPACE ks', { kind: 'allTables', keyspace: 'ks' }],
    ['DESCRIBE', 'ALL ROLES', { kind: 'allRoles' }],
    ['DROP', "ROLE 'R'", { kind: 'role', role: 'R' }],
    ['EXECUTE', 'ALL FUNCTIONS', { kind: 'allFunctions', keyspace: null }],
    ['EXECUTE', 'ALL FUNCTIONS IN KEYSPACE ks', { kind: 'allFunctions', keyspace: 'ks' }],
    ['SELECT', "MBEAN 'a:type=b'", { kind: 'mbean', name: 'a:type=b' }],
  ] as const;
  for (const [permission, text, resource] of resources) {
    assert.deepEqual(parseCql(`GRANT ${permission} ON ${text} TO r`).statement, {
      kind: 'grantPermissions',
      permissions: [permission],
      resource,
      grantee: 'r',
    });
    assert.equal(
      parseCql(`REVOKE ${permission} PERMISSION ON ${text} FROM r`).statement.kind,
      'revokePermissions',
    );
    assert.equal(
      parseCql(`LIST ${permission} ON ${text} OF r NORECURSIVE`).statement.kind,
      'listPermissions',
    );
  }
});

test('of ALL those are granted that the resource can have, and none is an error', () => {
  const { statement } = parseCql('GRANT ALL PERMISSIONS ON ROLE x TO r');
  assert.ok(statement.kind === 'grantPermissions');
  assert.deepEqual(statement.permissions, ['ALTER', 'DROP', 'AUTHORIZE', 'DESCRIBE']);
  const message = 'Resource type DataResource does not support any of the requested permissions';
  assert.throws(() => parseCql('GRANT EXECUTE ON t TO r'), { message });
});

test('a role may be named like a permission that is not reserved', () => {
  assert.deepEqual(parseCql('GRANT all TO r').statement, { kind: 'grantRole', role: 'all', grantee: 'r' });
  assert.deepEqual(parseCql('GRANT Unmask TO "R"').statement, {
    kind: 'grantRole',
    role: 'unmask',
    grantee: 'R',
  });
  assert.deepEqual(parseCql("REVOKE 'A' FROM r").statement, { kind: 'revokeRole', role: 'A', revokee: 'r' });
});
