import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestNode, testNodes } from '../../test/support/breakable-node.ts';
import { names, TestCluster } from '../../test/support/memory-cluster.ts';
import type { NodeId } from '../partitioning/replica-set.ts';

interface HalfMove {
  /** As a crash leaves them. */
  readonly nodes: TestNode[];
  /** The member that goes, those that stay, and the one that comes. */
  readonly former: NodeId;
  readonly others: readonly NodeId[];
  readonly next: NodeId;
}

function copyOf(nodes: readonly TestNode[]): Promise<TestNode[]> {
  return Promise.all(nodes.map((node) => node.copy()));
}

function nodeOf(nodes: readonly TestNode[], nodeId: number): TestNode {
  const node = nodes[nodeId];
  assert(node !== undefined);
  return node;
}

/** A crash when the new replica set is in the logs, but for those of the nodes in `without`, and the map does not know it yet. */
async function halfMove(
  without: 'nobody' | 'next' | 'members',
  before: (cluster: TestCluster, others: readonly NodeId[]) => Promise<void> = async () => {},
): Promise<HalfMove> {
  let found: HalfMove | undefined;
  await TestCluster.use({ nodes: testNodes(5) }, async (cluster) => {
    await cluster.writeAll(names(15));
    await cluster.store.whenQuiet();
    const { members } = cluster.map.partition(0).replicaSet;
    const [former, ...others] = members;
    const next = ([0, 1, 2, 3, 4] as NodeId[]).find((id) => !members.includes(id));
    assert(former !== undefined && next !== undefined);
    await before(cluster, others);
    const hanging = { nobody: [], next: [next], members }[without];
    let image: Promise<TestNode[]> | undefined;
    const appended = new Set<number>();
    for (const node of cluster.nodes) {
      node.beforeAppend = () => {
        if (cluster.statusOf('name 0').nextMembers === undefined) return;
        for (const nodeId of hanging) cluster.node(nodeId).mood = 'hung';
        // The first that anybody writes is the replica set, the second is the map.
        if (appended.has(node.nodeId)) image ??= copyOf(cluster.nodes);
        appended.add(node.nodeId);
      };
    }
    const moving = cluster.store.moveReplica(cluster.container, 0, former, next);
    await cluster.until(() => image !== undefined || cluster.stateOf(former) === 'down');
    found = { nodes: await (image ?? copyOf(cluster.nodes)), former, others, next };
    for (const node of cluster.nodes) {
      node.beforeAppend = () => {};
      node.mood = 'well';
    }
    await moving;
    await cluster.store.whenQuiet();
  });
  assert(found !== undefined);
  return found;
}

async function assertWhole(cluster: TestCluster, { former, next }: HalfMove): Promise<void> {
  await cluster.store.whenQuiet();
  for (const name of names(15)) assert.equal(await cluster.read(name), `value of ${name}`);
  assert.equal(await cluster.rowsOn(next), 15);
  assert.equal(await cluster.rowsOn(former), 0);
  const { differences } = await cluster.store.scrub();
  assert.equal(differences, 0);
}

test('a node that the logs name as a member keeps what it has, though the map does not know yet', async () => {
  const move = await halfMove('nobody');
  const { rows } = nodeOf(move.nodes, move.next);
  rows.clear = () => assert.fail('rows are removed');
  await TestCluster.use({ nodes: move.nodes }, (cluster) => assertWhole(cluster, move));
});

test('so it does while too few members are up to tell, and until they are', async () => {
  const move = await halfMove('nobody');
  const missing = [move.former, move.others[0] ?? move.former];
  for (const nodeId of missing) nodeOf(move.nodes, nodeId).mood = 'failing';
  await TestCluster.use({ nodes: move.nodes }, async (cluster) => {
    assert.equal(cluster.statusOf('name 0').state, 'reads-only');
    assert.equal(await cluster.rowsOn(move.next), 15);
    for (const nodeId of missing) cluster.node(nodeId).mood = 'well';
    await assertWhole(cluster, move);
  });
});

