import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { scopeOfLogicalPartition } from '../../../execution/nosql/feeds/feed-scope.ts';
import type { IndexedOrder } from '../../../execution/nosql/indexes/item-index.ts';
import { logicalPartitionOf } from '../../../execution/nosql/items/item-partition-key.ts';
import { IndexedSource, type ProbeSteps } from '../../../execution/nosql/queries/indexed-source.ts';
import { QueriedItems, type SampleDocument } from '../../../execution/nosql/queries/queried-items.samples.ts';
import { scansOnly } from '../../../execution/nosql/queries/query-access.ts';
import {
  decodeQueryToken,
  encodeQueryToken,
  fingerprintOf,
  type QueryPosition,
} from '../../../execution/nosql/queries/query-token.ts';
import { type QueryPage, runQuery } from '../../../execution/nosql/queries/run-query.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { wholeRing } from '../../../partitioning/ring-range.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { indexValueOf } from '../../../values/index-value.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { checkOrder } from '../check-order.ts';
import { prepareText } from '../prepare-query.ts';
import { runnableSelect } from '../runnable-select.ts';
import type { QueryContext } from '../sql-function.ts';
import { noParameters } from '../sql-parameters.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };

interface Reading {
  readonly maxItems: number;
  readonly isByScan?: boolean;
  readonly pk?: string;
  readonly steps?: ProbeSteps;
  readonly mostPages?: number;
  /** Called between pages. */
  readonly between?: (page: number) => void;
}

async function pagesOf(items: QueriedItems, text: string, reading: Reading): Promise<readonly QueryPage[]> {
  const { container, parts } = items;
  const planned = runnableSelect(prepareText(text), noParameters, context, container);
  const query = reading.isByScan === true ? { ...planned, access: scansOnly } : planned;
  const fingerprint = fingerprintOf(1, query.identity);
  const scope =
    reading.pk === undefined
      ? { range: wholeRing, logicalPartition: undefined }
      : scopeOfLogicalPartition(logicalPartitionOf(container, [reading.pk]));
  let from: QueryPosition = {
    items: undefined,
    sorted: undefined,
    skipped: query.skipped,
    left: query.taken,
  };
  const pages: QueryPage[] = [];
  for (;;) {
    const page = await runQuery(parts, {
      container,
      query,
      source: new IndexedSource(
        parts,
        container,
        [scope],
        { query, after: from.items, sortedAfter: from.sorted },
        reading.steps,
      ),
      from,
      maxItems: reading.maxItems,
      traits: { operation: 'query', priority: 'high', bucket: 0 },
      consistencyMultiplier: 1,
      logicalPartition: undefined,
      refuseUnreached: () => {},
    });
    pages.push(page);
    if (page.next === undefined || pages.length === reading.mostPages) return pages;
    assert.ok(pages.length < 2_000, `${text} never ends`);
    from = decodeQueryToken(encodeQueryToken(page.next, fingerprint) ?? '', fingerprint);
    reading.between?.(pages.length);
  }
}

async function answersOf(items: QueriedItems, text: string, reading: Reading): Promise<readonly string[]> {
  return (await pagesOf(items, text, reading)).flatMap(({ results }) => results.map(String));
}

const long = 'l'.repeat(300);
const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 2 }) },
  { weight: 3, arbitrary: fc.constantFrom('a', 'ab', 'abc', 'b', '', 'é', `${long}1`, `${long}2`, long) },
  { weight: 2, arbitrary: fc.constantFrom(true, false, null, 0.5, 1e300) },
);
const value = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ n: scalar }) },
);
const document = fc.record(
  {
    pk: fc.constantFrom('p', 'q', 'r'),
    a: value,
    b: value,
    c: fc.record({ n: value }),
    tags: fc.array(scalar, { maxLength: 4 }),
  },
  { requiredKeys: ['pk'] },
);
const path = fc.constantFrom('c.a', 'c.b', 'c.c.n', 'c.pk', 'c.id', 'c._ts', 'c.tags[0]', 'c.a.n');
const literal = scalar.map((one) => JSON.stringify(one));
const comparison = fc.tuple(path, fc.constantFrom('=', '<', '<=', '>', '>=', '!='), literal);
const leaf: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: comparison.map(([left, operator, right]) => `${left} ${operator} ${right}`) },
  comparison.map(([left, , right]) => `${right} >= ${left}`),
  fc.tuple(path, fc.array(literal, { minLength: 1, maxLength: 4 })).map(([of, list]) => `${of} IN (${list})`),
  fc.tuple(path, literal, literal).map(([of, low, high]) => `${of} BETWEEN ${low} AND ${high}`),
  fc.tuple(path, fc.constantFrom('a', 'ab', '', long)).map(([of, text]) => `STARTSWITH(${of}, "${text}")`),
  fc
    .tuple(path, fc.constantFrom('a%', 'ab', '%b', 'a_', `${long}%`))
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
  ),
);
const select = fc.constantFrom(
  'SELECT *',
  'SELECT VALUE c.id',
  'SELECT c.id, c.a',
  'SELECT TOP 3 c.id',
  'SELECT VALUE COUNT(1)',
  'SELECT *',
  'SELECT VALUE c.id',
  'SELECT DISTINCT VALUE c.a',
);
const policy: fc.Arbitrary<IndexingPolicy> = fc
  .record({
    mode: fc.oneof(
      { weight: 12, arbitrary: fc.constant('consistent' as const) },
      fc.constant('none' as const),
    ),
    excludedPaths: fc.subarray(['/a/*', '/c/n/?', '/tags/*', '/pk/?']),
    composites: fc.subarray(['a+ b-', 'b+ a+', 'pk+ a+', 'pk- a+', 'a+ id+']),
  })
  .map(({ mode, excludedPaths, composites }) => ({
    mode,
    automatic: true,
    includedPaths: ['/*'],
    excludedPaths,
    compositeIndexes: composites.map((of) =>
      of.split(' ').map((one) => ({
        path: `/${one.slice(0, -1)}`,
        order: one.endsWith('+') ? ('ascending' as const) : ('descending' as const),
      })),
    ),
  }));

