import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useItems } from '../../../../test/support/nosql-items.ts';
import { defaultPurgeSettings, PurgePass } from '../../../balancing/purge-pass.ts';
import { silentLog } from '../../../foundation/log.ts';
import { systemScheduler } from '../../../foundation/scheduler.ts';
import { keyRangeOf } from '../../../partitioning/logical-partition.ts';
import { wholeRing } from '../../../partitioning/ring-range.ts';
import { NO_BUCKET } from '../../../throughput/control-buckets.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { purgeOfItems } from './container-items-purge.ts';
import { draftItem } from './item-draft.ts';
import { logicalPartitionOf } from './item-partition-key.ts';
import { transactItems } from './transact-items.ts';

/** The same server some seconds later. */
function laterBy(seconds: number, parts: NosqlParts): NosqlParts {
  const { clock } = parts.throughput;
  const later = {
    now: () => clock.now() + seconds * 1_000,
    microseconds: () => clock.microseconds() + seconds * 1_000_000,
    monotonic: () => clock.monotonic(),
  };
  return { ...parts, throughput: { ...parts.throughput, clock: later } };
}

async function purge(parts: NosqlParts): Promise<void> {
  const { store, clock } = parts.throughput;
  await new PurgePass({
    store,
    purgeOf: (container) => purgeOfItems(parts, container),
    isExhausted: () => false,
    clock,
    scheduler: systemScheduler,
    log: silentLog,
    settings: { ...defaultPurgeSettings, restFactor: 0 },
  }).run();
}

test('items go when their time is over, their removal is a change, and changes go after their retention', () =>
  useItems({ defaultTtlSeconds: 100, changeFeedRetentionMinutes: 10 }, 10_000, async (parts, container) => {
    const { store } = parts.throughput;
    const traits = { operation: 'create-item', priority: 'high', bucket: NO_BUCKET } as const;
    const partitionKey = ['p'];
    const logicalPartition = logicalPartitionOf(container, partitionKey);
    for (const item of [{ id: 'a' }, { id: 'b', ttl: -1 }, { id: 'c', ttl: 5_000 }]) {
      const draft = draftItem(container, Buffer.from(JSON.stringify({ pk: 'p', ...item })));
      const rid = await parts.catalog.nextRid(container);
      const steps = [{ kind: 'create', draft, rid } as const];
      await transactItems(parts, {
        container,
        logicalPartition,
        partitionKey,
        steps,
        traits,
        isBatch: false,
      });
    }
    const kinds = async (): Promise<Record<string, number>> => {
      const range = keyRangeOf(container.container, wholeRing);
      const limits = { maxRows: 1_000, maxBytes: 2 ** 20, reverse: false };
      const address = { container: container.container, physicalPartition: 0 };
      const outcome = await store.scan(address, { ...range, ...limits });
      assert.ok(outcome.kind === 'read');
      const counts: Record<string, number> = {};
      for (const { value } of outcome.page.rows) {
        const { kind } = decodeStoredItem(value);
        counts[kind] = (counts[kind] ?? 0) + 1;
      }
      return counts;
    };
    await purge(laterBy(90, parts));
    assert.deepEqual(await kinds(), { 'json-item': 3, rid: 3, change: 3 });
    await purge(laterBy(101, parts));
    assert.deepEqual(await kinds(), { 'json-item': 2, rid: 2, change: 4 });
    await purge(laterBy(650, parts));
    // The change that tells of the expiry is younger than the others.
    assert.deepEqual(await kinds(), { 'json-item': 2, rid: 2, change: 1 });
    await purge(laterBy(1_000, parts));
    assert.deepEqual(await kinds(), { 'json-item': 2, rid: 2 });
  }));
