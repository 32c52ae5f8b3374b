import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestNode, testNodes } from '../../test/support/breakable-node.ts';
import { names, TestCluster } from '../../test/support/memory-cluster.ts';
import type { RingfoldError } from '../errors/ringfold-error.ts';

/** The nodes of a cluster that crashed right after these rows were acknowledged, some of them failing since. */
async function crashedNodes(failing: readonly number[] = []): Promise<TestNode[]> {
  const cluster = await TestCluster.open();
  await cluster.writeAll(names(10), 'old');
  await cluster.writeAll(names(10));
  const nodes = await cluster.copyNodes();
  await cluster.store.stop();
  for (const nodeId of failing) (nodes[nodeId] as TestNode).mood = 'failing';
  return nodes;
}

async function assertHasAll(cluster: TestCluster): Promise<void> {
  for (const name of names(10)) assert.equal(await cluster.read(name), `value of ${name}`);
}

const pairs = [0, 1, 2, 3].flatMap((one) => [0, 1, 2, 3].filter((two) => one < two).map((two) => [one, two]));

test('after a crash every acknowledged write is there, in a higher epoch, and all replicas agree', async () => {
  let nodes = await crashedNodes();
  let epoch = 0;
  for (let life = 0; life < 3; life++) {
    const cluster = await TestCluster.open({ nodes });
    await assertHasAll(cluster);
    assert(cluster.store.status().epoch > epoch);
    epoch = cluster.store.status().epoch;
    await cluster.store.whenQuiet();
    const { differences } = await cluster.store.scrub();
    assert.equal(differences, 0);
    nodes = await cluster.copyNodes();
    await cluster.store.stop();
  }
});

test('with one node lost everything is served', async () => {
  for (const lost of [0, 1, 2, 3]) {
    const nodes = await crashedNodes([lost]);
    await TestCluster.use({ nodes }, async (cluster) => {
      await assertHasAll(cluster);
      await cluster.write('name 0', 'newer');
      const outcome = await cluster.readOutcome('name 0');
      assert(outcome.kind === 'read');
      assert.equal(outcome.certainty, 'settled');
    });
  }
});

test('any two nodes have every acknowledged write, and serve reads that say they are not settled', async () => {
  for (const lost of pairs) {
    const nodes = await crashedNodes(lost);
    await TestCluster.use({ nodes }, async (cluster) => {
      await assertHasAll(cluster);
      const read = await cluster.readOutcome('name 0');
      assert.equal(read.kind === 'read' && read.certainty, 'unsettled');
      assert.equal(cluster.store.readCached(cluster.addressOf('name 0'), cluster.keyOf('name 0')), undefined);
      const refused = await cluster.put('name 0', 'newer');
      assert.equal(refused.kind === 'refused' && refused.error.code, 'too-few-replicas');
      const split = cluster.store.splitPartition(cluster.container, 0, 'midpoint');
      await assert.rejects(split, { code: 'too-few-replicas' });
    });
  }
});

test('once a third node is back, what only read before is written again', async () => {
  const nodes = await crashedNodes([0, 3]);
  await TestCluster.use({ nodes }, async (cluster) => {
    cluster.node(3).mood = 'well';
    await cluster.until(() => cluster.statusOf('name 0').state === 'serving');
    await cluster.write('name 0', 'newer');
    await cluster.bringBack(0);
    const { differences } = await cluster.store.scrub();
    assert.equal(differences, 0);
    assert.equal(await cluster.read('name 0'), 'newer');
  });
});

test('one node of four alone is not served without force: its partition maps may be out of date', async () => {
  const nodes = await crashedNodes([0, 1, 2]);
  await assert.rejects(TestCluster.open({ nodes }), { code: 'no-readable-replica' });
});

