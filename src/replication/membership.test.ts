import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestNode, testNodes } from '../../test/support/breakable-node.ts';
import { aTurn, names, TestCluster } from '../../test/support/memory-cluster.ts';
import { partitionKeyDefinition } from '../partitioning/partition-key.ts';
import type { NodeId } from '../partitioning/replica-set.ts';

/** Members of partition 0, and the one node of five that is none. */
function membersOf(cluster: TestCluster): { members: NodeId[]; spare: NodeId; first: NodeId } {
  const { members } = cluster.map.partition(0).replicaSet;
  const spare = ([0, 1, 2, 3, 4] as NodeId[]).find((id) => !members.includes(id));
  const [first] = members;
  assert(spare !== undefined && first !== undefined);
  return { members: [...members], spare, first };
}

async function withFive(test: (cluster: TestCluster) => Promise<void>): Promise<void> {
  await TestCluster.use({ nodes: testNodes(5) }, async (cluster) => {
    await cluster.writeAll(names(15));
    await test(cluster);
  });
}

async function assertWhole(cluster: TestCluster, value = 'value'): Promise<void> {
  await cluster.store.whenQuiet();
  for (const name of names(15)) assert.equal(await cluster.read(name), `${value} of ${name}`);
  const { differences } = await cluster.store.scrub();
  assert.equal(differences, 0);
}

test('a replica that moves is whole in its new place, and gone from the old one', () =>
  withFive(async (cluster) => {
    const { members, spare, first } = membersOf(cluster);
    const { generation } = cluster.map.partition(0).replicaSet;
    const map = await cluster.store.moveReplica(cluster.container, 0, first, spare);
    const moved = map.partition(0).replicaSet;
    assert.deepEqual(
      moved.members,
      members.map((member) => (member === first ? spare : member)),
    );
    assert.equal(moved.generation, generation + 1);
    await assertWhole(cluster);
    assert.equal(await cluster.rowsOn(spare), 15);
    assert.equal(await cluster.rowsOn(first), 0);
    await cluster.writeAll(names(15), 'newer');
    await assertWhole(cluster, 'newer');
    assert.equal(await cluster.rowsOn(first), 0);
  }));

test('a replica can be moved away and back', () =>
  withFive(async (cluster) => {
    const { spare, first } = membersOf(cluster);
    await cluster.store.moveReplica(cluster.container, 0, first, spare);
    await cluster.writeAll(names(15), 'newer');
    await cluster.write('name 3', null);
    await cluster.store.moveReplica(cluster.container, 0, spare, first);
    await cluster.store.whenQuiet();
    assert.equal(await cluster.rowsOn(first), 14);
    assert.equal(await cluster.rowsOn(spare), 0);
    assert.equal(await cluster.read('name 4'), 'newer of name 4');
  }));

test('writes go on while a replica moves', () =>
  withFive(async (cluster) => {
    const { spare, first } = membersOf(cluster);
    let isOver = false;
    let rounds = 0;
    const writing = (async () => {
      for (; !isOver; rounds++) {
        await cluster.writeAll(names(15), `round ${rounds}`);
        await aTurn();
      }
    })();
    await cluster.store.moveReplica(cluster.container, 0, first, spare);
    isOver = true;
    await writing;
    await assertWhole(cluster, `round ${rounds - 1}`);
  }));

test('from the entry of a move until its map is written writes go on, and any two of the old members have them', async () => {
  const cluster = await TestCluster.open({ nodes: testNodes(8) });
  await cluster.writeAll(names(15));
  await cluster.store.whenQuiet();
  const { members } = cluster.map.partition(0).replicaSet;
  const [target, ...others] = ([0, 1, 2, 3, 4, 5, 6, 7] as NodeId[]).filter((id) => !members.includes(id));
  const former = members[3];
  assert(target !== undefined && former !== undefined);
  // Four nodes are enough for the partition, and one too few for the maps.
  for (const id of [...others, former]) await cluster.takeDown(id);
  const moving = cluster.store.moveReplica(cluster.container, 0, former, target).catch(() => {});
  await cluster.until(() => cluster.statusOf('name 0').nextMembers !== undefined);
  await cluster.writeAll(names(15), 'newer');
  assert.deepEqual(cluster.statusOf('name 0').nextMembers, [...members.slice(0, 3), target]);
  const images = await cluster.copyNodes();
  await cluster.store.stop();
  await moving;
  for (const [one, two] of [
    [0, 1],
    [0, 3],
    [1, 2],
    [2, 3],
  ]) {
    const nodes = await Promise.all(images.map((node) => node.copy()));
    const lost = members.filter((_, index) => index !== one && index !== two);
    for (const id of lost) (nodes[id] as TestNode).mood = 'failing';
    await TestCluster.use({ nodes }, async (later) => {
      for (const name of names(15)) assert.equal(await later.read(name), `newer of ${name}`);
      for (const id of lost) later.node(id).mood = 'well';
      await assertWhole(later, 'newer');
      assert.deepEqual(later.map.partition(0).replicaSet.members, [...members.slice(0, 3), target]);
    });
  }
});

