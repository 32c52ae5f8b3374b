import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import type { FilterAccess, ValueRange } from '../../../execution/nosql/queries/query-access.ts';
import { indexTypePrefix, indexValueOf } from '../../../values/index-value.ts';
import { parseSql } from '../parse-sql.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import type { SqlValue } from '../sql-value.ts';
import { textOfPath } from './index-paths.ts';
import { planAccess } from './plan-access.ts';
import { isOneValue } from './value-ranges.ts';

const policy: IndexingPolicy = {
  mode: 'consistent',
  automatic: true,
  includedPaths: ['/*'],
  excludedPaths: [],
  compositeIndexes: [
    [
      { path: '/type', order: 'ascending' },
      { path: '/at', order: 'descending' },
    ],
    [
      { path: '/x', order: 'ascending' },
      { path: '/y', order: 'ascending' },
    ],
  ],
};
const parameters: SqlParameters = new Map<string, SqlValue>([
  ['@n', 5],
  ['@list', [1, 2]],
]);

function accessOf(text: string) {
  return planAccess({ query: parseSql(text), parameters, policy, computedNames: new Set(['made']) });
}

/** `=` for a single value, `^` for what begins with something, `<>` for any other range. */
function markOf(range: ValueRange): string {
  if (isOneValue(range)) return '=';
  return range.from.startsWith(indexTypePrefix('string')) &&
    range.from.length > 1 &&
    range.to?.length === range.from.length
    ? '^'
    : '<>';
}

function written(access: FilterAccess | undefined): string {
  if (access === undefined) return 'scan';
  if (access.kind !== 'seek') return `${access.kind}(${access.of.map(written).join(' ')})`;
  const { order, ranges } = access;
  const path =
    order.kind === 'path'
      ? textOfPath(order.path)
      : order.paths.map(({ names }) => textOfPath(names)).join('+');
  return `${path}${order.kind === 'path' ? ranges.map(markOf).join('') : ''}`;
}

test('a filter is looked up as far as an index can answer it', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['c.a = 1', '/a='],
    ['1 = c.a', '/a='],
    ['c.a = @n', '/a='],
    ['c.a = undefined', 'any()'],
    ['c.a = null', '/a='],
    ['c.a > 1 AND c.a <= 4', '/a<>'],
    ['c.a > -20 AND c.a <= -19', '/a<>'],
    ['c.a > 4 AND c.a < 1', 'any()'],
    ['c.a BETWEEN 1 AND @n', '/a<>'],
    ['c.a IN (1, 2, "x")', '/a==='],
    ['c.a NOT IN (1)', 'scan'],
    ['c.a != 1', 'scan'],
    ['ARRAY_CONTAINS(@list, c.a)', '/a=='],
    ['ARRAY_CONTAINS(c.tags, "x")', '/tags/[]='],
    ['ARRAY_CONTAINS(c.tags, "x", true)', 'scan'],
    ['STARTSWITH(c.a, "ab")', '/a^'],
    ['STARTSWITH(c.a, "ab", false)', '/a^'],
    ['STARTSWITH(c.a, "ab", true)', 'scan'],
    ['STRINGEQUALS(c.a, "ab")', '/a='],
    ['c.a LIKE "ab%"', '/a^'],
    ['c.a LIKE "ab"', '/a='],
    ['c.a LIKE "a!%b%" ESCAPE "!"', '/a^'],
    ['c.a LIKE "%b"', '/a<>'],
    ['CONTAINS(c.a, "x")', 'scan'],
    ['IS_DEFINED(c.a)', '/a<>'],
    ['IS_NULL(c.a)', '/a='],
    ['NOT IS_DEFINED(c.a)', 'scan'],
    ['c.flag', '/flag='],
    ['NOT c.flag', '/flag='],
    ['c.a = 1 AND c.b = 2', 'all(/a= /b=)'],
    ['c.a > 1 AND c.b = 2', 'all(/b= /a<>)'],
    ['c.a = 1 AND UPPER(c.b) = "X"', '/a='],
    ['c.a = 1 OR c.b = 2', 'any(/a= /b=)'],
    ['c.a = 1 OR c.a = 2', '/a=='],
    ['c.a = 1 OR UPPER(c.b) = "X"', 'scan'],
    ['(c.a = 1 OR c.b = 2) AND c.d = 3', 'all(/d= any(/a= /b=))'],
    ['NOT (c.a = 1)', 'scan'],
    ['c.a = c.b', 'scan'],
    ['c.made = 1', 'scan'],
    ['c.made = 1 AND c.a = 2', '/a='],
    ['c.made = 1 OR c.a = 2', 'scan'],
    ['c.type = "t" AND c.at = 3', '/type+/at'],
    ['c.x = 1 AND c.y > 3', '/x+/y'],
    ['c.x = 1 AND c.y > 3 AND c.a = 5', 'all(/x+/y /a=)'],
    ['c.type = "t" AND c.at > 3', 'all(/type= /at<>)'],
    ['EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t.n = 1)', '/tags/[]/n='],
    ['EXISTS(SELECT VALUE COUNT(1) FROM t IN c.tags WHERE t.n = 1)', 'scan'],
    ['c.list[2].n = 1', '/list/[]/n='],
    ['true', 'scan'],
    ['false', 'any()'],
  ];
  for (const [where, expected] of rows)
    assert.equal(written(accessOf(`SELECT * FROM c WHERE ${where}`).filter), expected, where);
  assert.equal(
    written(accessOf('SELECT VALUE t FROM c JOIN t IN c.tags WHERE t.n = 1 AND c.a = 2').filter),
    'all(/tags/[]/n= /a=)',
  );
});