test('a partition of a larger cluster that has one node left serves reads that say they may be stale', async () => {
  const cluster = await TestCluster.open({ nodes: testNodes(6) });
  await cluster.writeAll(names(10));
  const { members } = cluster.statusOf('name 0');
  const nodes = await cluster.copyNodes();
  await cluster.store.stop();
  for (const nodeId of members.slice(1)) (nodes[nodeId] as TestNode).mood = 'failing';
  await TestCluster.use({ nodes }, async (later) => {
    const read = await later.readOutcome('name 0');
    assert.equal(read.kind === 'read' && read.certainty, 'stale');
    const refused = await later.put('name 0', 'newer');
    assert.equal(refused.kind === 'refused' && refused.error.code, 'too-few-replicas');
  });
});

test('when no node can be opened the store does not open, and says why of each', async () => {
  const nodes = await crashedNodes();
  for (const node of nodes) {
    node.beforeAppend = () => {
      node.mood = 'failing';
    };
  }
  await assert.rejects(TestCluster.open({ nodes }), (error: RingfoldError) => {
    assert.equal(error.code, 'no-readable-replica');
    assert.match(JSON.stringify(error.details), /EIO.*EIO.*EIO.*EIO/);
    return true;
  });
});

test('when it is forced, one node alone is the truth and the others are made like it', async () => {
  const nodes = await crashedNodes([0, 1, 2]);
  await TestCluster.use({ nodes, forceRecover: true }, async (cluster) => {
    await assertHasAll(cluster);
    assert.equal(cluster.statusOf('name 0').state, 'serving');
    for (const nodeId of [0, 1, 2]) cluster.node(nodeId).mood = 'well';
    await cluster.store.whenQuiet();
    await cluster.write('name 0', 'newer');
    await cluster.store.whenQuiet();
    const { differences } = await cluster.store.scrub();
    assert.equal(differences, 0);
  });
});

test('when it is forced on a node that missed writes, those are gone alike from all', async () => {
  const before = await TestCluster.open();
  await before.writeAll(names(10), 'old');
  await before.takeDown(3);
  await before.writeAll(names(10), 'lost');
  const nodes = await before.copyNodes();
  await before.store.stop();
  for (const nodeId of [0, 1, 2]) (nodes[nodeId] as TestNode).mood = 'failing';
  await TestCluster.use({ nodes, forceRecover: true }, async (cluster) => {
    for (const name of names(10)) assert.equal(await cluster.read(name), `old of ${name}`);
    for (const nodeId of [0, 1, 2]) cluster.node(nodeId).mood = 'well';
    await cluster.store.whenQuiet();
    await cluster.write('name 0', 'newer');
    await cluster.store.whenQuiet();
    const { differences } = await cluster.store.scrub();
    assert.equal(differences, 0);
    for (const name of names(10).slice(1)) assert.equal(await cluster.read(name), `old of ${name}`);
  });
  await TestCluster.use({ nodes }, async (cluster) => {
    assert.equal(await cluster.read('name 0'), 'newer');
    assert.equal(await cluster.read('name 1'), 'old of name 1');
  });
});

/** Nodes that crashed while one transaction was in the log of node 0 alone. */
async function nodesWithOrphan(): Promise<{ nodes: TestNode[]; transactionId: string }> {
  const cluster = await TestCluster.open();
  await cluster.write('name', 'acknowledged');
  for (const nodeId of [1, 2, 3]) cluster.node(nodeId).mood = 'hung';
  const outcome = await cluster.put('name', 'orphan');
  assert(outcome.kind === 'unknown');
  const nodes = await cluster.copyNodes();
  for (const nodeId of [1, 2, 3]) cluster.node(nodeId).mood = 'well';
  await cluster.store.stop();
  return { nodes, transactionId: outcome.transactionId };
}

test('a write that was never acknowledged is kept, alike on all, when the node that has it is there', async () => {
  const { nodes, transactionId } = await nodesWithOrphan();
  await TestCluster.use({ nodes }, async (cluster) => {
    assert.equal(cluster.store.settle(transactionId), 'kept');
    assert.equal(await cluster.read('name'), 'orphan');
    await cluster.store.whenQuiet();
    for (const nodeId of [1, 2, 3])
      assert.deepEqual(await cluster.storedOn(nodeId, 'name'), await cluster.storedOn(0, 'name'));
  });
});

