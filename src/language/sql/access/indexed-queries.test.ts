import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import type { IndexedOrder } from '../../../execution/nosql/indexes/item-index.ts';
import type { QueriedItems } from '../../../execution/nosql/queries/queried-items.samples.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { indexValueOf } from '../../../values/index-value.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { answersOf, pagesOf, sampleOf } from './indexed-pages.samples.ts';

const long = 'l'.repeat(300);

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
  assert.deepEqual([few?.figures.itemsLoaded, few?.used.orders.length], [2, 2]);
});

test('of a condition that much fulfils no more is read than others have', async () => {
  const items = numbered(1_000);
  const text = 'SELECT * FROM c WHERE IS_DEFINED(c.mod) AND c.n = 3';
  for (const [few, most] of [
    [16, 2 * 16],
    [256, 2 * 256],
  ] as const) {
    items.index.given = 0;
    const [page] = await pagesOf(items, text, { maxItems: 500, steps: { few } });
    assert.equal(page?.figures.itemsLoaded, 1);
    assert.ok(items.index.given <= most, `${items.index.given} entries`);
  }
});

test('conditions that end in the same step are intersected before anything is loaded', async () => {
  const items = numbered(1_000);
  const [page] = await pagesOf(items, 'SELECT * FROM c WHERE c.mod = 3 AND c.n >= 900', { maxItems: 500 });
  assert.deepEqual([page?.figures.itemsLoaded, page?.results.length, page?.used.orders.length], [10, 10, 2]);
});

test('a walk in order does not load what a filter leaves out, once it has seen that most would be', async () => {
  const text = 'SELECT TOP 20 VALUE c.n FROM c WHERE c.mod = 3 ORDER BY c.n DESC';
  const read = async (loaded: number, kept: number): Promise<readonly (number | undefined)[]> => {
    const items = numbered(3_000);
    const scanned = await answersOf(items, text, { maxItems: 100, isByScan: true });
    const steps = { first: 1, last: 1, loaded, kept };
    const [page] = await pagesOf(items, text, { maxItems: 100, steps });
    assert.deepEqual(page?.results.map(String), scanned);
    assert.deepEqual(
      page?.used.orders.map((order) => (order.kind === 'path' ? order.path : [])),
      loaded === 32 ? [['n'], ['mod']] : [['n']],
    );
    return [page?.figures.itemsLoaded, items.index.noted, page?.figures.seeks];
  };
  // Twenty and eighteen to learn it, four of them wanted; then the sixteen that are left, and none between them.
  assert.deepEqual(await read(32, 300), [54, 0, 2]);
  assert.deepEqual(await read(32, 299), [54, 256, 2]);
  assert.deepEqual(await read(1_000_000, 300), [197, 0, 1]);
});

test('a walk in order that a filter lets half of pass looks nothing up', async () => {
  const items = numbered(1_000);
  const text = 'SELECT TOP 30 VALUE c.n FROM c WHERE ARRAY_CONTAINS(c.tags, 1) ORDER BY c.n';
  const [page] = await pagesOf(items, text, { maxItems: 100, steps: { first: 1, last: 1 } });
  assert.equal(page?.results.length, 30);
  assert.equal(items.index.noted, 0);
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
  for (const [order, kept] of [
    ['', 0],
    [' DESC', 0],
    ['', 100],
  ] as const) {
    const text = `SELECT VALUE c.n FROM c WHERE c.mod = 7 ORDER BY c.n${order}`;
    const found = await answersOf(items, text, {
      maxItems: 30,
      steps: { first: 1, last: 1, loaded: 1, kept },
    });
    assert.deepEqual([...found].sort(), ['17', '7'], order);
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

test('a sorted query whose partition moves to where the index is being built goes on by looking at all items', async () => {
  for (const text of [
    'SELECT VALUE c.n FROM c ORDER BY c.n DESC',
    'SELECT VALUE c.n FROM c WHERE c.mod > 2 ORDER BY c.mod',
  ]) {
    const items = numbered(1_000);
    const scanned = await answersOf(items, text, { maxItems: 600, isByScan: true });
    const { store } = items.parts.throughput;
    const readCached = store.readCached.bind(store);
    let reads = 0;
    Object.assign(store, {
      readCached: (address: PartitionAddress, key: ByteString) =>
        ++reads === 400 ? undefined : readCached(address, key),
      read: async () => {
        items.index.isBuilding = true;
        return { kind: 'moved' };
      },
    });
    const [page] = await pagesOf(items, text, { maxItems: 600, mostPages: 1 });
    assert.equal(page?.used.isBuilding, true, text);
    assert.deepEqual(page.results.map(String), scanned.slice(0, 600), text);
  }
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

test('a page that ends inside an item goes on inside it after a split', async () => {
  for (const count of [3, 12, 1_200]) {
    const items = sampleOf(
      Array.from({ length: count }, (_, n) => ({ pk: `p${n % 50}`, n, tags: [0, 1] })),
      all,
      0,
    );
    const text = 'SELECT VALUE c.n * 2 + t FROM c JOIN t IN c.tags WHERE c.n < 40';
    for (const steps of [
      { first: 1, last: 1 },
      { first: 256, last: 4_096 },
    ]) {
      const between = (page: number): void => {
        if (page < 4) items.split();
      };
      for (const isByScan of [false, true]) {
        const found = await answersOf(items, text, { maxItems: 3, isByScan, steps, between });
        const expected = Array.from({ length: Math.min(count, 40) * 2 }, (_, n) => n);
        assert.deepEqual(
          found.map(Number).sort((a, b) => a - b),
          expected,
          `${count} items`,
        );
      }
    }
  }
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
