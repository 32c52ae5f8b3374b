import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { ItemChunk } from '../../execution/nosql/feeds/item-walk.ts';
import type { NosqlParts } from '../../execution/nosql/nosql-parts.ts';
import { IndexUsed, type ItemSource } from '../../execution/nosql/queries/item-source.ts';
import {
  decodeQueryToken,
  encodeQueryToken,
  fingerprintOf,
  type QueryPosition,
} from '../../execution/nosql/queries/query-token.ts';
import { runQuery } from '../../execution/nosql/queries/run-query.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { systemClock } from '../../foundation/clock.ts';
import { systemScheduler } from '../../foundation/scheduler.ts';
import { priceLists } from '../../throughput/request-charge.ts';
import { planQuery } from './plan/plan-query.ts';
import { prepareText } from './prepare-query.ts';
import { queryList } from './query-list.ts';
import { runnableSelect } from './runnable-select.ts';
import type { QueryContext } from './sql-function.ts';
import { noParameters } from './sql-parameters.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };
const container = {
  container: 1,
  rid: 'AAAAAIAAAAA=',
  databaseRid: 'AAAAAA==',
} as unknown as ContainerDefinition;

/** Nobody is charged: there is no such partition. */
const parts = {
  scheduler: systemScheduler,
  throughput: {
    clock: systemClock,
    prices: priceLists['docs-2026'],
    governor: { partition: () => undefined },
  },
} as unknown as NosqlParts;

/** Items by their numbers, or by those that they say, a few at a time, from behind the position on. */
class ListSource implements ItemSource {
  readonly used = new IndexUsed();
  readonly #items: readonly (readonly [number, object])[];
  #at: number;

  constructor(items: readonly object[], after: QueryPosition['items']) {
    this.#items = items.map((item, at) => ['rid' in item ? Number(item.rid) : at + 1, item]);
    const done = after?.order === 'key' ? after.key : '';
    this.#at = this.#items.filter(([rid]) => keyOf(rid) <= done).length;
  }

  leaveStretch(): void {}

  next(): number | undefined {
    return this.#at < this.#items.length ? 0 : undefined;
  }

  chunk(): Promise<ItemChunk | undefined> {
    const taken = this.#items.slice(this.#at, this.#at + (this.#items.length > 100 ? 1_000 : 3));
    this.#at += taken.length;
    return Promise.resolve({
      physicalPartition: 0,
      items: taken.map(([rid, item]) => ({
        key: keyOf(rid),
        item: {
          kind: 'json-item',
          timestamp: 1,
          ttlSeconds: undefined,
          rid,
          payload: Buffer.from('json' in item ? String(item.json) : JSON.stringify(item)),
        },
      })),
      positionAfter: (index) => ({ order: 'key', key: keyOf(taken[index]?.[0] ?? 0) }),
    });
  }
}

function keyOf(rid: number): ByteString {
  return String(rid).padStart(8, '0') as ByteString;
}

/** The items of each page are made anew. */
async function readPages(
  text: string,
  itemsOf: (page: number) => readonly object[],
  maxItems: number,
): Promise<readonly (readonly unknown[])[]> {
  const query = runnableSelect(prepareText(text), noParameters, context);
  const fingerprint = fingerprintOf(1, query.identity);
  let from: QueryPosition = {
    items: undefined,
    sorted: undefined,
    skipped: query.skipped,
    left: query.taken,
  };
  const pages: unknown[][] = [];
  for (let number = 0; number < 500; number++) {
    const page = await runQuery(parts, {
      container,
      query,
      source: new ListSource(itemsOf(number), from.items),
      from,
      maxItems,
      traits: { operation: 'query', priority: 'high', bucket: 0 },
      consistencyMultiplier: 1,
      logicalPartition: undefined,
      refuseUnreached: () => {},
    });
    if (query.shape !== 'parts') assert.ok(page.results.length <= maxItems);
    pages.push(page.results.map((result) => withoutSystem(JSON.parse(String(result)))));
    if (page.next === undefined) return pages;
    assert.ok(page.results.length > 0, 'a page that is not the last has results');
    from = decodeQueryToken(encodeQueryToken(page.next, fingerprint) ?? '', fingerprint);
  }
  throw new Error(`${text} never ends`);
}

function withoutSystem(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('_')));
}

const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom<unknown>('a', 'b', true, null, undefined),
);
const item = fc.record(
  {
    a: scalar,
    b: scalar,
    list: fc.array(
      scalar.filter((value) => value !== undefined),
      { maxLength: 4 },
    ),
  },
  { noNullPrototype: true },
);