function isAccepted(text: string, of: IndexingPolicy): boolean {
  try {
    checkOrder(prepareText(text).query, of);
    return true;
  } catch {
    return false;
  }
}

function sampleOf(
  documents: readonly object[],
  indexingPolicy: IndexingPolicy,
  splits: number,
): QueriedItems {
  const items = new QueriedItems({ indexingPolicy });
  for (const [at, one] of documents.entries()) items.put({ ...one, id: `i${at % 7}${at}` } as SampleDocument);
  for (let made = 0; made < splits; made++) items.split();
  return items;
}

test('whatever an index finds is what a scan finds, in any number of partitions and pages, also while they split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        documents: fc.array(document, { minLength: 8, maxLength: 24, size: 'max' }),
        policy,
        where: fc.option(condition, { nil: undefined }),
        orderBy,
        select,
        maxItems: fc.integer({ min: 1, max: 12 }),
        splits: fc.integer({ min: 0, max: 2 }),
        splitsBetween: fc.boolean(),
        steps: fc.constantFrom<ProbeSteps>(
          { first: 1, last: 1 },
          { first: 2, last: 2 },
          { first: 1, last: 3 },
          { first: 4, last: 10 },
          { first: 256, last: 4_096 },
        ),
        mostEntries: fc.integer({ min: 1, max: 5 }),
        building: fc.constantFrom(0, 0, 0, 1, 2),
        pk: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 'p'),
      }),
      async (sample) => {
        const text = `${sample.select} FROM c${sample.where === undefined ? '' : ` WHERE ${sample.where}`}${sample.orderBy}`;
        if (!isAccepted(text, sample.policy)) return;
        const items = sampleOf(sample.documents, sample.policy, sample.splits);
        const where = sample.pk === undefined ? {} : { pk: sample.pk };
        const scanned = await answersOf(items, text, { maxItems: 1_000, isByScan: true, ...where });
        const between = (page: number): void => {
          // Results without positions are counted, and a count outlasts no change of the order in which items come.
          if (sample.select.includes('DISTINCT')) return;
          if (sample.splitsBetween) items.split();
          items.index.isBuilding = page === sample.building;
        };
        items.index.mostEntries = sample.mostEntries;
        const { maxItems, steps } = sample;
        const indexed = await answersOf(items, text, { maxItems, steps, between, ...where });
        const isOrdered = sample.orderBy !== '' && !sample.select.includes('DISTINCT');
        if (isOrdered) assert.deepEqual(indexed, scanned, text);
        // Without an order any three will do.
        else if (sample.select.includes('TOP')) assert.equal(indexed.length, scanned.length, text);
        else assert.deepEqual([...indexed].sort(), [...scanned].sort(), text);
      },
    ),
    { numRuns: Number(process.env['RUNS'] ?? 60) },
  );
});

const all: IndexingPolicy = {
  mode: 'consistent',
  automatic: true,
  includedPaths: ['/*'],
  excludedPaths: [],
  compositeIndexes: [],
};

function numbered(count: number): QueriedItems {
  const documents = Array.from({ length: count }, (_, n) => ({
    pk: `p${n % 3}`,
    n,
    mod: n % 10,
    tags: [n % 2, 2, n],
  }));
  return sampleOf(documents, all, 0);
}

