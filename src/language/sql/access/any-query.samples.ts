// Queries, documents and policies of all kinds, for properties that hold of every one.

import fc from 'fast-check';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';

const long = 'l'.repeat(300);
const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 2 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', 'ab', 'abc', 'b', '', 'é', '\n', `${long}1`, `${long}2`, long),
  },
  { weight: 2, arbitrary: fc.constantFrom(true, false, null, 0.5, 1e300) },
);
const value = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ n: scalar }) },
);

export const anyDocument: fc.Arbitrary<object> = fc.record(
  {
    pk: fc.constantFrom('p', 'q', 'r', 's', 't'),
    a: value,
    b: value,
    c: fc.record({ n: value }),
    tags: fc.array(scalar, { maxLength: 4 }),
  },
  { requiredKeys: ['pk'] },
);

const path = fc.constantFrom('c.a', 'c.b', 'c.c.n', 'c.pk', 'c.id', 'c._ts', 'c.tags[0]', 'c.a.n', 'c.kind');
const literal = scalar.map((one) => JSON.stringify(one));
const comparison = fc.tuple(path, fc.constantFrom('=', '<', '<=', '>', '>=', '!='), literal);
const leaf: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: comparison.map(([left, operator, right]) => `${left} ${operator} ${right}`) },
  comparison.map(([left, , right]) => `${right} >= ${left}`),
  fc.tuple(path, fc.array(literal, { minLength: 1, maxLength: 4 })).map(([of, list]) => `${of} IN (${list})`),
  fc.tuple(path, literal, literal).map(([of, low, high]) => `${of} BETWEEN ${low} AND ${high}`),
  fc
    .tuple(
      fc.constantFrom('STARTSWITH', 'CONTAINS', 'ENDSWITH', 'STRINGEQUALS'),
      path,
      fc.constantFrom('a', 'ab', '', '\\n', 'é', long),
      fc.constantFrom('', '', ', false', ', true'),
    )
    .map(([check, of, text, flag]) => `${check}(${of}, "${text}"${flag})`),
  fc
    .tuple(path, fc.constantFrom('a%', 'ab', '%b', 'a_', '%b%', `${long}%`))
    .map(([of, text]) => `${of} LIKE "${text}"`),
  fc
    .tuple(
      fc.constantFrom(
        'IS_DEFINED',
        'IS_NULL',
        'IS_STRING',
        'IS_ARRAY',
        'IS_NUMBER',
        'IS_OBJECT',
        'IS_PRIMITIVE',
      ),
      path,
    )
    .map(([check, of]) => `${check}(${of})`),
  path,
  path.map((of) => `NOT ${of}`),
  literal.map((one) => `ARRAY_CONTAINS(c.tags, ${one})`),
  literal.map((one) => `ARRAY_CONTAINS([${one}, 1], c.a)`),
  literal.map((one) => `EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = ${one})`),
  fc.constant('(SELECT VALUE COUNT(1) FROM t IN c.tags) > 1'),
  path.map((of) => `UPPER(${of}) = "A"`),
);
const condition = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 6, arbitrary: leaf },
    {
      weight: 2,
      arbitrary: fc.array(tie('any'), { minLength: 2, maxLength: 3 }).map((of) => `(${of.join(' AND ')})`),
    },
    {
      weight: 1,
      arbitrary: fc.array(tie('any'), { minLength: 2, maxLength: 3 }).map((of) => `(${of.join(' OR ')})`),
    },
    { weight: 1, arbitrary: tie('any').map((of) => `NOT (${of})`) },
  ),
})).any;
const where = fc.option(condition, { nil: undefined }).map((of) => (of === undefined ? '' : ` WHERE ${of}`));

const orderBy = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  fc
    .tuple(fc.constantFrom('c.a', 'c.b', 'c.c.n', 'c.id', 'c._ts', 'c.pk'), fc.constantFrom('', ' DESC'))
    .map(([of, direction]) => ` ORDER BY ${of}${direction}`),
  fc.constantFrom(
    ' ORDER BY c.a, c.b DESC',
    ' ORDER BY c.a DESC, c.b',
    ' ORDER BY c.b, c.a',
    ' ORDER BY c.pk, c.a DESC',
    ' ORDER BY c.a, c.b, c.id',
  ),
);
const window = fc.constantFrom('', '', '', ' OFFSET 2 LIMIT 3', ' OFFSET 0 LIMIT 50');

/** How much of an answer is laid down: its rows, or how many there are, or also the order in which they come. */
type Certain = 'order' | 'rows' | 'count';

export interface AnyQuery {
  readonly text: string;
  readonly certain: Certain;
}

function rowsOf(text: string, order: string, cut: string): AnyQuery {
  const isCut = cut !== '' || text.includes(' TOP ');
  return { text: `${text}${order}${cut}`, certain: order !== '' ? 'order' : isCut ? 'count' : 'rows' };
}

const ofItems = fc
  .tuple(
    fc.constantFrom('*', 'VALUE c.id', 'c.id, c.a', 'TOP 3 c.id', 'VALUE {"x": c.b}', 'VALUE c.a.n'),
    where,
    orderBy,
    window,
  )
  .map(([list, filter, order, cut]) => {
    const top = list.startsWith('TOP');
    return rowsOf(`SELECT ${list} FROM c${filter}`, order, top ? '' : cut);
  });