const selected = fc.constantFrom(
  '*',
  'VALUE c.a',
  'c.a, c.b',
  'VALUE {"x": c.b}',
  'DISTINCT VALUE c.a',
  'DISTINCT c.b',
);
const filter = fc.constantFrom(
  '',
  'WHERE c.a > 0',
  'WHERE IS_DEFINED(c.b)',
  'WHERE c.a = c.b OR ARRAY_LENGTH(c.list) > 1',
);
const order = fc.constantFrom('', 'ORDER BY c.a', 'ORDER BY c.a DESC', 'ORDER BY c.b, c.a DESC');
const window = fc.constantFrom('', 'OFFSET 2 LIMIT 3', 'OFFSET 0 LIMIT 100', 'OFFSET 30 LIMIT 5');
const query = fc.oneof(
  fc
    .tuple(selected, filter, order, window)
    .map(([list, where, by, cut]) => `SELECT ${list} FROM c ${where} ${by} ${cut}`),
  fc
    .tuple(filter, window)
    .map(([where, cut]) => `SELECT VALUE [c.a, x] FROM c JOIN x IN c.list ${where} ${cut}`),
  fc
    .tuple(filter, window)
    .map(([where, cut]) => `SELECT c.a, COUNT(1) AS n FROM c ${where} GROUP BY c.a ${cut}`),
  fc
    .tuple(filter, order, window)
    .map(([where, by, cut]) => `SELECT VALUE [x.a] FROM (SELECT c.a, c.b FROM c ${where} ${by} ${cut}) x`),
  fc
    .tuple(filter, window)
    .map(([where, cut]) => `SELECT * FROM (SELECT c.a, COUNT(1) AS n FROM c ${where} GROUP BY c.a) g ${cut}`),
  fc
    .tuple(filter, window)
    .map(([where, cut]) => `SELECT VALUE MIN(c.b) FROM c ${where} GROUP BY c.a, c.list ${cut}`),
  fc
    .tuple(filter, window)
    .map(
      ([where, cut]) =>
        `SELECT g.n, COUNT(1) AS k FROM (SELECT c.a, c.b AS n FROM c ${where} GROUP BY c.a, c.b) g GROUP BY g.n ${cut}`,
    ),
  filter.map((where) => `SELECT DISTINCT c.a, c.b FROM c ${where} ORDER BY c.b DESC`),
  fc
    .tuple(filter, order, window)
    .map(([where, by, cut]) => `SELECT DISTINCT VALUE x FROM c JOIN x IN c.list ${where} ${by} ${cut}`),
  fc
    .tuple(filter, window)
    .map(([where, cut]) => `SELECT DISTINCT VALUE COUNT(1) FROM c ${where} GROUP BY c.a, c.b ${cut}`),
  filter.map((where) => `SELECT TOP 3 VALUE c.b FROM c ${where}`),
  filter.map((where) => `SELECT COUNT(1) AS n, MAX(c.a) AS m FROM c ${where}`),
);

test('page by page, with tokens in between, a query gives what it gives at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 12 }),
      query,
      fc.integer({ min: 1, max: 5 }),
      async (items, text, size) => {
        const stored = items.map((one) => JSON.parse(JSON.stringify(one)) as object);
        const whole = queryList({ text, parameters: noParameters }, stored, context);
        const expected = JSON.parse(JSON.stringify(whole)) as unknown[];
        assert.deepEqual((await readPages(text, () => stored, size)).flat(), expected, text);
      },
    ),
    { numRuns: 300 },
  );
});

const ofGroups = fc.constantFrom(
  'SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a',
  'SELECT c.a, c.b, MIN(c.list[0]) AS least FROM c GROUP BY c.a, c.b',
  'SELECT VALUE MAX(x) FROM c JOIN x IN c.list GROUP BY c.b',
  'SELECT DISTINCT VALUE c.a FROM c',
  'SELECT DISTINCT c.a, c.list FROM c',
  'SELECT DISTINCT c.b, c.a FROM c ORDER BY c.a DESC, c.b',
  'SELECT DISTINCT VALUE c.a FROM c ORDER BY c.b',
  'SELECT DISTINCT c.list FROM c ORDER BY c.a DESC, c.b',
  'SELECT DISTINCT VALUE x FROM c JOIN x IN c.list ORDER BY c.a DESC OFFSET 1 LIMIT 3',
  'SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.a',
  'SELECT DISTINCT c.a, MAX(c.list[0]) AS most FROM c GROUP BY c.a, c.b OFFSET 1 LIMIT 4',
  'SELECT DISTINCT VALUE MIN(c.b) FROM c',
);

