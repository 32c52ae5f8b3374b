// Databases whose throughput containers share: raised, lowered, redistributed, merged, and their stretches split in all containers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useThroughput } from '../../test/support/test-throughput.ts';
import { StretchSplits } from '../balancing/stretch-splits.ts';
import { databaseOwner } from '../catalog/throughput-owner.ts';
import { stretchesIn } from '../catalog/throughput-records.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { type HashKind, partitionKeyDefinition } from '../partitioning/partition-key.ts';
import { ringPlaceOf } from '../partitioning/ring-share.ts';
import { createContainer, createContainerLike, createDatabase } from './define-container.ts';
import { describeThroughput } from './describe-throughput.ts';
import type { ThroughputParts } from './throughput-parts.ts';

const shop = databaseOwner('shop');

async function sharing(parts: ThroughputParts, ring: HashKind = 'cql'): Promise<number> {
  const definition = partitionKeyDefinition(ring, [ring === 'cql' ? 'key' : '/key']);
  const request = { definition, throughput: {}, database: 'shop', partitionCount: undefined };
  return (await createContainer(parts, request)).container;
}

/** In hundredths of the ring. */
function placesOf({ store }: ThroughputParts, container: number): number[] {
  const hashKind = store.definitionOf(container)?.hashKind ?? 'cql';
  return (store.mapOf(container)?.partitions ?? []).map(({ range }) =>
    Math.round(100 * ringPlaceOf(range.min, hashKind)),
  );
}

function stretchesOf({ records }: ThroughputParts): number[] {
  const record = records.of(shop);
  assert.ok(record !== undefined);
  return stretchesIn(record).list.map(({ from }) => Math.round(100 * from));
}

/** Of the store, but for how it splits. */
function splitsBy(
  { store, records }: ThroughputParts,
  splitPartition: ThroughputParts['store']['splitPartition'],
): StretchSplits {
  return new StretchSplits({
    records,
    store: {
      mapOf: (container) => store.mapOf(container),
      definitionOf: (container) => store.definitionOf(container),
      splitPartition,
    },
  });
}

async function untilDone({ records }: ThroughputParts): Promise<void> {
  while (records.of(shop)?.state.pending !== undefined) await new Promise(setImmediate);
}

test('a database that is raised is cut in the same places in all its containers, and all of it can be spent', () =>
  useThroughput(async (parts) => {
    await createDatabase(parts, 'shop', { ruPerSecond: 25_000 });
    const containers = [await sharing(parts), await sharing(parts, 'v2'), await sharing(parts, 'v1')];
    for (const container of containers) assert.deepEqual(placesOf(parts, container), [0, 33, 67]);
    await parts.changes.change(shop, { ruPerSecond: 40_000 });
    await untilDone(parts);
    assert.deepEqual(stretchesOf(parts), [0, 17, 33, 67]);
    // One that is made later is cut there as well.
    containers.push(await sharing(parts), await sharing(parts, 'v2'), await sharing(parts, 'v1'));
    for (const container of containers) {
      assert.deepEqual(placesOf(parts, container), [0, 17, 33, 67]);
      const budgets = (parts.store.mapOf(container)?.partitions ?? []).map(
        ({ id }) => parts.governor.partition(container, id)?.measure.budget,
      );
      assert.equal(new Set(budgets).size, 4);
      assert.ok(budgets.every((budget) => budget?.ruPerSecond === 10_000));
    }
    await parts.changes.change(shop, { ruPerSecond: 4_000 });
    const { partitions, provisioned } = await describeThroughput(parts, shop);
    assert.deepEqual(
      partitions.map(({ ruPerSecond }) => ruPerSecond),
      [1_000, 1_000, 1_000, 1_000],
    );
    assert.equal(provisioned?.instantMaximumRu, 40_000);
  }));