test('the first ten of an order load ten items, forwards and backwards, and the next ten load ten more', async () => {
  const items = numbered(120);
  for (const order of ['c.n', 'c.n DESC', 'c.mod', 'c.mod DESC', 'c._ts', 'c.id DESC']) {
    const text = `SELECT TOP 10 VALUE c.n FROM c ORDER BY ${order}`;
    items.index.given = 0;
    const [page] = await pagesOf(items, text, { maxItems: 100 });
    assert.equal(page?.figures.itemsLoaded, 10, order);
    assert.ok(items.index.given < 100, `${order}: ${items.index.given} entries`);
    const [, second] = await pagesOf(items, `SELECT VALUE c.n FROM c ORDER BY ${order}`, {
      maxItems: 10,
      mostPages: 2,
    });
    // The last one before, because its item may have had more results, and the one that tells that there is more.
    assert.equal(second?.figures.itemsLoaded, 12, order);
  }
});

test('an equality loads what is equal, however much else there is', async () => {
  for (const count of [30, 300]) {
    const items = numbered(count);
    items.index.given = 0;
    const [page] = await pagesOf(items, 'SELECT * FROM c WHERE c.n = 7', { maxItems: 100 });
    assert.deepEqual([page?.figures.itemsLoaded, items.index.given, page?.chargeRu], [1, 1, 2.6]);
  }
});

test('of several conditions the one with the fewest entries decides what is loaded, and others leave out more', async () => {
  const items = numbered(1_000);
  const [both] = await pagesOf(items, 'SELECT * FROM c WHERE c.mod = 3 AND ARRAY_CONTAINS(c.tags, 1)', {
    maxItems: 500,
  });
  assert.equal(both?.figures.itemsLoaded, 100);
  const [few] = await pagesOf(items, 'SELECT * FROM c WHERE IS_DEFINED(c.mod) AND c.n IN (3, 4)', {
    maxItems: 500,
  });
  assert.deepEqual([few?.figures.itemsLoaded, few?.used.orders.length], [2, 1]);
});

test('conditions that end in the same step are intersected before anything is loaded', async () => {
  const items = numbered(1_000);
  const [page] = await pagesOf(items, 'SELECT * FROM c WHERE c.mod = 3 AND c.n >= 900', { maxItems: 500 });
  assert.deepEqual([page?.figures.itemsLoaded, page?.results.length, page?.used.orders.length], [10, 10, 2]);
});

test('items without the path come first upwards and last downwards, whether an index has them or not', async () => {
  const items = sampleOf(
    [3, undefined, 1, undefined, 2].map((a) => (a === undefined ? { pk: 'p' } : { pk: 'p', a })),
    all,
    0,
  );
  for (const maxItems of [1, 2, 10]) {
    const upwards = await answersOf(items, 'SELECT VALUE c.a ?? 0 FROM c ORDER BY c.a', { maxItems });
    assert.deepEqual(upwards, ['0', '0', '1', '2', '3']);
    const downwards = await answersOf(items, 'SELECT VALUE c.a ?? 0 FROM c ORDER BY c.a DESC', { maxItems });
    assert.deepEqual(downwards, ['3', '2', '1', '0', '0']);
  }
});

test('texts that are cut alike are put in order by what the items have', async () => {
  const texts = [7, 2, 9, 1, 4].map((n) => `${long}${n}`);
  const items = sampleOf(
    [...texts, 'a', `${long}`, 'z'].map((a) => ({ pk: 'p', a })),
    all,
    0,
  );
  items.index.mostEntries = 1;
  const sorted = ['a', long, ...[...texts].sort(), 'z'].map((text) => JSON.stringify(text));
  for (const maxItems of [1, 3]) {
    assert.deepEqual(await answersOf(items, 'SELECT VALUE c.a FROM c ORDER BY c.a', { maxItems }), sorted);
    const reversed = await answersOf(items, 'SELECT VALUE c.a FROM c ORDER BY c.a DESC', { maxItems });
    assert.deepEqual(reversed, sorted.toReversed());
  }
  const below = await answersOf(items, `SELECT VALUE c.a FROM c WHERE c.a < "${long}4"`, { maxItems: 9 });
  assert.deepEqual(
    [...below].sort(),
    sorted.filter((text) => text < `"${long}4"`),
  );
});

test('an entry of a version that is gone gives no item a second time, nor in a place that is not its own', async () => {
  const items = numbered(20);
  const [row] = items.rowsOf(0);
  const { n } = JSON.parse(String((await answersOf(items, 'SELECT * FROM c', { maxItems: 1 }))[0])) as {
    n: number;
  };
  const key = row?.key ?? ('' as ByteString);
  for (const value of [0.5, 17.5])
    items.index.leave({ kind: 'path', path: ['n'] }, { value: indexValueOf(value), rid: n + 1, key });
  for (const steps of [
    { first: 1, last: 1 },
    { first: 256, last: 4_096 },
  ]) {
    const found = await answersOf(items, 'SELECT VALUE c.n FROM c WHERE c.n >= 0', { maxItems: 3, steps });
    assert.equal(new Set(found).size, found.length);
    assert.equal(found.length, 20);
  }
  const sorted = await answersOf(items, 'SELECT VALUE c.n FROM c ORDER BY c.n', { maxItems: 3 });
  assert.deepEqual(
    sorted,
    Array.from({ length: 20 }, (_, at) => String(at)),
  );
  assert.deepEqual(await answersOf(items, 'SELECT VALUE c.n FROM c WHERE c.n = 0.5', { maxItems: 3 }), []);
});