test('a move from where nothing is, to where it is already, or to a node that is down is refused', () =>
  withFive(async (cluster) => {
    const { members, spare, first } = membersOf(cluster);
    const { store, container } = cluster;
    const [, second] = members;
    assert(second !== undefined);
    const refused = { code: 'move-refused' };
    await assert.rejects(store.moveReplica(container, 0, spare, first), refused);
    await assert.rejects(store.moveReplica(container, 0, first, second), refused);
    await assert.rejects(store.moveReplica(container, 7, first, spare), { code: 'partition-not-found' });
    await cluster.takeDown(spare);
    await assert.rejects(store.moveReplica(container, 0, first, spare), refused);
    await cluster.write('name 0', 'still served');
  }));

test('a move whose new node fails on the way is refused, and leaves the replica set as it was', () =>
  withFive(async (cluster) => {
    const { members, spare, first } = membersOf(cluster);
    let appends = 0;
    cluster.node(spare).beforeAppend = () => {
      appends += 1;
      if (appends === 3) cluster.node(spare).mood = 'failing';
    };
    await assert.rejects(cluster.store.moveReplica(cluster.container, 0, first, spare), {
      code: 'move-refused',
    });
    assert.deepEqual(cluster.map.partition(0).replicaSet.members, members);
    await cluster.bringBack(spare);
    await assertWhole(cluster);
    assert.equal(await cluster.rowsOn(spare), 0);
    await cluster.store.moveReplica(cluster.container, 0, first, spare);
    await assertWhole(cluster);
  }));

test('a move that a crash interrupts anywhere is done or undone, and no row is lost or left over', () =>
  withFive(async (cluster) => {
    const { members, spare, first } = membersOf(cluster);
    await cluster.store.whenQuiet();
    const change = cluster.store.moveReplica(cluster.container, 0, first, spare);
    const ends = new Set<string>();
    for (const nodes of await cluster.imagesDuring(change)) {
      await TestCluster.use({ nodes }, async (later) => {
        await assertWhole(later);
        const now = membersOf(later);
        assert(now.spare === spare || now.spare === first);
        assert.equal(await later.rowsOn(now.spare), 0);
        ends.add(now.members.join() === members.join() ? 'undone' : 'done');
      });
    }
    assert.deepEqual([...ends].sort(), ['done', 'undone']);
  }));

test('a split that a crash interrupts anywhere is done or undone, and no row is lost', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(15));
    const change = cluster.store.splitPartition(cluster.container, 0, 'midpoint');
    const counts = new Set<number>();
    for (const nodes of await cluster.imagesDuring(change)) {
      await TestCluster.use({ nodes }, async (later) => {
        await assertWhole(later);
        counts.add(later.map.partitions.length);
        await later.writeAll(names(15), 'newer');
        await assertWhole(later, 'newer');
      });
    }
    assert(counts.has(2));
  }));

test('a merge that a crash interrupts anywhere is done or undone, and no row is lost', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(15));
    const { partitions } = await cluster.store.splitPartition(cluster.container, 0, 'midpoint');
    const [left, right] = partitions;
    assert(left !== undefined && right !== undefined);
    await cluster.writeAll(names(15), 'newer');
    const change = cluster.store.mergePartitions(cluster.container, left.id, right.id);
    const counts = new Set<number>();
    for (const nodes of await cluster.imagesDuring(change)) {
      await TestCluster.use({ nodes }, async (later) => {
        await assertWhole(later, 'newer');
        counts.add(later.map.partitions.length);
      });
    }
    assert(counts.has(1));
  }));

test('changes of one container wait for one another, and the later one sees the map of the earlier', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(15));
    const { store, container } = cluster;
    const changes = await Promise.allSettled([
      store.splitPartition(container, 0, 'midpoint'),
      store.splitPartition(container, 0, 'midpoint'),
      store.mergePartitions(container, 1, 2),
    ]);
    assert.deepEqual(
      changes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(cluster.map.partitions.length, 1);
    await assertWhole(cluster);
  }));

