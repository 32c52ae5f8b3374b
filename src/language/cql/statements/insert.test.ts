import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';

const one = { kind: 'constant', type: 'integer', text: '1' };
const marker = (index: number, place: string) => ({ kind: 'marker', index, name: null, place });

test('columns and values are kept as written, and need not be as many', () => {
  assert.deepEqual(parseCql('INSERT INTO ks.t (A, "B") VALUES (1)').statement, {
    kind: 'insert',
    table: { keyspace: 'ks', name: 't' },
    columns: ['a', 'B'],
    values: [one],
    ifNotExists: false,
    using: { timestamp: null, ttl: null },
  });
});

test('TTL and TIMESTAMP come in either order, after IF NOT EXISTS', () => {
  for (const using of ['TTL ? AND TIMESTAMP 1', 'TIMESTAMP 1 AND TTL ?']) {
    const { statement } = parseCql(`INSERT INTO t (a) VALUES (1) IF NOT EXISTS USING ${using}`);
    assert.equal(statement.kind, 'insert');
    assert.equal(statement.ifNotExists, true);
    assert.deepEqual(statement.using, { timestamp: one, ttl: marker(0, 'ttl') });
  }
});

test('a document takes the place of columns and values', () => {
  assert.deepEqual(parseCql('INSERT INTO t JSON ? DEFAULT UNSET').statement, {
    kind: 'insertJson',
    table: { keyspace: null, name: 't' },
    json: marker(0, 'json'),
    keepsUnnamed: true,
    ifNotExists: false,
    using: { timestamp: null, ttl: null },
  });
  for (const text of ["INSERT INTO t JSON '{}'", "INSERT INTO t JSON '{}' DEFAULT NULL"]) {
    const { statement } = parseCql(text);
    assert.equal(statement.kind === 'insertJson' && statement.keepsUnnamed, false);
  }
});
