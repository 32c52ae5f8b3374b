import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../../test/support/memory-cluster.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type { Clock } from '../foundation/clock.ts';
import { silentLog } from '../foundation/log.ts';
import { systemScheduler } from '../foundation/scheduler.ts';
import { putRows } from '../storage/operation-kinds.ts';
import type { ContainerPurge } from './container-purge.ts';
import { type PurgeParts, PurgePass } from './purge-pass.ts';

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

/** The value of a row is the second from which on it may go; all that was done is written down. */
class NotedPurge implements ContainerPurge {
  readonly seen: string[] = [];
  readonly purged: string[][] = [];
  readonly left: string[] = [];

  dueSecond({ key, value }: { key: ByteString; value: Buffer }): number {
    this.seen.push(key);
    return Number(value.toString());
  }

  operation(_partition: unknown, keys: readonly ByteString[]): ReturnType<typeof putRows> {
    this.purged.push([...keys]);
    return putRows(keys.map((key) => ({ key, value: null })));
  }

  lastOperation({ prefix }: { prefix: ByteString }): undefined {
    this.left.push(prefix);
  }
}

function passOver(
  { store }: TestCluster,
  clock: Clock,
  purge: ContainerPurge,
  changes: Partial<PurgeParts> = {},
): PurgePass {
  return new PurgePass({
    store,
    purgeOf: () => purge,
    isExhausted: () => false,
    clock,
    scheduler: systemScheduler,
    log: silentLog,
    settings: { intervalMs: 0, rowsPerTurn: 3, bytesPerTurn: 2 ** 20, restFactor: 0 },
    ...changes,
  });
}

async function fill(cluster: TestCluster, partitions: number, rows: number, value: string): Promise<void> {
  for (let at = 0; at < partitions; at++) {
    const name = `key ${at}`;
    const partition = cluster.logicalPartition(name);
    const writes = Array.from({ length: rows }, (_, row) => ({
      key: `${partition.prefix}row ${row}` as ByteString,
      value: Buffer.from(value),
    }));
    await new Promise((resolve) => {
      cluster.store.transact(cluster.addressOf(name), partition, putRows(writes), resolve);
    });
  }
}

test('every row is looked at once, in turns, and logical partitions are left one after another', () =>
  TestCluster.use({}, async (cluster) => {
    await fill(cluster, 5, 7, '50');
    const clock = new ManualClock();
    const purge = new NotedPurge();
    await passOver(cluster, clock, purge).run();
    assert.equal(purge.seen.length, 35);
    assert.deepEqual(purge.seen, [...new Set(purge.seen)].sort());
    assert.deepEqual(purge.purged, []);
    assert.equal(purge.left.length, 5);
    assert.deepEqual(purge.left, [...new Set(purge.left)].sort());
  }));

test('what is due goes, in small transactions of one logical partition each; until something can be due nothing is looked at again', () =>
  TestCluster.use({}, async (cluster) => {
    await fill(cluster, 4, 7, '50');
    await fill(cluster, 2, 5, '10');
    const clock = new ManualClock();
    clock.nowMs = 20_000;
    const purge = new NotedPurge();
    const pass = passOver(cluster, clock, purge);
    await pass.run();
    assert.equal(purge.purged.flat().length, 10);
    for (const keys of purge.purged) {
      assert.ok(keys.length <= 3);
      assert.equal(new Set(keys.map((key) => key.split('row')[0])).size, 1);
    }
    purge.seen.length = 0;
    await pass.run();
    assert.equal(purge.seen.length, 18, 'it has written, so it looks once more');
    await pass.run();
    assert.equal(purge.seen.length, 18);
    clock.nowMs = 50_000;
    await pass.run();
    assert.equal(purge.seen.length, 36);
    assert.equal(purge.purged.flat().length, 28);
  }));

test('a transaction that fails leaves the logical partition unfinished', () =>
  TestCluster.use({}, async (cluster) => {
    await fill(cluster, 1, 5, '0');
    const purge = new NotedPurge();
    const { store } = cluster;
    const failing = {
      containers: () => store.containers(),
      mapOf: (container: number) => store.mapOf(container),
      definitionOf: (container: number) => store.definitionOf(container),
      committedLsn: store.committedLsn.bind(store),
      scan: store.scan.bind(store),
      transact: (...[address, , , done]: Parameters<typeof store.transact>) =>
        done({ kind: 'unknown', transactionId: `${address.container}` }),
    };
    await passOver(cluster, new ManualClock(), purge, { store: failing }).run();
    assert.deepEqual(purge.left, []);
  }));

test('while clients have spent a partition’s request units it waits, and stopping does not', () =>
  TestCluster.use({}, async (cluster) => {
    await fill(cluster, 1, 1, '0');
    const purge = new NotedPurge();
    const pass = passOver(cluster, new ManualClock(), purge, { isExhausted: () => true });
    const running = pass.run();
    await pass.stop();
    await running;
    assert.deepEqual(purge.seen, []);
  }));
