import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SchemaChange } from '../../catalog/cql/cql-schema.ts';
import type { CqlParts } from '../../execution/cql/cql-parts.ts';
import type { PreparedStatement } from '../../language/cql/prepared-statement.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { voidAnswer } from './test-door.samples.ts';

class Stubs {
  preparedCount = 0;
  readonly #listeners: ((change: SchemaChange) => void)[] = [];
  readonly parts = {
    catalog: {
      schema: {},
      whenChanged: (listener: (change: SchemaChange) => void) => this.#listeners.push(listener),
    },
  } as unknown as CqlParts;

  readonly prepare = (): PreparedStatement => {
    this.preparedCount += 1;
    return {
      variables: [],
      partitionKeyIndexes: [],
      resultColumns: undefined,
      warnings: [],
      isCurrent: () => true,
      run: () => voidAnswer,
    };
  };
}

test('the same text in the same keyspace is prepared once', () => {
  const stubs = new Stubs();
  const statements = new PreparedStatements(stubs.parts, stubs.prepare);
  const first = statements.prepare('SELECT * FROM t', 'ks');
  assert.equal(statements.prepare('SELECT * FROM t', 'ks'), first);
  assert.notEqual(statements.prepare('SELECT * FROM t', 'other'), first);
  const qualified = statements.prepare('SELECT * FROM ks.t', undefined);
  assert.equal(statements.prepare('SELECT * FROM ks.t', 'other'), qualified);
  assert.equal(stubs.preparedCount, 3);
});

test('when there are too many, those that were not used of late are forgotten', () => {
  const stubs = new Stubs();
  const statements = new PreparedStatements(stubs.parts, stubs.prepare, { maxPreparedBytes: 20_000 });
  const { id } = statements.prepare('SELECT * FROM ks.favourite', undefined);
  const { id: neglected } = statements.prepare('SELECT * FROM ks.neglected', undefined);
  for (let count = 0; count < 100; count++) {
    statements.prepare(`SELECT * FROM ks.t${count}`, undefined);
    assert.equal(statements.find(id).id, id);
  }
  assert.ok(statements.size <= 20, `${statements.size} are kept`);
  assert.throws(() => statements.find(neglected), { code: 'cql-unprepared' });
});

test('texts that come again are not prepared again, few of them and none that is long or defines something', () => {
  const stubs = new Stubs();
  const statements = new PreparedStatements(stubs.parts, stubs.prepare, { maxTexts: 2, maxTextLength: 100 });
  const count = (text: string): number => {
    const before = stubs.preparedCount;
    statements.ofText(text, undefined);
    return stubs.preparedCount - before;
  };
  assert.deepEqual([count('SELECT * FROM ks.a'), count('SELECT * FROM ks.a')], [1, 0]);
  count('SELECT * FROM ks.b');
  count('SELECT * FROM ks.c');
  assert.equal(count('SELECT * FROM ks.a'), 1, 'the oldest was forgotten');
  const long = `SELECT * FROM ks.${'a'.repeat(100)}`;
  assert.deepEqual([count(long), count(long)], [1, 1]);
  assert.deepEqual([count('USE ks'), count('USE ks')], [1, 1]);
});