test('with two nodes the fate of a write that was never acknowledged is not told, since a third may yet decide it', async () => {
  const { nodes, transactionId } = await nodesWithOrphan();
  for (const id of [0, 1]) (nodes[id] as TestNode).mood = 'failing';
  await TestCluster.use({ nodes }, async (cluster) => {
    assert.equal(cluster.store.settle(transactionId), 'undecided');
    cluster.node(0).mood = 'well';
    await cluster.until(() => cluster.statusOf('name').state === 'serving');
    assert.equal(cluster.store.settle(transactionId), 'kept');
  });
});

test('a write that was never acknowledged and is not found is dropped for ever, also when its node returns', async () => {
  const { nodes, transactionId } = await nodesWithOrphan();
  (nodes[0] as TestNode).mood = 'failing';
  await TestCluster.use({ nodes }, async (cluster) => {
    assert.equal(cluster.store.settle(transactionId), 'dropped');
    assert.equal(await cluster.read('name'), 'acknowledged');
    await cluster.write('name', 'another at the same LSN');
    await cluster.bringBack(0);
    assert.equal(cluster.store.settle(transactionId), 'dropped');
    assert.equal(await cluster.read('name'), 'another at the same LSN');
    const { differences } = await cluster.store.scrub();
    assert.equal(differences, 0);
  });
  await TestCluster.use({ nodes }, async (cluster) => {
    assert.equal(cluster.store.settle(transactionId), 'dropped');
    assert.equal(await cluster.read('name'), 'another at the same LSN');
  });
});

test('a log that went on in an older epoch is made like the chosen one, though it is as long', async () => {
  const { nodes, transactionId } = await nodesWithOrphan();
  (nodes[0] as TestNode).mood = 'failing';
  const cluster = await TestCluster.open({ nodes });
  await cluster.write('name', 'another at the same LSN');
  const crashed = await cluster.copyNodes();
  await cluster.store.stop();
  await TestCluster.use({ nodes: crashed }, async (later) => {
    assert.equal(later.store.settle(transactionId), 'dropped');
    await later.store.whenQuiet();
    assert.deepEqual(await later.storedOn(0, 'name'), await later.storedOn(1, 'name'));
    assert.equal(await later.read('name'), 'another at the same LSN');
  });
});

test('a node whose log is damaged at the start is rebuilt from the others', async () => {
  const nodes = await crashedNodes();
  const damaged = nodes[2] as TestNode;
  await damaged.damageLog();
  await TestCluster.use({ nodes }, async (cluster) => {
    await assertHasAll(cluster);
    await cluster.store.whenQuiet();
    assert.equal(damaged.rebuilds, 1);
    assert.equal(await cluster.rowsOn(2), 10);
  });
});

test('a node that is named is rebuilt, and nothing of its own is believed', async () => {
  const nodes = await crashedNodes();
  await TestCluster.use({ nodes, rebuild: [1] }, async (cluster) => {
    await cluster.store.whenQuiet();
    assert.deepEqual(cluster.statusOf('name 0').levelMembers.toSorted(), [0, 1, 2, 3]);
    assert.equal(await cluster.rowsOn(1), 10);
  });
});

test('a disk that hangs in the middle of recovery does not keep the store from opening', async () => {
  const nodes = await crashedNodes();
  const node = nodes[3] as TestNode;
  let appends = 0;
  node.beforeAppend = () => {
    appends += 1;
    // The first begins a segment; the second is the promise.
    if (appends === 2) node.mood = 'hung';
  };
  // So that a store which waits for it fails the test instead of hanging it.
  const patience = setTimeout(() => {
    node.mood = 'well';
  }, 30_000);
  const cluster = await TestCluster.open({ nodes });
  clearTimeout(patience);
  const wasHung = node.mood === 'hung';
  node.mood = 'well';
  await cluster.store.stop();
  assert(wasHung);
});
