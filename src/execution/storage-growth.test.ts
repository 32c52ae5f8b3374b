// Autoscale whose data outgrows it, from the clock's minute to the partitions that are split. No test has hundreds of gigabytes: the store is
// made to say that it has.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { useThroughput } from '../../test/support/test-throughput.ts';
import { containerOwner, databaseOwner, type ThroughputOwner } from '../catalog/throughput-owner.ts';
import type { Clock } from '../foundation/clock.ts';
import { partitionKeyDefinition } from '../partitioning/partition-key.ts';
import { createContainer, createDatabase } from './define-container.ts';
import { describeThroughput } from './describe-throughput.ts';
import type { ThroughputParts } from './throughput-parts.ts';

class ManualClock implements Clock {
  nowMs = 0;

  now(): number {
    return this.nowMs;
  }

  microseconds(): number {
    return this.now() * 1_000;
  }

  monotonic(): number {
    return this.nowMs;
  }
}

const definition = partitionKeyDefinition('cql', ['key']);

function storing(context: TestContext, { store }: ThroughputParts): { gigabytes: number } {
  const stored = { gigabytes: 0 };
  context.mock.method(store, 'sizeOf', async () => stored.gigabytes * 2 ** 30);
  return stored;
}

async function afterAMinute(clock: ManualClock, { autoscaler, records }: ThroughputParts): Promise<void> {
  clock.nowMs += 61_000;
  autoscaler.tick();
  // One change of an owner waits for the other, so this one ends after those that the tick began.
  for (const owner of records.owners()) await records.inTurn(owner, async () => {});
}

async function maximumOf(parts: ThroughputParts, owner: ThroughputOwner): Promise<unknown> {
  while (parts.records.of(owner)?.state.pending !== undefined) await new Promise(setImmediate);
  const { setting, provisioned } = await describeThroughput(parts, owner);
  assert.ok(setting.kind === 'autoscale');
  // What is stored never needs more than may be set.
  assert.ok((provisioned?.minimum.ruPerSecond ?? 0) <= setting.maxRuPerSecond);
  return setting.maxRuPerSecond;
}

test('data that outgrows autoscale raises its maximum within a minute, by splits if it must', async (context) => {
  const clock = new ManualClock();
  await useThroughput(async (parts) => {
    const request = { definition, throughput: { maxRuPerSecond: 9_000 }, database: undefined };
    const { container } = await createContainer(parts, { ...request, partitionCount: undefined });
    const owner = containerOwner(container);
    const stored = storing(context, parts);
    stored.gigabytes = 900;
    await afterAMinute(clock, parts);
    assert.equal(await maximumOf(parts, owner), 9_000);
    stored.gigabytes = 901;
    await afterAMinute(clock, parts);
    assert.equal(await maximumOf(parts, owner), 10_000);
    assert.equal(parts.store.mapOf(container)?.partitions.length, 1);
    stored.gigabytes = 2_050;
    await afterAMinute(clock, parts);
    assert.equal(await maximumOf(parts, owner), 21_000);
    assert.equal(parts.store.mapOf(container)?.partitions.length, 3);
    // What is gone again lowers nothing.
    stored.gigabytes = 0;
    await afterAMinute(clock, parts);
    assert.equal(await maximumOf(parts, owner), 21_000);
  }, clock);
});

test('a database is raised for what all its containers store, by its increment at least, and manual throughput is not', async (context) => {
  const clock = new ManualClock();
  await useThroughput(async (parts) => {
    await createDatabase(parts, 'shop', { maxRuPerSecond: 10_000, incrementPercent: 50 });
    const shared = { definition, throughput: {}, database: 'shop', partitionCount: undefined };
    const [one, two] = [await createContainer(parts, shared), await createContainer(parts, shared)];
    const own = { definition, throughput: { ruPerSecond: 400 }, database: undefined };
    const manual = await createContainer(parts, { ...own, partitionCount: undefined });
    const stored = storing(context, parts);
    // Each of them.
    stored.gigabytes = 510;
    await afterAMinute(clock, parts);
    assert.equal(await maximumOf(parts, databaseOwner('shop')), 15_000);
    for (const { container } of [one, two]) assert.equal(parts.store.mapOf(container)?.partitions.length, 2);
    const view = await describeThroughput(parts, containerOwner(manual.container));
    assert.deepEqual(view.setting, { kind: 'manual', ruPerSecond: 400 });
    assert.deepEqual(view.provisioned?.minimum, { because: 'storage', ruPerSecond: 600 });
  }, clock);
});