const ofJoins = fc
  .tuple(
    fc.constantFrom(
      'c JOIN t IN c.tags',
      'c JOIN t IN c.tags JOIN u IN c.tags',
      'c JOIN (SELECT VALUE c.a) t',
    ),
    fc.option(fc.tuple(fc.constantFrom('=', '>', '!='), literal), { nil: undefined }),
    leaf,
    orderBy,
    window,
  )
  .map(([from, inner, filter, order, cut]) => {
    const also = inner === undefined ? '' : ` AND t ${inner.join(' ')}`;
    return rowsOf(`SELECT VALUE [c.id, t] FROM ${from} WHERE ${filter}${also}`, order, cut);
  });

const ofSubqueries = fc
  .tuple(
    fc.constantFrom(
      'VALUE ARRAY(SELECT VALUE t FROM t IN c.tags WHERE t != 1)',
      'c.id, (SELECT VALUE MAX(t) FROM t IN c.tags) AS most',
      'VALUE ARRAY(SELECT DISTINCT VALUE t FROM t IN c.tags ORDER BY t DESC)',
      'VALUE EXISTS(SELECT VALUE 1 FROM t IN c.tags WHERE t = c.a)',
    ),
    where,
    orderBy,
    window,
  )
  .map(([list, filter, order, cut]) => rowsOf(`SELECT ${list} FROM c${filter}`, order, cut));

const ofDistinct = fc
  .tuple(
    fc.constantFrom('VALUE c.a', 'c.b, c.pk', 'VALUE c.pk', 'VALUE {"t": c.tags[0]}', '*'),
    where,
    orderBy,
    window,
  )
  .map(
    ([list, filter, order, cut]): AnyQuery => ({
      text: `SELECT DISTINCT ${list} FROM c${filter}${order}${cut}`,
      certain: 'order',
    }),
  );

const aggregate = fc
  .tuple(
    fc.constantFrom('COUNT', 'MIN', 'MAX', 'SUM', 'AVG', 'COUNTIF'),
    fc.constantFrom('c.a', 'c.b', 'c.c.n', '1'),
  )
  .map(([name, of]) => `${name}(${name === 'COUNTIF' ? `${of} = 1` : of})`);

const ofGroups = fc
  .tuple(
    fc.constantFrom('', 'DISTINCT '),
    fc.subarray(['c.a', 'c.pk', 'c.b', 'c.tags[0]'], { maxLength: 2 }),
    fc.array(aggregate, { minLength: 1, maxLength: 3 }),
    fc.boolean(),
    where,
    window,
  )
  .map(([distinct, keys, aggregates, isValue, filter, cut]): AnyQuery => {
    const shown = keys.map((key, at) => `${key} AS k${at}`);
    const named = aggregates.map((one, at) => `${one} AS x${at}`);
    const list = isValue ? `VALUE ${aggregates[0]}` : [...shown, ...named].join(', ');
    const by = keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`;
    return { text: `SELECT ${distinct}${list} FROM c${filter}${by}${cut}`, certain: 'order' };
  });

const ofCollected = fc
  .tuple(
    fc.constantFrom(
      'SELECT c.a, COUNT(1) AS n FROM c¶ GROUP BY c.a',
      'SELECT DISTINCT c.a, c.pk AS n FROM c¶',
      'SELECT c.a, c.id AS n FROM c¶ ORDER BY c.a OFFSET 1 LIMIT 6',
      'SELECT MAX(c.a) AS a, COUNT(1) AS n FROM c¶',
    ),
    where,
    fc.constantFrom('*', 'VALUE x.n', 'DISTINCT VALUE x.n', 'VALUE COUNT(1)', 'TOP 2 x.a'),
    fc.constantFrom('', ' WHERE x.n > 1', ' WHERE x.a = 1'),
  )
  .map(
    ([inner, filter, list, outer]): AnyQuery => ({
      text: `SELECT ${list} FROM (${inner.replace('¶', filter)}) x${outer}`,
      certain: 'order',
    }),
  );

export const anyQuery: fc.Arbitrary<AnyQuery> = fc.oneof(
  { weight: 6, arbitrary: ofItems },
  { weight: 2, arbitrary: ofJoins },
  { weight: 1, arbitrary: ofSubqueries },
  { weight: 3, arbitrary: ofDistinct },
  { weight: 3, arbitrary: ofGroups },
  { weight: 1, arbitrary: ofCollected },
);

export const anyPolicy: fc.Arbitrary<IndexingPolicy> = fc
  .record({
    mode: fc.oneof(
      { weight: 12, arbitrary: fc.constant('consistent' as const) },
      fc.constant('none' as const),
    ),
    paths: fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .subarray(['/a/*', '/c/n/?', '/tags/*', '/pk/?'])
          .map((excludedPaths) => ({ includedPaths: ['/*'], excludedPaths })),
      },
      fc
        .subarray(['/a/?', '/b/*', '/c/*', '/tags/[]/?', '/pk/?'])
        .map((includedPaths) => ({ includedPaths, excludedPaths: ['/*'] })),
    ),
    composites: fc.subarray(['a+ b-', 'b+ a+', 'pk+ a+', 'pk- a+', 'a+ id+', 'a+ b+ id+']),
  })
  .map(({ mode, paths, composites }) => ({
    mode,
    automatic: true,
    ...paths,
    compositeIndexes: composites.map((of) =>
      of.split(' ').map((one) => ({
        path: `/${one.slice(0, -1)}`,
        order: one.endsWith('+') ? ('ascending' as const) : ('descending' as const),
      })),
    ),
  }));