test('an entry of an item that was deleted does not give the one that was made in its place a second time', async () => {
  const items = numbered(20);
  const order: IndexedOrder = { kind: 'path', path: ['n'] };
  for (const { key, value } of items.rowsOf(0)) {
    const { rid = 0, payload } = decodeStoredItem(value);
    const { n } = JSON.parse(payload.toString()) as { readonly n: number };
    items.index.leave(order, { value: indexValueOf(n), rid: rid + 1_000, key });
  }
  for (const [text, first] of [
    ['SELECT VALUE c.n FROM c WHERE c.n >= 0', 256],
    ['SELECT VALUE c.n FROM c WHERE c.n >= 0', 1],
    ['SELECT VALUE c.n FROM c ORDER BY c.n', 256],
  ] as const) {
    const found = await answersOf(items, text, { maxItems: 7, steps: { first, last: first } });
    assert.equal(found.length, 20, text);
    assert.equal(new Set(found).size, 20, text);
  }
});

test('a sorted query whose partition moves while it reads a list gives nothing twice', async () => {
  const items = numbered(200);
  const { store } = items.parts.throughput;
  const readCached = store.readCached.bind(store);
  let reads = 0;
  Object.assign(store, {
    readCached: (address: PartitionAddress, key: ByteString) =>
      ++reads === 8 ? undefined : readCached(address, key),
    read: async () => ({ kind: 'moved' }),
  });
  const text = 'SELECT VALUE c.n FROM c WHERE c.mod = 1 ORDER BY c.n';
  const scanned = await answersOf(items, text, { maxItems: 5, isByScan: true });
  const found = await answersOf(items, text, { maxItems: 5, mostPages: 1 });
  assert.ok(reads > 8, 'it was moved');
  assert.deepEqual(found, scanned.slice(0, 5));
});

test('a query that walks an index goes on by looking at all items when the index is built anew, and says so', async () => {
  const items = numbered(50);
  const text = 'SELECT VALUE c.n FROM c WHERE c.n > 4 OR ARRAY_CONTAINS(c.tags, 1)';
  const between = (page: number): void => {
    items.index.isBuilding = page % 2 === 1;
  };
  const pages = await pagesOf(items, text, { maxItems: 4, steps: { first: 1, last: 1 }, between });
  const found = pages.flatMap(({ results }) => results.map(Number)).sort((a, b) => a - b);
  assert.deepEqual(
    found,
    Array.from({ length: 50 }, (_, n) => n).filter((n) => n > 4 || n % 2 === 1),
  );
  assert.equal(pages[1]?.used.isBuilding, true);
});

test('of few items under one partition key all are looked at, rather than the entries of all others', async () => {
  const items = numbered(1_500);
  items.put({ id: 'alone', pk: 'alone', n: 1, mod: 1 });
  items.index.given = 0;
  const [page] = await pagesOf(items, 'SELECT * FROM c WHERE c.n >= 0', { maxItems: 5, pk: 'alone' });
  assert.deepEqual([page?.figures.itemsLoaded, page?.used.isScanned], [1, true]);
  const [sorted] = await pagesOf(items, 'SELECT * FROM c ORDER BY c.n', { maxItems: 5, pk: 'alone' });
  assert.equal(sorted?.figures.itemsLoaded, 1);
  assert.ok(items.index.given < 400);
});

test('a query is charged the same on every run: a visit, further lookups, values passed, items loaded and given', async () => {
  const items = numbered(300);
  for (const text of [
    'SELECT * FROM c WHERE c.n IN (1, 2, 3)',
    'SELECT VALUE c.n FROM c WHERE c.n > 200',
    'SELECT TOP 5 * FROM c ORDER BY c.n',
  ]) {
    const charges = new Set<number>();
    for (let run = 0; run < 3; run++)
      charges.add((await pagesOf(items, text, { maxItems: 20 }))[0]?.chargeRu ?? 0);
    assert.equal(charges.size, 1, text);
  }
  const [page] = await pagesOf(items, 'SELECT VALUE c.n FROM c WHERE c.n IN (1, 2, 3)', { maxItems: 20 });
  assert.deepEqual([page?.figures.seeks, page?.figures.terms, page?.chargeRu], [3, 3, 3.37]);
});
