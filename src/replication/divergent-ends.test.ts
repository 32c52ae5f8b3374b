import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestNode, testNodes } from '../../test/support/breakable-node.ts';
import { aTurn, names, TestCluster } from '../../test/support/memory-cluster.ts';
import { initialBoundaries } from '../partitioning/initial-layout.ts';

const rows = names(12);

/** Some turns of the event loop: over memory disks whatever can be written is written by then. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await aTurn();
}

/** The nodes as a crash leaves them when only node 0 has what was begun last: the disks of the others did not answer. */
async function writtenByOneOnly(
  begin: (cluster: TestCluster) => readonly Promise<unknown>[],
  prepare: (cluster: TestCluster) => Promise<unknown> = () => Promise.resolve(),
): Promise<TestNode[]> {
  const cluster = await TestCluster.open({ settings: { hungNodeMs: 5_000 } });
  await cluster.writeAll(rows, 'old');
  await prepare(cluster);
  await cluster.store.whenQuiet();
  for (const node of cluster.nodes.slice(1)) node.mood = 'hung';
  const begun = begin(cluster).map((change) => change.catch(() => {}));
  await turns(20);
  const images = await cluster.copyNodes();
  for (const node of cluster.nodes) node.mood = 'well';
  await Promise.all(begun);
  await cluster.store.stop();
  return images;
}

test('a split that one log alone has, and which is lost while it is recovered, does not keep the other nodes from serving', async () => {
  const images = await writtenByOneOnly(({ store, container }) => [
    store.splitPartition(container, 0, 'midpoint'),
  ]);
  for (let fatal = 1; fatal <= 9; fatal++) {
    const nodes = await Promise.all(images.map((node) => node.copy()));
    failAtRead(nodes[0] as TestNode, fatal);
    await TestCluster.use({ nodes }, async (cluster) => {
      await cluster.until(() => cluster.statusOf('name 0').state === 'serving', 3_000);
      await cluster.writeAll(rows, 'new');
      cluster.node(0).mood = 'well';
      await cluster.assertStoredAlike(rows);
      for (const name of rows) assert.equal(await cluster.read(name), `new of ${name}`);
    });
  }
});

/** The node's disk fails for good at the so manieth time that a file of its log is read. */
function failAtRead(node: TestNode, fatal: number): void {
  let reads = 0;
  const { files } = node;
  const read = files.read.bind(files);
  files.read = (path) => {
    if (!path.startsWith('log/')) return read(path);
    reads += 1;
    if (reads !== fatal) return read(path);
    node.mood = 'failing';
    return Promise.reject(new Error('EIO'));
  };
}

test('rows that only a node with a void split has are not brought back by another split', async () => {
  const nodes = await writtenByOneOnly((cluster) => [
    ...['name 1', 'name 2'].map((name) => cluster.put(name, 'never committed')),
    cluster.store.splitPartition(cluster.container, 0, 'midpoint'),
  ]);
  (nodes[0] as TestNode).mood = 'failing';
  await TestCluster.use({ nodes }, async (cluster) => {
    await cluster.store.splitPartition(cluster.container, 0, 'midpoint');
    await cluster.writeAll(['name 5', 'name 6', 'name 7', 'name 8'], 'new');
    cluster.node(0).mood = 'well';
    await cluster.assertStoredAlike(rows);
    for (const name of ['name 1', 'name 2']) {
      assert.equal(await cluster.read(name), `old of ${name}`);
    }
  });
});

test('children of a void split are not taken for those of another partition that were given their numbers', async () => {
  const halves = (cluster: TestCluster, id: number) =>
    rows.filter((name) => cluster.addressOf(name).physicalPartition === id);
  const nodes = await writtenByOneOnly(
    ({ store, container }) => [store.splitPartition(container, 1, 'midpoint')],
    async (cluster) => {
      await cluster.store.splitPartition(cluster.container, 0, 'midpoint');
      // So that the void children begin behind all that the true ones will ever have.
      for (let round = 0; round < 30; round++) await cluster.writeAll(halves(cluster, 1), `round ${round}`);
    },
  );
  (nodes[0] as TestNode).mood = 'failing';
  const settings = { logRetentionBytes: 0, segmentBytes: 500 };
  await TestCluster.use({ nodes, settings }, async (cluster) => {
    await cluster.writeAll(rows, 'missed');
    await cluster.store.splitPartition(cluster.container, 2, 'midpoint');
    // More than the logs keep: of the partition whose split is void, the node that has it must be copied.
    for (let round = 0; round < 12; round++) {
      await cluster.writeAll(halves(cluster, 1), `new ${round}`);
      await cluster.until(() => cluster.store.status().memtableBytes === 0);
    }
    cluster.node(0).mood = 'well';
    await cluster.assertStoredAlike(rows);
  });
});

test('no numbers are given to children while a partition of the container may have ended with them', async () => {
  const cluster = await TestCluster.open({ nodes: testNodes(8), settings: { hungNodeMs: 5_000 } });
  const definition = cluster.store.definitionOf(cluster.container);
  assert(definition !== undefined);
  const map = await cluster.store.createContainer(initialBoundaries('cql', 2), definition);
  const { container } = map;
  const members = map.partitions[0]?.replicaSet.members ?? [];
  const away = members.slice(0, 2);
  for (const id of members.slice(1)) cluster.node(id).mood = 'hung';
  const begun = cluster.store.splitPartition(container, 0, 'midpoint').catch(() => {});
  await turns(20);
  const nodes = await cluster.copyNodes();
  for (const node of cluster.nodes) node.mood = 'well';
  await begun;
  await cluster.store.stop();
  for (const id of away) (nodes[id] as TestNode).mood = 'failing';
  await TestCluster.use({ nodes }, async (later) => {
    await assert.rejects(later.store.splitPartition(container, 1, 'midpoint'), { code: 'too-few-replicas' });
    for (const id of away) later.node(id).mood = 'well';
    await later.store.whenQuiet();
    const next = await later.store.splitPartition(container, 1, 'midpoint');
    assert.deepEqual(
      next.partitions.map(({ id }) => id),
      [2, 3, 4, 5],
    );
    await later.store.whenQuiet();
  });
});

test('a container that is dropped while it is split is gone for good, and all that came of it', async () => {
  const cluster = await TestCluster.open();
  const definition = cluster.store.definitionOf(cluster.container);
  assert(definition !== undefined);
  const gone: number[] = [];
  for (let steps = 0; steps < 20; steps++) {
    const { container } = await cluster.store.createContainer([], definition);
    gone.push(container);
    const split = cluster.store.splitPartition(container, 0, 'midpoint').catch(() => {});
    for (let step = 0; step < steps; step++) await Promise.resolve();
    await Promise.all([split, cluster.store.dropContainer(container)]);
  }
  await cluster.store.whenQuiet();
  const served = cluster.store.status().partitions.map(({ container }) => container);
  assert.deepEqual(
    gone.filter((container) => served.includes(container)),
    [],
  );
  const nodes = await cluster.copyNodes();
  await cluster.store.stop();
  await TestCluster.use({ nodes }, async (later) => {
    assert.deepEqual(later.store.containers(), [cluster.container]);
  });
});
