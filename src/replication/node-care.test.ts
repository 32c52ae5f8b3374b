import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, TestCluster } from '../../test/support/memory-cluster.ts';

async function assertAgreed(cluster: TestCluster): Promise<void> {
  await cluster.store.whenQuiet();
  const { differences } = await cluster.store.scrub();
  assert.equal(differences, 0);
}

test('a disk that does not answer is left behind, and comes back when it does', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(10));
    cluster.node(1).mood = 'hung';
    await cluster.writeAll(names(10), 'newer');
    await cluster.until(() => cluster.stateOf(1) === 'down');
    assert.match(String(cluster.store.status().nodes[1]?.reason), /does not answer/);
    await cluster.writeAll(names(10), 'newest');
    cluster.node(1).mood = 'well';
    await assertAgreed(cluster);
    assert.equal(cluster.node(1).rebuilds, 0);
  }));

test('a disk that hangs while its node is being opened again is left, and the others are not held up', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(10));
    await cluster.takeDown(1);
    await cluster.takeDown(2);
    let appends = 0;
    cluster.node(1).beforeAppend = () => {
      appends += 1;
      if (appends === 2) cluster.node(1).mood = 'hung';
    };
    cluster.node(1).mood = 'well';
    await cluster.until(() => cluster.node(1).mood === 'hung');
    cluster.node(2).mood = 'well';
    await cluster.until(() => cluster.statusOf('name 0').levelReplicas === 3);
    await cluster.write('name 0', 'written');
    cluster.node(1).mood = 'well';
    await assertAgreed(cluster);
    assert.deepEqual(await cluster.storedOn(1, 'name 0'), await cluster.storedOn(0, 'name 0'));
  }));

test('a node whose log cannot be read while it is being opened again is closed before the next attempt', () =>
  // Its rows stay in memory, so its log has to be read for them.
  TestCluster.use({ settings: { applyIntervalMs: 60_000, memtableBytes: 10 ** 6 } }, async (cluster) => {
    await cluster.writeAll(names(10));
    await cluster.takeDown(1);
    const { files } = cluster.node(1);
    const read = files.read.bind(files);
    let appends = 0;
    let failures = 0;
    cluster.node(1).beforeAppend = () => {
      appends += 1;
    };
    files.read = (path) => {
      // Its log was opened and its promise written: what is read now is for its row store.
      if (appends < 2 || failures > 2 || !path.startsWith('log/')) return read(path);
      failures += 1;
      return Promise.reject(new Error('EIO'));
    };
    await cluster.bringBack(1);
    assert(failures > 0);
    await assertAgreed(cluster);
  }));

test('a process that was held up itself does not take its disks for hung', () =>
  TestCluster.use({ settings: { hungNodeMs: 300, checkIntervalMs: 20 } }, async (cluster) => {
    await cluster.writeAll(names(10));
    for (const node of cluster.nodes) node.mood = 'hung';
    const written = cluster.put('name 0', 'newer');
    await new Promise((resolve) => setTimeout(resolve, 30));
    // As if it had been stopped and continued: what the disks said meanwhile is heard after the timers.
    const until = performance.now() + 700;
    while (performance.now() < until);
    setTimeout(() => {
      for (const node of cluster.nodes) node.mood = 'well';
    }, 0);
    assert.equal((await written).kind, 'committed');
    for (const { nodeId } of cluster.nodes) assert.equal(cluster.stateOf(nodeId), 'up');
  }));

test('stopping waits for a disk that hangs only so long', () =>
  TestCluster.use({ settings: { hungNodeMs: 10 } }, async (cluster) => {
    await cluster.writeAll(names(10));
    for (const nodeId of [2, 3]) cluster.node(nodeId).mood = 'hung';
    const outcome = await cluster.put('name 0', 'never answered');
    assert.equal(outcome.kind, 'unknown');
    const began = performance.now();
    await cluster.store.stop();
    assert(performance.now() - began < 15_000);
    const refused = await cluster.put('name 0', 'too late');
    assert.equal(refused.kind === 'refused' && refused.error.code, 'stopping');
  }));