test('groups and distinct values come once each, whichever way the items come in every page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 12 }),
      ofGroups,
      fc.integer({ min: 1, max: 5 }),
      fc.infiniteStream(fc.nat()),
      async (items, text, size, order) => {
        const stored = items.map((one) => JSON.parse(JSON.stringify(one)) as object);
        const expected: unknown = JSON.parse(
          JSON.stringify(queryList({ text, parameters: noParameters }, stored, context)),
        );
        const shuffled = (): object[] =>
          stored
            .map((one) => [order.next().value as number, one] as const)
            .sort(([a], [b]) => a - b)
            .map(([, one]) => one);
        assert.deepEqual((await readPages(text, shuffled, size)).flat(), expected, text);
      },
    ),
    { numRuns: 200 },
  );
});

test('a group that comes and goes between pages makes no other be given twice or left out', async () => {
  const of = (words: readonly string[]) => words.map((word) => ({ word }));
  const lists = [
    ['b', 'd', 'f', 'h'],
    ['a', 'b', 'd', 'e', 'f', 'h'],
    ['d', 'f', 'h'],
    ['f', 'h'],
  ];
  for (const text of ['SELECT DISTINCT VALUE c.word FROM c', 'SELECT VALUE c.word FROM c GROUP BY c.word']) {
    const pages = await readPages(text, (page) => of(lists[Math.min(page, 3)] ?? []), 1);
    assert.deepEqual(pages, [['b'], ['d'], ['f'], ['h']], text);
  }
});

test('a distinct value comes once where what it is sorted by is covered by another of its name', async () => {
  const items = [0, 1, 2, 3, 4, 5].map((a) => ({ a, b: a % 2 }));
  const pages = await readPages('SELECT DISTINCT c.a, c.b AS a FROM c ORDER BY c.a', () => items, 1);
  assert.deepEqual(pages.flat(), [{ a: 0 }, { a: 1 }]);
});

test('groups without a result make no page empty', async () => {
  const items = [...Array(40).keys()].map((a) => (a % 20 === 19 ? { a, b: a } : { a }));
  const pages = await readPages('SELECT VALUE MIN(c.b) FROM c GROUP BY c.a', () => items, 1);
  assert.deepEqual(pages, [[19], [39]]);
});

test('a text that is looked for is found however it is spelt', async () => {
  const texts = [
    '{"id":"1","a":"blue red"}',
    '{"id":"2","a":"\\u0072ed"}',
    '{"id":"3","a":"r\\/ed"}',
    '{"id":"4","a":"Red"}',
  ];
  const items = texts.map((json) => ({ json }));
  for (const [filter, ids] of [
    ['CONTAINS(c.a, "red")', ['1', '2']],
    ['c.a = "red"', ['2']],
    ['c.a LIKE "r/%"', ['3']],
    ['c.a = "r/ed" AND c.id = "3"', ['3']],
    ['CONTAINS(c.a, "red", true)', ['1', '2', '4']],
  ] as const) {
    const pages = await readPages(`SELECT VALUE c.id FROM c WHERE ${filter}`, () => items, 10);
    assert.deepEqual(pages.flat(), ids, filter);
  }
});

test('a distinct value stands where its first row does, and does not come again with a later one', async () => {
  const items = [
    { word: 'late', n: 9 },
    { word: 'both', n: 8 },
    { word: 'early', n: 2 },
    { word: 'both', n: 1 },
    { word: 'early', n: 10 },
  ];
  const text = (by: string) => `SELECT DISTINCT VALUE c.word FROM c ORDER BY ${by}`;
  const pages = await readPages(text('c.n'), () => items, 1);
  assert.deepEqual(pages, [['both'], ['early'], ['late']]);
  const backwards = await readPages(text('c.n DESC'), () => items, 1);
  assert.deepEqual(backwards, [['early'], ['late'], ['both']]);
});

test('positions behind long values fit into a token', async () => {
  const items = ['a', 'b', 'c'].map((word) => ({ word: word.repeat(20_000) }));
  const pages = await readPages('SELECT DISTINCT VALUE c.word FROM c', () => items, 1);
  const lengths = pages.flat().map((word) => String(word).slice(0, 1));
  assert.deepEqual(lengths.toSorted(), ['a', 'b', 'c']);
});

const manyItems = Array.from({ length: 45_000 }, (_, n) => ({
  n,
  kind: n % 1_300,
  isRare: n % 44_000 === 10,
}));