test('what became of a transaction is known after its partition has split, and after a restart', async () => {
  const cluster = await TestCluster.open();
  await cluster.write('name', 'first');
  for (const nodeId of [2, 3]) cluster.node(nodeId).mood = 'hung';
  const outcome = await cluster.put('name', 'second');
  assert(outcome.kind === 'unknown');
  for (const nodeId of [2, 3]) cluster.node(nodeId).mood = 'well';
  await cluster.store.whenQuiet();
  const { transactionId } = outcome;
  const [container, partition, epoch, lsn] = transactionId.split('.').map(Number);
  assert(epoch !== undefined && lsn !== undefined);
  const neverWas = [
    `${container}.${partition}.${epoch + 1}.${lsn}`,
    `${container}.${partition}.${epoch}.${lsn + 50}`,
  ];
  await cluster.store.splitPartition(cluster.container, 0, 'midpoint');
  const check = ({ store }: TestCluster): void => {
    assert.equal(store.settle(transactionId), 'kept');
    for (const id of neverWas) assert.equal(store.settle(id), 'dropped', id);
  };
  check(cluster);
  await cluster.store.stop();
  await TestCluster.use({ nodes: cluster.nodes }, async (later) => {
    check(later);
    await later.store.dropContainer(later.container);
    assert.equal(later.store.settle(transactionId), 'dropped');
  });
});

test('a transaction id that no store gave is refused', () =>
  TestCluster.use({}, async ({ store }) => {
    for (const id of ['', 'x', '1.2.3', '1.2.3.4.5', '1.2.3.x', '-1.0.0.1'])
      assert.throws(() => store.settle(id), { code: 'bad-request' }, id);
  }));

test('a container that is dropped is gone from every node, one that was down included', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(15));
    await cluster.store.splitPartition(cluster.container, 0, 'midpoint');
    await cluster.writeAll(names(15), 'newer');
    await cluster.store.whenQuiet();
    await cluster.takeDown(3);
    const address = cluster.addressOf('name 0');
    await cluster.store.dropContainer(cluster.container);
    assert.deepEqual(cluster.store.containers(), []);
    const read = await cluster.store.read(address, cluster.keyOf('name 0'));
    assert.equal(read.kind, 'moved');
    await cluster.bringBack(3);
    for (const nodeId of [0, 1, 2, 3]) assert.equal(await cluster.rowsOn(nodeId), 0, `node ${nodeId}`);
    await assert.rejects(cluster.store.dropContainer(cluster.container), { code: 'container-not-found' });
  }));

test('a container whose making a crash interrupts is there and takes writes, or is not', () =>
  TestCluster.use({}, async (cluster) => {
    const { store } = cluster;
    const change = store.createContainer([], partitionKeyDefinition('cql', ['key']));
    const counts = new Set<number>();
    for (const nodes of await cluster.imagesDuring(change)) {
      await TestCluster.use({ nodes }, async (later) => {
        await later.store.whenQuiet();
        counts.add(later.store.containers().length);
        for (const { state } of later.store.status().partitions) assert.equal(state, 'serving');
        const another = await later.store.createContainer([], partitionKeyDefinition('cql', ['key']));
        assert.equal(new Set(later.store.containers()).size, later.store.containers().length);
        assert(another.container > later.container);
      });
    }
    assert(counts.has(2));
  }));

test('a container whose dropping a crash interrupts is there with all rows, or gone with all of them', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(15));
    await cluster.store.whenQuiet();
    const change = cluster.store.dropContainer(cluster.container);
    for (const nodes of await cluster.imagesDuring(change.then(() => cluster.store.whenQuiet()))) {
      const later = await TestCluster.open({ nodes });
      await later.store.whenQuiet();
      const isThere = later.container === cluster.container;
      for (const node of nodes) {
        const rows = (await node.allRows()).filter(({ key }) => key.readUInt32BE(0) === cluster.container);
        assert.equal(rows.length, isThere ? 15 : 0);
      }
      await later.store.stop();
    }
  }));

test('what waits for a change that cannot go on is answered when the store stops', {}, async () => {
  const cluster = await TestCluster.open({ settings: { hungNodeMs: 30 } });
  await cluster.write('name', 'value');
  for (const nodeId of [2, 3]) cluster.node(nodeId).mood = 'hung';
  const split = cluster.store.splitPartition(cluster.container, 0, 'midpoint');
  split.catch(() => {});
  await aTurn();
  const held = cluster.put('name', 'held');
  await cluster.until(() => cluster.stateOf(2) === 'down' && cluster.stateOf(3) === 'down');
  await cluster.store.stop();
  for (const nodeId of [2, 3]) cluster.node(nodeId).mood = 'well';
  const outcome = await Promise.race([held, new Promise((resolve) => setTimeout(resolve, 10_000, 'never'))]);
  assert.notEqual(outcome, 'never');
});

test('every write that was begun before a stop is answered, and what was committed is there afterwards', async () => {
  const cluster = await TestCluster.open();
  const outcomes = names(40).map((name) => cluster.put(name, `value of ${name}`));
  const stopping = cluster.store.stop();
  const settled = await Promise.all(outcomes);
  await stopping;
  await TestCluster.use({ nodes: cluster.nodes }, async (later) => {
    for (const [index, name] of names(40).entries()) {
      const value = await later.read(name);
      if (settled[index]?.kind === 'committed') assert.equal(value, `value of ${name}`);
      if (settled[index]?.kind === 'refused') assert.equal(value, null);
    }
  });
});