test('an order is walked along an index of its path, or along a composite index whose beginning the filter knows', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['c ORDER BY c.a', ['/a']],
    ['c ORDER BY c.a DESC', ['-/a']],
    ['c WHERE c.a > 1 ORDER BY c.a', ['/a<>']],
    ['c ORDER BY c.type, c.at DESC', ['/type+/at']],
    ['c ORDER BY c.type DESC, c.at', ['-/type+/at']],
    ['c WHERE c.type = "t" ORDER BY c.type, c.at DESC', ['/type+/at=']],
    ['c WHERE c.type = "t" ORDER BY c.at', ['-/type+/at=', '/at']],
    ['c WHERE c.type = "t" ORDER BY c.at DESC', ['/type+/at=', '-/at']],
    ['c WHERE c.type > "t" ORDER BY c.at DESC', ['-/at']],
    ['c ORDER BY c.list[0]', []],
    ['c ORDER BY c.made', []],
  ];
  for (const [text, expected] of rows) {
    const orders = accessOf(`SELECT * FROM ${text}`).orders.map(({ order, isReversed, ranges }) => {
      const path =
        order.kind === 'path'
          ? textOfPath(order.path)
          : order.paths.map(({ names }) => textOfPath(names)).join('+');
      const isNarrow = ranges.some(({ from }) => from !== '');
      return `${isReversed ? '-' : ''}${path}${isNarrow ? (order.kind === 'path' ? '<>' : '=') : ''}`;
    });
    assert.deepEqual(orders, expected, text);
  }
});

test('items without the path may be results of an order, unless the filter asks for something there', () => {
  assert.equal(accessOf('SELECT * FROM c ORDER BY c.a').orders[0]?.mayLack, true);
  assert.equal(accessOf('SELECT * FROM c WHERE c.a > 1 ORDER BY c.a').orders[0]?.mayLack, false);
  assert.equal(accessOf('SELECT * FROM c WHERE IS_DEFINED(c.a) ORDER BY c.a').orders[0]?.mayLack, false);
});

test('keys have the bytes that an entry with them has', () => {
  const [composite] = accessOf('SELECT * FROM c WHERE c.x = 1 ORDER BY c.y').orders;
  assert.equal(composite?.valueOf(['b']), indexValueOf(1) + indexValueOf('b'));
});