/** What a client is told to ask of each partition. */
function partOf(text: string): string {
  const plan = planQuery(prepareText(text).query, noParameters, {
    partitionKey: { kind: 'hash', paths: ['/pk'] },
    partitionKeyPaths: [['pk']],
  } as unknown as Parameters<typeof planQuery>[2]);
  assert.ok('queryInfo' in plan);
  return plan.queryInfo.rewrittenQuery;
}

test('of a planned query each page gives parts of groups, and reads every item once', async () => {
  const fewer = manyItems.slice(0, 8_000);
  const text = partOf('SELECT c.kind, COUNT(1) AS n, SUM(c.n) AS s FROM c GROUP BY c.kind');
  const pages = (await readPages(text, () => fewer, 10)) as readonly {
    readonly groupByItems: [{ readonly item: number }];
    readonly payload: { readonly n: { readonly item: number }; readonly s: { readonly item: number } };
  }[][];
  // As many as have room in a page.
  assert.deepEqual(pages[0]?.length, 1_000);
  const counts = new Map<number, number>();
  let sum = 0;
  for (const { groupByItems, payload } of pages.flat()) {
    const [{ item: group }] = groupByItems;
    counts.set(group, (counts.get(group) ?? 0) + payload.n.item);
    sum += payload.s.item;
  }
  assert.equal(counts.size, 1_300);
  for (const [group, count] of counts) assert.equal(count, Math.ceil((8_000 - group) / 1_300), String(group));
  assert.equal(sum, (8_000 * 7_999) / 2);
});

test('a part of an aggregate ends with the work of a page, one of groups with the item that goes on', async () => {
  const counted = await readPages(partOf('SELECT VALUE COUNT(1) FROM c'), () => manyItems, 10);
  assert.deepEqual(counted, [[[{ item: 20_000 }]], [[{ item: 20_000 }]], [[{ item: 5_000 }]]]);
  const rare = partOf('SELECT c.isRare, MAX(c.n) AS m FROM c WHERE c.isRare GROUP BY c.isRare');
  const found = (await readPages(rare, () => manyItems, 10)).map((page) => page.length);
  assert.deepEqual(found, [1, 1], 'no page is empty, because some clients take that for the end');
});

test('a planned DISTINCT is distinct within each page, and lacks nothing', async () => {
  const text = partOf('SELECT DISTINCT VALUE c.kind FROM c');
  const pages = await readPages(text, () => manyItems.slice(0, 6_000), 700);
  for (const page of pages) assert.equal(new Set(page).size, page.length);
  assert.equal(new Set(pages.flat()).size, 1_300);
  assert.equal(pages.flat().length, 6_000, 'a value of an earlier page is given again');
});

test('a page that ends inside an item leaves out nothing of the others when that one is gone', async () => {
  const items = [
    { rid: 1, list: ['a', 'b'] },
    { rid: 2, list: ['c', 'd'] },
    { rid: 3, list: ['e'] },
  ];
  const text = 'SELECT VALUE x FROM c JOIN x IN c.list';
  const pages = await readPages(text, (page) => items.slice(page === 0 ? 0 : 1), 1);
  assert.deepEqual(pages.flat(), ['a', 'c', 'd', 'e']);
  assert.deepEqual((await readPages(text, () => items, 1)).flat(), ['a', 'b', 'c', 'd', 'e']);
});

test('an item that is met again, since it was changed meanwhile, is given once in a page', async () => {
  const items = [
    { rid: 7, n: 1 },
    { rid: 8, n: 2 },
    { rid: 7, n: 3 },
  ];
  const pages = await readPages('SELECT VALUE c.n FROM c ORDER BY c.n', () => items, 10);
  assert.deepEqual(pages, [[1, 2]]);
});

test('a position that counts groups, as there was before they had an order, is of no use any more', () => {
  const counted = { items: undefined, sorted: undefined, skipped: 2, left: Number.POSITIVE_INFINITY };
  for (const text of [
    'SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a',
    'SELECT DISTINCT VALUE c.a FROM c',
    'SELECT DISTINCT VALUE c.a FROM c ORDER BY c.b',
    'SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.a',
    'SELECT [{"item": c.a}] AS groupByItems, {"a": c.a} AS payload FROM c GROUP BY c.a',
  ]) {
    const { identity } = runnableSelect(prepareText(text), noParameters, context);
    const former = encodeQueryToken(counted, fingerprintOf(1, JSON.stringify([text, []]))) ?? '';
    assert.throws(
      () => decodeQueryToken(former, fingerprintOf(1, identity)),
      (error) => error instanceof RingfoldError && error.code === 'bad-page-token',
      text,
    );
  }
});