test('what was acknowledged before a stop with a hung disk is there afterwards', async () => {
  const cluster = await TestCluster.open({ settings: { hungNodeMs: 40 } });
  await cluster.writeAll(names(10));
  cluster.node(3).mood = 'hung';
  await cluster.writeAll(names(10), 'newer');
  await cluster.store.stop();
  const nodes = await cluster.copyNodes();
  cluster.node(3).mood = 'well';
  await TestCluster.use({ nodes }, async (later) => {
    for (const name of names(10)) assert.equal(await later.read(name), `newer of ${name}`);
    await assertAgreed(later);
  });
});

test('a node whose log vanishes while it runs is made anew from the others', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(10));
    await cluster.store.whenQuiet();
    for (const path of [...cluster.node(2).paths].filter((each) => each.startsWith('log/')))
      await cluster.node(2).files.remove(path);
    cluster.node(2).paths.clear();
    await cluster.until(() => cluster.node(2).rebuilds === 1);
    await cluster.writeAll(names(10), 'newer');
    await assertAgreed(cluster);
    assert.equal(await cluster.rowsOn(2), 10);
  }));

test('a superblock that is damaged while its node runs is written again', () =>
  TestCluster.use({}, async (cluster) => {
    const { files } = cluster.node(0);
    const before = await files.read('superblock-a');
    assert(before !== undefined);
    for (const path of ['superblock-a', 'superblock-b']) await files.replace(path, Buffer.from('damaged'));
    await cluster.until(async () => (await files.read('superblock-a'))?.equals(before) === true);
    assert.equal(cluster.stateOf(0), 'up');
  }));

test('writes are refused while fewer than three disks have room, reads go on, and room ends it', () =>
  TestCluster.use({ settings: { reserveFreeBytes: 1_000 } }, async (cluster) => {
    await cluster.write('name', 'value');
    cluster.node(0).freeBytes = 10;
    await new Promise((resolve) => setTimeout(resolve, 30));
    await cluster.write('name', 'with three disks');
    cluster.node(1).freeBytes = 10;
    await cluster.until(() => cluster.store.status().writesRefused === 'disk-full');
    const refused = await cluster.put('name', 'with two');
    assert.equal(refused.kind === 'refused' && refused.error.code, 'disk-full');
    assert.equal(await cluster.read('name'), 'with three disks');
    cluster.node(1).freeBytes = 10 ** 6;
    await cluster.until(() => cluster.store.status().writesRefused === undefined);
    await cluster.write('name', 'again');
  }));

test('with all disks full to the last byte reads that no cache holds go on, and room ends it', () =>
  TestCluster.use({ settings: { cacheBytes: 4_096 } }, async (cluster) => {
    await cluster.writeAll(names(300));
    await cluster.store.whenQuiet();
    for (const node of cluster.nodes) node.mood = 'full';
    await cluster.put('name 0', 'no room');
    await cluster.until(() => cluster.store.status().writesRefused === 'disk-full');
    // Long enough for every node to be tried again.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const name of names(300).slice(1)) assert.equal(await cluster.read(name), `value of ${name}`);
    for (const node of cluster.nodes) node.mood = 'well';
    await assertAgreed(cluster);
    await cluster.writeAll(names(300), 'newer');
  }));

test('a start on disks that are full says so, and with room everything is there', async () => {
  const cluster = await TestCluster.open({});
  await cluster.writeAll(names(10));
  const nodes = await cluster.copyNodes();
  await cluster.store.stop();
  for (const node of nodes) node.mood = 'full';
  await assert.rejects(TestCluster.open({ nodes }), { code: 'disk-full' });
  for (const node of nodes) node.mood = 'well';
  await TestCluster.use({ nodes }, async (later) => {
    for (const name of names(10)) assert.equal(await later.read(name), `value of ${name}`);
  });
});
