import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../../test/support/memory-cluster.ts';
import { containerOwner, type ThroughputOwner } from '../catalog/throughput-owner.ts';
import { ThroughputRecords } from '../catalog/throughput-records.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { silentLog } from '../foundation/log.ts';
import { type Scheduler, systemScheduler } from '../foundation/scheduler.ts';
import { changeThroughput, initialThroughput } from '../throughput/throughput-state.ts';
import { ScaleUps } from './scale-ups.ts';

/** Remembers how long it was asked to wait, and does not. */
class HastyScheduler implements Scheduler {
  readonly delaysMs: number[] = [];

  after(delayMs: number, task: () => void): () => void {
    if (delayMs > 0) this.delaysMs.push(delayMs);
    return systemScheduler.after(0, task);
  }
}

async function withPending(
  ruPerSecond: number,
  failures: readonly ErrorCode[],
  use: (run: {
    readonly cluster: TestCluster;
    readonly records: ThroughputRecords;
    readonly owner: ThroughputOwner;
    readonly scaleUps: ScaleUps;
    readonly scheduler: HastyScheduler;
  }) => Promise<void>,
): Promise<void> {
  await TestCluster.use({}, async (cluster) => {
    const { store, container } = cluster;
    const records = await ThroughputRecords.load(store.records);
    const owner = containerOwner(container);
    const state = changeThroughput(
      initialThroughput({ kind: 'manual', ruPerSecond: 400 }),
      { ruPerSecond },
      { storageGb: 0, sharingContainers: 0, partitionCount: 1, sharePolicy: 'equal' },
    );
    await records.put(owner, { state, controlBuckets: [], database: undefined });
    const waiting = [...failures];
    const failing: Pick<typeof store, 'mapOf' | 'definitionOf' | 'splitPartition'> = {
      mapOf: (one) => store.mapOf(one),
      definitionOf: (one) => store.definitionOf(one),
      splitPartition: async (one, id, at) => {
        const code = waiting.shift();
        if (code !== undefined) throw new RingfoldError(code);
        return store.splitPartition(one, id, at);
      },
    };
    const scheduler = new HastyScheduler();
    const scaleUps = new ScaleUps({ store: failing, records, scheduler, log: silentLog });
    await use({ cluster, records, owner, scaleUps, scheduler });
    await scaleUps.stop();
  });
}

async function untilDone(records: ThroughputRecords, owner: ThroughputOwner): Promise<void> {
  while (records.of(owner)?.state.pending !== undefined) await new Promise(setImmediate);
}

test('partitions are split until there are enough, and the setting takes effect then', () =>
  withPending(45_000, [], async ({ cluster, records, owner, scaleUps }) => {
    scaleUps.resume();
    scaleUps.start(owner);
    await untilDone(records, owner);
    assert.equal(cluster.store.mapOf(cluster.container)?.partitions.length, 5);
    assert.deepEqual(records.of(owner)?.state.setting, { kind: 'manual', ruPerSecond: 45_000 });
  }));

test('a split that fails is tried again, ever later, and is seen to have failed meanwhile', () =>
  withPending(
    20_000,
    ['too-few-replicas', 'too-few-replicas', 'disk-full'],
    async ({ cluster, records, owner, scaleUps, scheduler }) => {
      scaleUps.start(owner);
      while (scaleUps.progressOf(owner).failures < 2) await new Promise(setImmediate);
      assert.equal(scaleUps.progressOf(owner).lastFailure, 'too-few-replicas');
      await untilDone(records, owner);
      assert.deepEqual(scheduler.delaysMs.slice(0, 3), [100, 200, 400]);
      assert.equal(cluster.store.mapOf(cluster.container)?.partitions.length, 2);
    },
  ));

test('where no partition can be split the setting takes effect all the same', () =>
  withPending(20_000, ['split-refused'], async ({ cluster, records, owner, scaleUps }) => {
    scaleUps.start(owner);
    await untilDone(records, owner);
    assert.equal(cluster.store.mapOf(cluster.container)?.partitions.length, 1);
    assert.deepEqual(records.of(owner)?.state.setting, { kind: 'manual', ruPerSecond: 20_000 });
  }));

test('what is pending stays so when the server stops', () =>
  withPending(1_000_000, [], async ({ cluster, records, owner, scaleUps }) => {
    scaleUps.start(owner);
    await scaleUps.stop();
    assert.ok(records.of(owner)?.state.pending !== undefined);
    scaleUps.start(owner);
    assert.ok((cluster.store.mapOf(cluster.container)?.partitions.length ?? 0) < 100);
  }));