test('a stretch is given more than others, split where it has more than it carries, merged, and made equal again', () =>
  useThroughput(async (parts) => {
    await createDatabase(parts, 'shop', { ruPerSecond: 12_000 });
    const container = await sharing(parts);
    const rates = async () =>
      (await describeThroughput(parts, shop)).partitions.map(({ id, ruPerSecond }) => [
        id,
        Math.round(ruPerSecond),
      ]);
    await parts.changes.redistribute(shop, { targets: new Map([[1, 15_000]]), sources: [] });
    await untilDone(parts);
    assert.deepEqual(await rates(), [
      [0, 6_000],
      [2, 7_500],
      [3, 7_500],
    ]);
    assert.deepEqual(placesOf(parts, container), [0, 50, 75]);
    assert.equal(parts.governor.partition(container, 2)?.measure.ruPerSecond, 7_500);
    assert.deepEqual(parts.records.of(shop)?.state.setting, { kind: 'manual', ruPerSecond: 21_000 });
    await assert.rejects(parts.changes.change(shop, { ruPerSecond: 1_000 }), isCode('bad-throughput'));
    await assert.rejects(parts.changes.mergeStretches('shop', 2, 3), isCode('merge-refused'));
    await parts.changes.redistribute(shop, {
      targets: new Map([
        [0, 500],
        [2, 1_000],
        [3, 1_500],
      ]),
      sources: [],
    });
    await parts.changes.mergeStretches('shop', 2, 3);
    assert.deepEqual(await rates(), [
      [0, 500],
      [4, 2_500],
    ]);
    await parts.changes.equalize(shop);
    assert.deepEqual(await rates(), [
      [0, 1_500],
      [4, 1_500],
    ]);
    await parts.changes.change(shop, { ruPerSecond: 1_000 });
  }));

test('a container that cannot be cut is left, one that was dropped is forgotten, and one that was made meanwhile is cut too', () =>
  useThroughput(async (parts) => {
    const { store } = parts;
    await createDatabase(parts, 'shop', { ruPerSecond: 400 });
    const [stubborn, plain] = [await sharing(parts), await sharing(parts)];
    let late: number | undefined;
    const splits = splitsBy(parts, async (one, id, at) => {
      if (one === stubborn) throw new RingfoldError('split-refused');
      late ??= (await createContainerLike(parts, plain, () => [])).container;
      return store.splitPartition(one, id, at);
    });
    await splits.split('shop', 0, () => {});
    assert.deepEqual(stretchesOf(parts), [0, 50]);
    assert.ok(late !== undefined);
    for (const container of [plain, late]) assert.deepEqual(placesOf(parts, container), [0, 50]);
    assert.deepEqual(placesOf(parts, stubborn), [0]);
    // What is not there any more is not split again.
    await splits.split('shop', 0, () => assert.fail('nothing is to be split'));
    await splits.split('none', 0, () => assert.fail('nothing is to be split'));
  }));

test('a container that is being made while the last one is cut is cut before the stretch is split', () =>
  useThroughput(async (parts) => {
    const { store } = parts;
    await createDatabase(parts, 'shop', { ruPerSecond: 400 });
    await sharing(parts);
    let late: Promise<number> | undefined;
    const splits = splitsBy(parts, async (one, id, at) => {
      const map = await store.splitPartition(one, id, at);
      // In its turn already, and nothing to be seen of it yet.
      late ??= sharing(parts);
      return map;
    });
    await splits.split('shop', 0, () => {});
    assert.ok(late !== undefined);
    assert.deepEqual(placesOf(parts, await late), [0, 50]);
    assert.deepEqual(stretchesOf(parts), [0, 50]);
  }));

test('a split that fails is made again, and what was cut stays cut', () =>
  useThroughput(async (parts) => {
    const { store } = parts;
    await createDatabase(parts, 'shop', { ruPerSecond: 400 });
    const containers = [await sharing(parts), await sharing(parts)];
    let calls = 0;
    const failing = splitsBy(parts, async (one, id, at) => {
      if (++calls === 2) throw new RingfoldError('disk-full');
      return store.splitPartition(one, id, at);
    });
    await assert.rejects(
      failing.split('shop', 0, () => {}),
      isCode('disk-full'),
    );
    assert.deepEqual(stretchesOf(parts), [0]);
    await failing.split('shop', 0, () => {});
    assert.equal(calls, 3);
    assert.deepEqual(stretchesOf(parts), [0, 50]);
    for (const container of containers) assert.deepEqual(placesOf(parts, container), [0, 50]);
  }));

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof RingfoldError && error.code === code;
}
