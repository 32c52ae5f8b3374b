import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildTable, type TableParts } from '../../../catalog/cql/build-table.ts';
import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import { defaultTableOptions } from '../../../catalog/cql/default-table-options.ts';
import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { type CqlType, freeze, type UserType } from '../../../values/cql-type.ts';
import { defineAll } from './define-all.samples.ts';
import { printCreateTable } from './print-create-table.ts';
import { printCreateType } from './print-create-type.ts';

const before: CqlSchema = defineAll({ version: '', keyspaces: new Map() }, [
  "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
  'CREATE TYPE k."Inner" (a int, "select" frozen<list<text>>)',
]);
const inner = before.keyspaces.get('k')?.types.get('Inner') as UserType;

/** With the prototype that objects have, since they are compared. */
const plain = { noNullPrototype: true };

const native = fc.constantFrom<CqlType>(
  ...(['text', 'int', 'uuid', 'timeuuid', 'blob', 'date', 'decimal', 'inet', 'boolean'] as const).map(
    (kind) => ({
      kind,
    }),
  ),
);
const { type: anyType } = fc.letrec<{ type: CqlType }>((tie) => {
  const frozen = tie('type').map(freeze);
  return {
    type: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      native,
      fc.record(
        {
          kind: fc.constantFrom('list' as const, 'set' as const),
          element: frozen,
          frozen: fc.boolean(),
        },
        plain,
      ),
      fc.record(
        { kind: fc.constant('map' as const), key: frozen, value: frozen, frozen: fc.boolean() },
        plain,
      ),
      fc.record(
        {
          kind: fc.constant('tuple' as const),
          fields: fc.array(frozen, { minLength: 1, maxLength: 3 }),
        },
        plain,
      ),
      fc.constantFrom<CqlType>(freeze(inner)),
      fc.record(
        {
          kind: fc.constant('vector' as const),
          element: native,
          dimension: fc.integer({ min: 1, max: 8 }),
        },
        plain,
      ),
    ),
  };
});
const wholeType = anyType.map((type) => ('frozen' in type && type.frozen ? freeze(type) : type));

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
const columnName = fc.oneof(
  word,
  fc.constantFrom('select', 'Mixed', 'a b', 'say "no"', 'é', 'ttl', 'key', 'token'),
);
const probability = fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100);

const options = fc.record({
  comment: fc.oneof(fc.string(), fc.constant("it's; -- /* */")),
  bloomFilterFpChance: probability,
  crcCheckChance: probability,
  defaultTimeToLiveSeconds: fc.nat(1_000_000),
  gcGraceSeconds: fc.nat(1_000_000),
  memtableFlushPeriodMs: fc.nat(100_000),
  allowAutoSnapshot: fc.boolean(),
  incrementalBackups: fc.boolean(),
  speculativeRetry: fc.constantFrom('99p', 'NEVER', 'ALWAYS', '50ms'),
  readRepair: fc.constantFrom('NONE', 'BLOCKING'),
  caching: fc.constantFrom(
    defaultTableOptions.caching,
    new Map([
      ['keys', 'NONE'],
      ['rows_per_partition', '100'],
    ]),
  ),
});

const tableParts: fc.Arbitrary<TableParts> = fc
  .record({
    name: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/),
    names: fc.uniqueArray(columnName, { minLength: 8, maxLength: 8 }),
    keyTypes: fc.array(native, { minLength: 2, maxLength: 4 }),
    partitionColumns: fc.integer({ min: 1, max: 2 }),
    descending: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    staticTypes: fc.array(wholeType, { maxLength: 1 }),
    regularTypes: fc.array(wholeType, { maxLength: 3 }),
    options,
  })
  .map((given) => {
    const left = [...given.names];
    const named = (type: CqlType) => [left.pop() ?? '', type] as const;
    const clustering = given.keyTypes.slice(given.partitionColumns);
    return {
      keyspace: 'k',
      name: given.name,
      partitionKey: given.keyTypes.slice(0, given.partitionColumns).map(named),
      clustering: clustering.map((type, at) => [...named(type), given.descending[at] ?? false] as const),
      statics: clustering.length === 0 ? [] : given.staticTypes.map(named),
      regulars: given.regularTypes.map(named),
      options: given.options,
    };
  });

/** Ids of columns are given in the order of the text, and a table that is created has an id of its own. */
function comparable({ columns, options, keyspace, name, isCounter }: TableSchema): object {
  return {
    keyspace,
    name,
    isCounter,
    options,
    columns: Array.from(columns.values(), ({ id: _id, ...rest }: ColumnSchema) => rest),
  };
}

test('a table that is printed and created again is the same table', () => {
  fc.assert(
    fc.property(tableParts, (given) => {
      const table = buildTable(given);
      const text = printCreateTable(table, false);
      const again = defineAll(before, [text]).keyspaces.get('k')?.tables.get(table.name);
      assert(again !== undefined, text);
      assert.deepEqual(comparable(again), comparable(table));
      assert.equal(printCreateTable(again, false), text);
    }),
    { numRuns: 300 },
  );
});

test('with internals it has its id again', () => {
  const table = buildTable({ keyspace: 'k', name: 't', partitionKey: [['a', { kind: 'int' }]] });
  const again = defineAll(before, [printCreateTable(table, true)])
    .keyspaces.get('k')
    ?.tables.get('t');
  assert.equal(again?.id, table.id);
});

test('a type that is printed and created again is the same type', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(columnName, { minLength: 1, maxLength: 5 }),
      fc.array(wholeType, { minLength: 5, maxLength: 5 }),
      (names, types) => {
        const fields = names.map((name, at) => ({ name, type: types[at] ?? { kind: 'int' as const } }));
        const type: UserType = { kind: 'udt', keyspace: 'k', name: 'Outer', fields, frozen: false };
        const again = defineAll(before, [printCreateType(type)])
          .keyspaces.get('k')
          ?.types.get('Outer');
        assert.deepEqual(again, type);
      },
    ),
  );
});
