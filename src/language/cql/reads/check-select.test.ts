// What each WHERE comes to, or how it is refused. Every text here was compared with what Apache Cassandra 5.0 answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTable } from '../../../catalog/cql/build-table.ts';
import type { IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { parseCql } from '../cql-parser.ts';
import { Variables } from '../expressions/variables.ts';
import { type CheckedSelect, checkSelect } from './check-select.ts';
import { filteringMessage } from './select-restrictions.ts';

const int: CqlType = { kind: 'int' };
const text: CqlType = { kind: 'text' };
const list: CqlType = { kind: 'list', element: int, frozen: false };
const map: CqlType = { kind: 'map', key: text, value: int, frozen: false };

const plain = buildTable({
  keyspace: 'ks',
  name: 't',
  container: 1,
  partitionKey: [['p', int]],
  clustering: [
    ['c', int],
    ['d', int],
  ],
  statics: [['s', int]],
  regulars: [
    ['du', { kind: 'duration' }],
    ['l', list],
    ['m', map],
    ['v', int],
    ['w', text],
  ],
});
const composite = buildTable({
  keyspace: 'ks',
  name: 't',
  container: 1,
  partitionKey: [
    ['a', int],
    ['b', int],
  ],
  clustering: [['c', int]],
  regulars: [['v', int]],
});
const mixed = buildTable({
  keyspace: 'ks',
  name: 't',
  container: 1,
  partitionKey: [['p', int]],
  clustering: [
    ['c', int, true],
    ['d', int],
  ],
});

function index(column: string, target: IndexSchema['target'], className?: string): IndexSchema {
  const options = new Map([['target', column]]);
  if (className !== undefined) options.set('class_name', className);
  const kind = className === undefined ? 'COMPOSITES' : 'CUSTOM';
  return { name: `t_${column}_idx`, kind, options, column, target };
}

const indexed: TableSchema = { ...plain, indexes: [index('v', 'simple'), index('l', 'values')] };
const attached: TableSchema = {
  ...plain,
  indexes: [index('v', 'simple', 'StorageAttachedIndex'), index('w', 'simple', 'StorageAttachedIndex')],
};

function check(table: TableSchema, rest: string): CheckedSelect {
  const { statement } = parseCql(`SELECT ${rest.includes(' FROM ') ? rest : `* FROM t WHERE ${rest}`}`);
  assert.equal(statement.kind, 'select');
  if (statement.kind !== 'select') throw new Error('not a SELECT');
  const schema = { version: '', keyspaces: new Map() };
  return checkSelect(statement, table, { schema, keyspace: 'ks', variables: new Variables() });
}

const refusals: readonly (readonly [table: TableSchema, rest: string, reason: string])[] = [
  [plain, 'v = 1', filteringMessage],
  [plain, 'p = 1 AND v = 1', filteringMessage],
  [plain, 'p > 1', filteringMessage],
  [plain, 'token(p) > 0 AND c = 1', filteringMessage],
  [plain, 'c = 1', filteringMessage],
  [composite, 'a = 1', filteringMessage],
  [composite, 'c = 1', filteringMessage],
  [indexed, "v = 1 AND w = 'a'", filteringMessage],
  [indexed, 'v > 1', filteringMessage],
  [indexed, 'l CONTAINS 1 AND l CONTAINS 2', filteringMessage],
  [attached, "w > 'a'", filteringMessage],
  [attached, 'v IN (1, 2)', filteringMessage],
  [plain, 'd = 1', 'PRIMARY KEY column "d" cannot be restricted as preceding column "c" is not restricted'],
  [
    plain,
    'p = 1 AND d = 1',
    'PRIMARY KEY column "d" cannot be restricted as preceding column "c" is not restricted',
  ],
  [
    plain,
    'p = 1 AND c > 0 AND d = 1',
    'Clustering column "d" cannot be restricted (preceding column "c" is restricted by a non-EQ relation)',
  ],
  [
    plain,
    'p = 1 AND d > 0 AND c > 1',
    'PRIMARY KEY column "d" cannot be restricted (preceding column "c" is restricted by a non-EQ relation)',
  ],
  [plain, 'c = 1 AND c = 2', 'c cannot be restricted by more than one relation if it includes an Equal'],
  [
    plain,
    'p = 1 AND p IN (2, 3)',
    'p cannot be restricted by more than one relation if it includes an Equal',
  ],
  [plain, 'p = 1 AND c > 1 AND c > 2', 'More than one restriction was found for the start bound on c'],
  [plain, 'p = 1 AND c < 1 AND c <= 2', 'More than one restriction was found for the end bound on c'],
  [
    plain,
    'p = 1 AND c > 1 AND c = 2',
    'Column "c" cannot be restricted by both an equality and an inequality relation',
  ],
  [plain, 'c != 2', 'Unsupported "!=" relation: c != 2'],
  [plain, 'v IS NOT NULL', 'Unsupported restriction: v IS NOT NULL'],
  [
    plain,
    "w LIKE 'a%'",
    "LIKE restriction is only supported on properly indexed columns. w LIKE 'a%' is not valid.",
  ],
  [plain, 'nope = 1', 'Undefined column name nope in table ks.t'],
  [plain, 'v CONTAINS 1', 'Cannot use CONTAINS on non-collection column v'],
  [plain, 'l CONTAINS KEY 1', 'Cannot use CONTAINS KEY on non-map column l'],
  [plain, 'l = [1]', "Collection column 'l' (list<int>) cannot be restricted by a '=' relation"],
  [plain, 'l[0] = 1', 'Indexes on list entries (l[index] = value) are not currently supported.'],
  [plain, 'v[0] = 1', 'Column v cannot be used as a map'],
  [plain, "m['a'] > 1", 'Only EQ relations are supported on map entries'],
  [plain, 'du > 5h', 'Slice restrictions are not supported on duration columns'],
  [plain, 'p = 1 AND (c, d) = (1, 2, 3)', 'Expected 2 elements in value tuple, but got 3: (1, 2, 3)'],
  [
    plain,
    'p = 1 AND (d, c) = (1, 2)',
    'Clustering columns must appear in the PRIMARY KEY order in multi-column relations: (d, c) = (1, 2)',
  ],
  [
    plain,
    'p = 1 AND (c, v) = (1, 2)',
    'Multi-column relations can only be applied to clustering columns but was applied to: v',
  ],
  [plain, 'p = 1 AND (c, c) = (1, 1)', 'Column "c" appeared twice in a relation: (c, c) = (1, 1)'],
  [
    plain,
    'token(c) > 0',
    'The token() function must be applied to all partition key components or none of them',
  ],
  [composite, 'token(b, a) > 0', 'The token function arguments must be in the partition key order: a, b'],
  [composite, 'token(a, a, b) > 0', 'The token() function contains duplicate partition key components'],
  [plain, 'token(p) > 1 AND token(p) > 2', 'More than one restriction was found for the start bound on p'],
  [
    plain,
    's FROM t WHERE p = 1 AND c = 1',
    'Cannot restrict clustering columns when selecting only static columns',
  ],
  [
    indexed,
    'v = 1 AND p IN (1, 2)',
    'Select on indexed columns and with IN clause for the PRIMARY KEY are not supported',
  ],
  [
    indexed,
    '* FROM t WHERE p = 1 AND v = 1 ORDER BY c',
    'ORDER BY with 2ndary indexes is not supported, except for ANN queries.',
  ],
  [
    plain,
    '* FROM t ORDER BY c',
    'ORDER BY is only supported when the partition key is restricted by an EQ or an IN.',
  ],
  [
    plain,
    '* FROM t WHERE p = 1 ORDER BY v',
    'Order by is currently only supported on the clustered columns of the PRIMARY KEY, got v',
  ],
  [
    plain,
    '* FROM t WHERE p = 1 ORDER BY d',
    'Order by currently only supports the ordering of columns following their declared order in the PRIMARY KEY',
  ],
  [plain, '* FROM t WHERE p = 1 ORDER BY c, d DESC', 'Unsupported order by relation'],
  [
    plain,
    'count(*) FROM t PER PARTITION LIMIT 1',
    'PER PARTITION LIMIT is not allowed with aggregate queries.',
  ],
  [
    plain,
    'DISTINCT p FROM t PER PARTITION LIMIT 1',
    'PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries',
  ],
  [
    plain,
    'DISTINCT p, v FROM t',
    'SELECT DISTINCT queries must only request partition key columns and/or static columns (not v)',
  ],
  [
    composite,
    'DISTINCT a FROM t',
    'SELECT DISTINCT queries must request all the partition key columns (missing b)',
  ],
  [
    plain,
    'DISTINCT p FROM t WHERE p = 1 AND c = 1',
    'SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or static columns.',
  ],
  [
    plain,
    'v FROM t GROUP BY v',
    'Group by is currently only supported on the columns of the PRIMARY KEY, got v',
  ],
  [
    plain,
    'v FROM t GROUP BY c',
    'Group by currently only support groups of columns following their declared order in the PRIMARY KEY',
  ],
  [composite, 'v FROM t GROUP BY a', 'Group by is not supported on only a part of the partition key'],
];

test('what cannot be read is refused in Cassandra’s words', () => {
  for (const [table, rest, reason] of refusals) {
    assert.throws(
      () => check(table, rest),
      (error: { details?: { reason?: unknown } }) => {
        assert.equal(error.details?.reason, reason, rest);
        return true;
      },
      rest,
    );
  }
});

test('ALLOW FILTERING allows what is refused for nothing else', () => {
  for (const [table, rest] of refusals.filter(([, , reason]) => reason === filteringMessage)) {
    assert.doesNotThrow(() => check(table, `${rest} ALLOW FILTERING`), rest);
  }
});

/** By what a WHERE is read: keys or ring, how many restrictions narrow the rows, how many are asked of each row. */
const ways: readonly (readonly [TableSchema, string, boolean, number, number])[] = [
  [plain, 'p = 1', false, 0, 0],
  [plain, 'p IN (1, 2) AND c = 1', false, 1, 0],
  [plain, 'p = 1 AND c = 1 AND d > 2', false, 2, 0],
  [plain, 'p = 1 AND c > 0 AND (c, d) < (2, 1)', false, 1, 0],
  [plain, 'p = 1 AND d = 1 ALLOW FILTERING', false, 0, 1],
  [plain, 'p = 1 AND c > 1 AND d = 1 ALLOW FILTERING', false, 1, 1],
  [plain, 'token(p) > 0', true, 0, 0],
  [plain, 'p = 1 AND token(p) > 0', false, 0, 0],
  [plain, 'c = 1 ALLOW FILTERING', true, 1, 0],
  [plain, 'p > 1 AND v = 1 ALLOW FILTERING', true, 0, 2],
  [composite, 'a = 1 ALLOW FILTERING', true, 0, 1],
  [composite, 'a = 1 AND b IN (1, 2)', false, 0, 0],
  [indexed, 'v = 1', true, 0, 1],
  [indexed, 'p = 1 AND v = 1', false, 0, 1],
  [indexed, 'l CONTAINS 1', true, 0, 1],
  [attached, "v > 1 AND w = 'a'", true, 0, 2],
];

test('keys and ranges narrow what is read; what they do not answer is asked of each row', () => {
  for (const [table, where, isKeyRange, sliceable, filtered] of ways) {
    const checked = check(table, where);
    assert.deepEqual(
      [checked.restrictions.isKeyRange, checked.sliceable.length, checked.filtered.length],
      [isKeyRange, sliceable, filtered],
      where,
    );
  }
});

test('an order is the stored one or its opposite, column by column', () => {
  const orders: readonly (readonly [TableSchema, string, boolean])[] = [
    [plain, 'ORDER BY c', false],
    [plain, 'ORDER BY c DESC', true],
    [plain, 'ORDER BY c DESC, d DESC', true],
    [plain, 'AND c = 1 ORDER BY d DESC', true],
    [mixed, 'ORDER BY c DESC', false],
    [mixed, 'ORDER BY c DESC, d ASC', false],
    [mixed, 'ORDER BY c ASC, d DESC', true],
  ];
  for (const [table, order, isReversed] of orders) {
    assert.equal(check(table, `p = 1 ${order}`).order.isReversed, isReversed, order);
  }
  assert.throws(() => check(mixed, 'p = 1 ORDER BY c ASC, d ASC'));
});
