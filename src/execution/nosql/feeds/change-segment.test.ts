import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { keyRangeOf } from '../../../partitioning/logical-partition.ts';
import { wholeRing } from '../../../partitioning/ring-range.ts';
import type { CommitWatcher } from '../../../replication/replicated-partition-store.ts';
import { findChanges } from './change-segment.ts';
import { type FeedItems, FeedStore } from './feed-store.samples.ts';
import { RecentChanges } from './recent-changes.ts';

let store: FeedStore;

before(async () => {
  store = await FeedStore.open();
});

after(() => store.stop());

function addressOf(items: FeedItems) {
  return { container: items.container.container, physicalPartition: items.map.partitions[0]?.id ?? 0 };
}

async function found(items: FeedItems, position: number) {
  const keys = keyRangeOf(items.container.container, wholeRing);
  const segment = await findChanges(
    items.store,
    addressOf(items),
    items.container,
    keys,
    'item',
    position,
    async () => {},
  );
  assert(segment !== undefined);
  return segment;
}

test('a scan finds the newest version of every item, in the order of writing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ rid: fc.integer({ min: 1, max: 12 }), isRemoval: fc.boolean() }), {
        maxLength: 40,
      }),
      async (steps) => {
        const items = await store.container();
        const expected = new Map<number, number>();
        for (const { rid, isRemoval } of steps) {
          const item = { pk: `key ${rid % 3}`, rid };
          await (isRemoval ? items.remove([item]) : items.put([item]));
          const lsn = items.store.committedLsn(addressOf(items)) ?? 0;
          if (isRemoval) expected.delete(rid);
          else expected.set(rid, lsn);
        }
        const lsns = [...expected.values()].toSorted((a, b) => a - b);
        const { changes } = await found(items, 0);
        assert.deepEqual(
          changes.map(({ lsn }) => lsn),
          lsns,
        );
        const middle = lsns[lsns.length >> 1] ?? 0;
        const later = await found(items, middle);
        assert.deepEqual(
          later.changes.map(({ lsn }) => lsn),
          lsns.filter((lsn) => lsn > middle),
        );
      },
    ),
    { numRuns: 25 },
  );
});

test('what is watched has every change since it began', async () => {
  const items = await store.container();
  await items.put([{ pk: 'a', rid: 1 }]);
  const recent = new RecentChanges(items.store);
  const { container, physicalPartition } = addressOf(items);
  const since = recent.of(container, physicalPartition, 0)?.since;
  assert.equal(since, items.store.committedLsn({ container, physicalPartition }));
  await items.put([2, 3, 4].map((rid) => ({ pk: 'b', rid })));
  await items.remove([{ pk: 'b', rid: 3 }]);
  assert.equal(recent.of(container, physicalPartition, 0)?.changes.length, 4);
});

test('what is watched forgets the oldest changes, and never a part of a transaction', async () => {
  let tell: CommitWatcher = () => {};
  const recent = new RecentChanges({
    watchCommits: (watcher) => {
      tell = watcher;
      return () => {};
    },
    committedLsn: () => 0,
  });
  recent.of(1, 0, 0);
  for (let lsn = 1; lsn <= 12_000; lsn++)
    tell(
      { container: 1, physicalPartition: 0 },
      lsn,
      ['a', 'b'].map((name) => ({ key: `${name}${lsn}` as ByteString, value: null })),
    );
  const known = recent.of(1, 0, 0);
  assert(known !== undefined && known.since > 0 && known.changes.length <= 20_000);
  assert.equal(known.changes[0]?.lsn, known.since + 1);
  assert.equal(known.changes.length % 2, 0);
});

test('a feed that nobody reads any more is not watched', () => {
  const recent = new RecentChanges({ watchCommits: () => () => {}, committedLsn: () => 7 });
  recent.of(1, 0, 0);
  recent.of(2, 0, 11 * 60_000);
  assert.deepEqual(recent.watched, [2]);
});