test('a replica set that only the new node has heard of did not come to be, and the node lets go as soon as that is sure', async () => {
  const move = await halfMove('members');
  const missing = [move.former, move.others[0] ?? move.former];
  for (const nodeId of missing) nodeOf(move.nodes, nodeId).mood = 'failing';
  await TestCluster.use({ nodes: move.nodes }, async (cluster) => {
    assert.equal(await cluster.rowsOn(move.next), 15);
    for (const nodeId of missing) cluster.node(nodeId).mood = 'well';
    await assertWhole(cluster, { ...move, former: move.next, next: move.former });
    assert(!cluster.map.partition(0).replicaSet.members.includes(move.next));
  });
});

test('a node that let go of a partition and is its member again has every row, whatever a crash leaves of either', async () => {
  const move = await halfMove('next');
  const cleared: Promise<TestNode[]>[] = [];
  const { rows } = nodeOf(move.nodes, move.next);
  const clear = rows.clear.bind(rows);
  rows.clear = async (range) => {
    await clear(range);
    cleared.push(copyOf(move.nodes));
  };
  await TestCluster.use({ nodes: move.nodes }, (cluster) => assertWhole(cluster, move));
  const [nodes] = await Promise.all(cleared);
  assert(nodes !== undefined);

  const returning: Promise<TestNode[]>[] = [];
  const again = nodeOf(nodes, move.next).rows;
  const write = again.write.bind(again);
  again.write = (batch, sync) => {
    returning.push(copyOf(nodes));
    return write(batch, sync);
  };
  await TestCluster.use({ nodes }, (cluster) => assertWhole(cluster, move));
  assert(returning.length > 0);
  for (const image of await Promise.all(returning))
    await TestCluster.use({ nodes: image }, (cluster) => assertWhole(cluster, move));
});

test('a move that a crash interrupts costs no copy: one node lost and one down afterwards, and every acknowledged write is there', async () => {
  const move = await halfMove('nobody', async (cluster, [behind]) => {
    assert(behind !== undefined);
    await cluster.takeDown(behind);
    await cluster.writeAll(names(15), 'newer');
  });
  const [behind, lost, down] = move.others;
  assert(behind !== undefined && lost !== undefined && down !== undefined);
  let image: Promise<TestNode[]> | undefined;
  const { rows } = nodeOf(move.nodes, move.former);
  const clear = rows.clear.bind(rows);
  rows.clear = async (range) => {
    await clear(range);
    image ??= copyOf(move.nodes);
  };
  nodeOf(move.nodes, behind).mood = 'failing';
  await TestCluster.use({ nodes: move.nodes }, (cluster) => cluster.until(() => image !== undefined));
  assert(image !== undefined);
  const nodes = (await image).map((node) => (node.nodeId === lost ? new TestNode(lost) : node));
  nodeOf(nodes, down).mood = 'failing';
  await TestCluster.use({ nodes, rebuild: [lost] }, async (cluster) => {
    await cluster.until(() => cluster.statusOf('name 0').state === 'serving');
    for (const name of names(15)) assert.equal(await cluster.read(name), `newer of ${name}`);
    await cluster.bringBack(down);
    for (const name of names(15)) assert.equal(await cluster.read(name), `newer of ${name}`);
  });
});

test('when a node has let go of a partition, no power cut brings back the mark that it has the rows', () =>
  TestCluster.use({ nodes: testNodes(5) }, async (cluster) => {
    await cluster.writeAll(names(15));
    await cluster.store.whenQuiet();
    const { members } = cluster.map.partition(0).replicaSet;
    const next = ([0, 1, 2, 3, 4] as NodeId[]).find((id) => !members.includes(id));
    const [former] = members;
    assert(former !== undefined && next !== undefined);
    const { rows } = cluster.node(former);
    const write = rows.write.bind(rows);
    const removals: boolean[] = [];
    rows.write = (batch, sync) => {
      if (batch.some(({ value }) => value === undefined)) removals.push(sync);
      return write(batch, sync);
    };
    await cluster.store.moveReplica(cluster.container, 0, former, next);
    await cluster.store.whenQuiet();
    assert.deepEqual(removals, [true]);
  }));
