import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { containerPrefix } from '../../../partitioning/logical-partition.ts';
import { wholeRing } from '../../../partitioning/ring-range.ts';
import type { FeedPosition } from './feed-position.ts';
import { decodeFeedPosition, encodeFeedPosition } from './feed-position.ts';
import { scopeOfLogicalPartition, scopeOfNamedPartition } from './feed-scope.ts';
import { type FeedItems, FeedStore } from './feed-store.samples.ts';
import { ItemWalk } from './item-walk.ts';

let store: FeedStore;

before(async () => {
  store = await FeedStore.open();
});

after(() => store.stop());

const everything = { range: wholeRing, logicalPartition: undefined };
const plan = 'test\0\0\0\0' as ByteString;

/** One page as a client asks for it: the position comes as text and goes as text. */
async function page(
  items: FeedItems,
  continuation: string | undefined,
  size: number,
): Promise<{ rids: number[]; next: string | undefined }> {
  const prefix = containerPrefix(items.container.container);
  const from =
    continuation === undefined ? undefined : decodeFeedPosition(continuation, plan, prefix).position;
  const walk = new ItemWalk(items.store, items.container, everything, from, () => true);
  const rids: number[] = [];
  let next: FeedPosition | undefined;
  for (let chunk = await walk.chunk(); chunk !== undefined; chunk = await walk.chunk()) {
    for (const [index, { item }] of chunk.items.entries()) {
      if (rids.length === size)
        return { rids, next: next === undefined ? undefined : encodeFeedPosition(next, plan) };
      rids.push(item.rid ?? -1);
      next = chunk.positionAfter(index);
    }
  }
  return { rids, next: undefined };
}

async function walkAll(items: FeedItems, size: number, between: () => Promise<void>): Promise<number[]> {
  const all: number[] = [];
  let continuation: string | undefined;
  do {
    const { rids, next } = await page(items, continuation, size);
    all.push(...rids);
    continuation = next;
    await between();
  } while (continuation !== undefined);
  return all;
}

test('a small partition is given in the order in which its items were made', async () => {
  const items = await store.container();
  await items.put(Array.from({ length: 50 }, (_, index) => ({ pk: `key ${index % 7}`, rid: index + 1 })));
  const found = await walkAll(items, 8, async () => {});
  assert.deepEqual(
    found,
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test('every item is given once, whatever is split and merged between two pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.constantFrom('split', 'merge', 'nothing'), { maxLength: 8 }),
      async (count, size, changes) => {
        const items = await store.container();
        await items.put(
          Array.from({ length: count }, (_, index) => ({ pk: `key ${index}`, rid: index + 1 })),
        );
        const left = [...changes];
        const found = await walkAll(items, size, async () => {
          const change = left.shift();
          if (change === 'split') await items.split();
          if (change === 'merge') await items.merge();
        });
        assert.deepEqual(
          found.toSorted((a, b) => a - b),
          Array.from({ length: count }, (_, index) => index + 1),
        );
      },
    ),
    { numRuns: 30 },
  );
});

test('a large partition is given in the order of its keys, every item once', async () => {
  const items = await store.container();
  const count = 2_500;
  await items.put(Array.from({ length: count }, (_, index) => ({ pk: `key ${index}`, rid: index + 1 })));
  const found = await walkAll(items, 700, async () => {});
  assert.equal(new Set(found).size, count);
  assert.equal(found.length, count);
});

test('a walk that began in the order of making goes on so when the partition has grown', async () => {
  const items = await store.container();
  await items.put(Array.from({ length: 100 }, (_, index) => ({ pk: `key ${index}`, rid: index + 1 })));
  const first = await page(items, undefined, 30);
  await items.put(Array.from({ length: 2_000 }, (_, index) => ({ pk: `new ${index}`, rid: 1_000 + index })));
  const rest: number[] = [];
  for (let next = first.next; next !== undefined; ) {
    const found = await page(items, next, 300);
    rest.push(...found.rids);
    next = found.next;
  }
  assert.deepEqual(
    first.rids.concat(rest).slice(0, 100),
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
  assert.equal(rest.length, 70 + 2_000);
});

test('a logical partition is walked alone', async () => {
  const items = await store.container();
  await items.put([1, 2, 3, 4].map((rid) => ({ pk: rid % 2 === 0 ? 'even' : 'odd', rid })));
  const scope = scopeOfLogicalPartition(items.logicalPartition('even'));
  const walk = new ItemWalk(items.store, items.container, scope, undefined, () => true);
  const chunk = await walk.chunk();
  assert.deepEqual(
    chunk?.items.map(({ item }) => item.rid),
    [2, 4],
  );
  assert.equal(await walk.chunk(), undefined);
});

test('a partition that was split is gone for those who name it', async () => {
  const items = await store.container();
  await items.put([1, 2, 3].map((rid) => ({ pk: `key ${rid}`, rid })));
  await items.split();
  assert.throws(() => scopeOfNamedPartition(items.map, '0', undefined, 'ranges of today'), {
    code: 'partition-range-gone',
  });
  assert.equal(scopeOfNamedPartition(items.map, '1', undefined, 'ranges of today').range.min, '');
  assert.equal(scopeOfNamedPartition(items.map, '0', undefined, 'any range there was').range.min, '');
});
