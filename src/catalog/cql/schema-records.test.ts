import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CqlType, freeze, type UserType } from '../../values/cql-type.ts';
import { buildTable } from './build-table.ts';
import type { Keyspace } from './cql-schema.ts';
import { recordsOfDifference } from './schema-difference.ts';
import { decodeDefinitions, type StoredDefinitions } from './schema-records.ts';
import type { IndexSchema, TableSchema } from './table-schema.ts';

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'order', 'Mixed Case', 'q"uote', 'ümlaut', 'a/b', '日本'),
  fc.string({ minLength: 1, maxLength: 6 }).map((text) => `n${text.replaceAll('\0', '')}`),
);
const native = fc.constantFrom<CqlType>(
  { kind: 'int' },
  { kind: 'text' },
  { kind: 'timeuuid' },
  { kind: 'decimal' },
  { kind: 'duration' },
);

/** Types as tables have them: what stands inside another is frozen, but for vectors. */
function typeWith(userTypes: readonly UserType[]): fc.Arbitrary<CqlType> {
  const leaf = userTypes.length === 0 ? native : fc.oneof(native, fc.constantFrom(...userTypes.map(freeze)));
  const { type } = fc.letrec<{ type: CqlType }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.tuple(fc.constantFrom('list', 'set'), tie('type'), fc.boolean()).map(([kind, element, frozen]) => {
        const made = { kind, element: freeze(element), frozen } as CqlType;
        return frozen ? freeze(made) : made;
      }),
      fc.tuple(tie('type'), tie('type'), fc.boolean()).map(([key, value, frozen]) => {
        const made: CqlType = { kind: 'map', key: freeze(key), value: freeze(value), frozen };
        return made;
      }),
      fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((fields): CqlType => {
        return { kind: 'tuple', fields: fields.map(freeze) };
      }),
      fc.tuple(tie('type'), fc.integer({ min: 1, max: 9 })).map(([element, dimension]): CqlType => {
        return { kind: 'vector', element, dimension };
      }),
    ),
  }));
  return type;
}

function userType(typeName: string, inside: readonly UserType[]): fc.Arbitrary<UserType> {
  return fc
    .uniqueArray(fc.tuple(name, typeWith(inside)), {
      minLength: 1,
      maxLength: 3,
      selector: ([field]) => field,
    })
    .map((fields) => ({
      kind: 'udt',
      keyspace: 'ks',
      name: typeName,
      fields: fields.map(([field, type]) => ({ name: field, type })),
      frozen: false,
    }));
}

// The one that stands inside the other comes after it by name: the order of records must not matter.
const userTypes = userType('Z last', []).chain((inner) =>
  userType('a_first', [inner]).map((outer): readonly UserType[] => [inner, outer]),
);

const index = fc
  .record({
    name: fc.constantFrom('i', 'j_idx'),
    kind: fc.constantFrom<IndexSchema['kind']>('COMPOSITES', 'CUSTOM'),
    options: fc.array(fc.tuple(name, fc.string()), { maxLength: 2 }),
    column: name,
    target: fc.constantFrom<IndexSchema['target']>('simple', 'values', 'full'),
  })
  .map(({ options, ...rest }): IndexSchema => ({ ...rest, options: new Map([['target', 'x'], ...options]) }));

function table(types: readonly UserType[]): fc.Arbitrary<TableSchema> {
  const columns = fc.uniqueArray(fc.tuple(name, fc.oneof(typeWith(types), fc.constantFrom(...types))), {
    minLength: 1,
    maxLength: 6,
    selector: ([column]) => column,
  });
  return fc
    .record({
      columns,
      indexes: fc.array(index, { maxLength: 2 }),
      comment: fc.string(),
      container: fc.nat(),
      isCompact: fc.boolean(),
    })
    .map(({ columns: [first, ...others], indexes, comment, container, isCompact }) => ({
      ...buildTable({
        keyspace: 'ks',
        name: 't',
        container,
        partitionKey: first === undefined ? [] : [first],
        clustering: others.slice(0, 2).map(([column, type], position) => [column, type, position === 1]),
        statics: others.slice(2, 3),
        regulars: others.slice(3),
        options: { comment, gcGraceSeconds: 5, compaction: new Map([['class', 'x']]) },
        indexes,
      }),
      droppedColumns: [{ name: 'gone', id: 9, type: { kind: 'int' }, kind: 'regular', droppedAt: 12 }],
      isCompact,
    }));
}

const keyspace = userTypes.chain((types) =>
  table(types).map(
    (made): Keyspace => ({
      name: 'ks',
      replication: new Map([
        ['class', 'x'],
        ['2', 'dc named by a number'],
        ['1', 'stays after it'],
      ]),
      durableWrites: false,
      isVirtual: false,
      tables: new Map([['t', made]]),
      types: new Map(types.map((type) => [type.name, type])),
    }),
  ),
);

/** As the store gives them back: by kind, in the order of their ids. */
function storedOf(keyspaces: ReadonlyMap<string, Keyspace>): StoredDefinitions {
  const records = recordsOfDifference(new Map(), keyspaces);
  const ofKind = (kind: string): Map<string, unknown> =>
    new Map(
      records
        .filter((record) => record.kind === kind)
        .map(({ id, value }): [string, unknown] => [id, JSON.parse(JSON.stringify(value))])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return { keyspace: ofKind('cql-keyspace'), table: ofKind('cql-table'), type: ofKind('cql-type') };
}

test('any keyspace that is stored is read back as it was', () => {
  fc.assert(
    fc.property(keyspace, (made) => {
      const keyspaces = new Map([[made.name, made]]);
      const read = decodeDefinitions(storedOf(keyspaces));
      assert.deepEqual(read, keyspaces);
      assert.deepEqual([...(read.get('ks')?.replication ?? [])], [...made.replication], 'in their order');
      assert.deepEqual(recordsOfDifference(keyspaces, read), [], 'and is no change');
    }),
    { numRuns: 100 },
  );
});

test('what differs is written, what is gone is removed, and virtual keyspaces are neither', () => {
  const [made] = fc.sample(keyspace, { numRuns: 1, seed: 1 });
  assert.ok(made !== undefined);
  const virtual: Keyspace = { ...made, name: 'system', isVirtual: true };
  const before = new Map([
    ['ks', made],
    ['system', virtual],
  ]);
  assert.deepEqual(recordsOfDifference(new Map([['system', virtual]]), new Map()), []);
  const gone = recordsOfDifference(before, new Map([['system', virtual]]));
  assert.deepEqual(gone.map(({ kind, id, value }) => [kind, id, value]).sort(), [
    ['cql-keyspace', 'ks', null],
    ['cql-table', 'ks/t', null],
    ['cql-type', 'ks/Z last', null],
    ['cql-type', 'ks/a_first', null],
  ]);
  const durable = recordsOfDifference(before, new Map(before).set('ks', { ...made, durableWrites: true }));
  assert.deepEqual(
    durable.map(({ kind }) => kind),
    ['cql-keyspace'],
  );
});

test('definitions that cannot be read are reported as damaged', () => {
  const stored = { keyspace: new Map([['ks', { replication: 5 }]]), table: new Map(), type: new Map() };
  assert.throws(() => decodeDefinitions(stored), { code: 'corrupt-data' });
});
