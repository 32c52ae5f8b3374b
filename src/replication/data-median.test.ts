import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, TestCluster } from '../../test/support/memory-cluster.ts';

/** Bytes of rows on each side of the only cut there is. */
async function halves(cluster: TestCluster, sizes: ReadonlyMap<string, number>): Promise<[number, number]> {
  const [left] = cluster.map.partitions;
  const bytes: [number, number] = [0, 0];
  for (const [name, size] of sizes) {
    bytes[cluster.addressOf(name).physicalPartition === left?.id ? 0 : 1] +=
      size + cluster.keyOf(name).length;
  }
  return bytes;
}

async function fill(cluster: TestCluster, sizes: ReadonlyMap<string, number>): Promise<void> {
  await Promise.all([...sizes].map(([name, size]) => cluster.write(name, 'x'.repeat(size))));
  await cluster.store.whenQuiet();
}

/** One name in a hundred holds a tenth of the data. */
const skewed = new Map(names(100).map((name, index) => [name, index === 17 ? 1_500 : 50]));

test('a split at the median leaves about half of the data on each side', () =>
  TestCluster.use({ settings: { memtableBytes: 10 ** 5 } }, async (cluster) => {
    await fill(cluster, skewed);
    await cluster.store.splitPartition(cluster.container, 0, 'median');
    const [left, right] = await halves(cluster, skewed);
    assert(Math.abs(left - right) < 1_700, `${left} and ${right}`);
    for (const [name, size] of skewed) assert.equal((await cluster.read(name))?.length, size);
  }));

test('of a large partition the median is found by asking the row store for sizes', () =>
  TestCluster.use({ settings: { memtableBytes: 10 ** 5 } }, async (cluster) => {
    await fill(cluster, skewed);
    for (const node of cluster.nodes) node.sizeFactor = 10 ** 6;
    await cluster.store.splitPartition(cluster.container, 0, 'median');
    const [left, right] = await halves(cluster, skewed);
    assert(Math.abs(left - right) < 3_500, `${left} and ${right}`);
    for (const [name, size] of skewed) assert.equal((await cluster.read(name))?.length, size);
  }));

test('a partition of one key, or of none, is not split at the median, and goes on serving', async () => {
  for (const sizeFactor of [1, 10 ** 9]) {
    await TestCluster.use({}, async (cluster) => {
      for (const node of cluster.nodes) node.sizeFactor = sizeFactor;
      const split = () => cluster.store.splitPartition(cluster.container, 0, 'median');
      await assert.rejects(split(), { code: 'split-refused' });
      await cluster.write('only', 'x'.repeat(100));
      await cluster.store.whenQuiet();
      await assert.rejects(split(), { code: 'split-refused' });
      await cluster.write('only', 'still served');
    });
  }
});

test('a key that has more than half of the data of a large partition is not divided', () =>
  TestCluster.use({ settings: { memtableBytes: 10 ** 5 } }, async (cluster) => {
    const heavy = new Map(names(30).map((name, index) => [name, index === 17 ? 50_000 : 20]));
    await fill(cluster, heavy);
    for (const node of cluster.nodes) node.sizeFactor = 10 ** 6;
    const split = cluster.store.splitPartition(cluster.container, 0, 'median');
    await split.catch((error) => assert.equal(error.code, 'split-refused'));
    for (const [name, size] of heavy) assert.equal((await cluster.read(name))?.length, size);
  }));

test('a node that cannot say how large a range is does not keep a partition from being split', () =>
  TestCluster.use({ settings: { memtableBytes: 10 ** 5 } }, async (cluster) => {
    await fill(cluster, skewed);
    const first = cluster.statusOf('name 0').members[0] ?? 0;
    cluster.node(first).rows.approximateSize = () => Promise.reject(new Error('EIO'));
    await cluster.store.splitPartition(cluster.container, 0, 'median');
    assert.equal(cluster.map.partitions.length, 2);
  }));
