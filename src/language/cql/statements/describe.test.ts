import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';

test('DESCRIBE names a kind of thing and a thing, or only one of them', () => {
  const name = { keyspace: 'ks', name: 'x' };
  const targets = [
    ['CLUSTER', { kind: 'cluster' }],
    ['KEYSPACES', { kind: 'keyspaces' }],
    ['FULL SCHEMA', { kind: 'schema', isFull: true }],
    ['SCHEMA', { kind: 'schema', isFull: false }],
    ['KEYSPACE', { kind: 'keyspace', keyspace: null, isOnly: false }],
    ['ONLY KEYSPACE "Ks"', { kind: 'keyspace', keyspace: 'Ks', isOnly: true }],
    ['TABLE ks.x', { kind: 'table', name }],
    ['INDEX ks.x', { kind: 'index', name }],
    ['MATERIALIZED VIEW ks.x', { kind: 'materializedView', name }],
    ['TYPE ks.x', { kind: 'type', name }],
    ['FUNCTION ks.x', { kind: 'function', name }],
    ['AGGREGATE ks.x', { kind: 'aggregate', name }],
    ['ks.x', { kind: 'any', name }],
    ['type', { kind: 'any', name: { keyspace: null, name: 'type' } }],
    ['only.x', { kind: 'any', name: { keyspace: 'only', name: 'x' } }],
  ] as const;
  for (const [text, target] of targets) {
    for (const verb of ['DESC', 'DESCRIBE']) {
      const described = parseCql(`${verb} ${text}`).statement;
      assert.deepEqual(described, { kind: 'describe', target, withInternals: false }, text);
      const withInternals = parseCql(`${verb} ${text} WITH INTERNALS`).statement;
      assert.deepEqual(withInternals, { kind: 'describe', target, withInternals: true }, text);
    }
  }
});
