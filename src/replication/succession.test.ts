import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestNode, testNodes } from '../../test/support/breakable-node.ts';
import { names, TestCluster } from '../../test/support/memory-cluster.ts';

/** Rows on both sides of the middle of the ring. */
const rows = names(20);

async function assertHas(cluster: TestCluster, value: string): Promise<void> {
  for (const name of rows) assert.equal(await cluster.read(name), `${value} of ${name}`);
}

/** Every partition by itself: one may be, and the other not yet. */
function isServed(cluster: TestCluster): boolean {
  return rows.every((name) => cluster.statusOf(name).state === 'serving');
}

async function assertEqualEverywhere(cluster: TestCluster): Promise<void> {
  await cluster.assertStoredAlike(rows);
  const { differences } = await cluster.store.scrub();
  assert.equal(differences, 0);
}

/** Six nodes of which three keep the partition and are up: enough for it, and one too few for the maps. */
async function withoutMapQuorum(cluster: TestCluster): Promise<{ members: number[]; others: number[] }> {
  const { members } = cluster.statusOf('name 0');
  const others = cluster.nodes.map(({ nodeId }) => nodeId).filter((id) => !members.includes(id));
  for (const id of [...others, members[3] as number]) await cluster.takeDown(id);
  return { members: [...members], others };
}

const changes: readonly {
  readonly name: string;
  prepare(cluster: TestCluster): Promise<unknown>;
  change(cluster: TestCluster): Promise<unknown>;
  readonly partitions: number;
}[] = [
  {
    name: 'split',
    prepare: () => Promise.resolve(),
    change: ({ store, container }) => store.splitPartition(container, 0, 'midpoint'),
    partitions: 2,
  },
  {
    name: 'merge',
    prepare: ({ store, container }) => store.splitPartition(container, 0, 'midpoint'),
    change: ({ store, container }) => store.mergePartitions(container, 1, 2),
    partitions: 1,
  },
];

/** The nodes as a crash leaves them after rows were written to what came of the change, and before its map was. */
async function crashed(change: (typeof changes)[number]) {
  const cluster = await TestCluster.open({ nodes: testNodes(6) });
  await cluster.writeAll(rows, 'old');
  await change.prepare(cluster);
  const { members, others } = await withoutMapQuorum(cluster);
  await cluster.writeAll(rows, 'parent’s');
  const changed = change.change(cluster).catch(() => {});
  await cluster.until(() => cluster.map.partitions.length === change.partitions);
  await cluster.writeAll(rows);
  await cluster.write('name 1', null);
  await cluster.write('name 1', 'value of name 1');
  const nodes = await cluster.copyNodes();
  await cluster.store.stop();
  await changed;
  return { nodes, members, others, version: cluster.map.version };
}

for (const change of changes) {
  test(`what comes of a ${change.name} is served before the map is written, and the map follows`, () =>
    TestCluster.use({ nodes: testNodes(6) }, async (cluster) => {
      await cluster.writeAll(rows, 'old');
      await change.prepare(cluster);
      await withoutMapQuorum(cluster);
      let isWritten = false;
      const changed = change.change(cluster).then(() => {
        isWritten = true;
      });
      await cluster.until(() => cluster.map.partitions.length === change.partitions);
      await cluster.writeAll(rows);
      await assertHas(cluster, 'value');
      assert.equal(isWritten, false);
      for (const node of cluster.nodes) node.mood = 'well';
      await changed;
      await assertEqualEverywhere(cluster);
    }));

  test(`after a crash before the map of a ${change.name} was written, every row of what came of it is there`, async () => {
    const { nodes, version } = await crashed(change);
    await TestCluster.use({ nodes }, async (cluster) => {
      await assertHas(cluster, 'value');
      assert.equal(cluster.map.version, version);
      await cluster.writeAll(rows, 'newer');
      await assertEqualEverywhere(cluster);
      const again = await cluster.copyNodes();
      await TestCluster.use({ nodes: again }, async (later) => {
        await assertHas(later, 'newer');
        assert.equal(later.map.version, version);
      });
    });
  });

  test(`after such a crash of a ${change.name}, any two nodes of the partition have every row, and then the rest are made like them`, async () => {
    const crash = await crashed(change);
    for (const [one, two] of pairsOf([0, 1, 2, 3])) {
      const nodes = await Promise.all(crash.nodes.map((node) => node.copy()));
      const lost = crash.members.filter((_, index) => index !== one && index !== two);
      for (const id of lost) (nodes[id] as TestNode).mood = 'failing';
      await TestCluster.use({ nodes }, async (cluster) => {
        await assertHas(cluster, 'value');
        const outcome = await cluster.readOutcome('name 0');
        assert.equal(outcome.kind === 'read' && outcome.certainty, 'unsettled');
        for (const id of lost) cluster.node(id).mood = 'well';
        await cluster.until(() => isServed(cluster));
        await cluster.writeAll(rows, 'newer');
        await assertEqualEverywhere(cluster);
        await assertHas(cluster, 'newer');
      });
    }
  });

  test(`after such a crash of a ${change.name} without a quorum for the maps, writes go on and the map is written later`, async () => {
    const { nodes, members, others } = await crashed(change);
    const down = [...others, members[0] as number];
    for (const id of down) (nodes[id] as TestNode).mood = 'failing';
    await TestCluster.use({ nodes }, async (cluster) => {
      await assertHas(cluster, 'value');
      await cluster.writeAll(rows, 'newer');
      const images = await cluster.copyNodes();
      await TestCluster.use({ nodes: images }, async (later) => {
        await assertHas(later, 'newer');
        await assertEqualEverywhere(later);
        const { id } = later.map.partitions[0] as { id: number };
        await later.store.splitPartition(later.container, id, 'midpoint');
        await assertHas(later, 'newer');
      });
      for (const id of down) cluster.node(id).mood = 'well';
      await assertEqualEverywhere(cluster);
    });
  });
}

for (const hasQuorum of [true, false])
  test(`while a map is not written, no node is made to forget how its ancestors ended, ${hasQuorum ? 'and' : 'also when'} writes ${hasQuorum ? 'go on' : 'wait for it'}`, () =>
    TestCluster.use(
      { nodes: testNodes(8), settings: { logRetentionBytes: 0, segmentBytes: 500 } },
      async (cluster) => {
        const { members } = cluster.statusOf('name 0');
        const absent = members[3] as number;
        await cluster.writeAll(rows, 'first');
        await cluster.takeDown(absent);
        // More than the logs keep: it must be copied.
        for (let round = 0; round < 20; round++) await cluster.writeAll(rows, `round ${round}`);
        await cluster.until(() => cluster.store.status().memtableBytes === 0);
        const others = cluster.nodes.map(({ nodeId }) => nodeId).filter((id) => !members.includes(id));
        for (const id of others) await cluster.takeDown(id);
        const changed = cluster.store.splitPartition(cluster.container, 0, 'midpoint');
        await cluster.until(() => cluster.map.partitions.length === 2);
        await cluster.writeAll(rows);
        if (!hasQuorum) await cluster.takeDown(members[0] as number);
        cluster.node(absent).mood = 'well';
        await cluster.until(() => cluster.stateOf(absent) === 'up');
        // As long as it takes to be tried a few times.
        await new Promise((resolve) => setTimeout(resolve, 60));
        const isLevel = () => cluster.statusOf('name 0').levelMembers.includes(absent);
        assert.equal(isLevel(), false);
        for (const node of cluster.nodes) node.mood = 'well';
        await changed;
        await cluster.until(isLevel);
        await assertEqualEverywhere(cluster);
        await assertHas(cluster, 'value');
      },
    ));

test('after such a crash a node that must be copied waits for the map, which is written for it, and may then be one of the two that are left', async () => {
  for (const change of changes) {
    const { nodes, members } = await crashed(change);
    const [lost, second, third, absent] = members as [number, number, number, number];
    (nodes[absent] as TestNode).mood = 'failing';
    const images = await TestCluster.use({ nodes, rebuild: [lost] }, async (cluster) => {
      await cluster.until(() => isServed(cluster));
      await cluster.writeAll(rows, 'newer');
      const copies = await cluster.copyNodes();
      return copies;
    });
    for (const id of [second, third]) (images[id] as TestNode).mood = 'failing';
    await TestCluster.use({ nodes: images }, async (later) => {
      await later.until(async () => (await later.readOutcome('name 0')).kind === 'read');
      await assertHas(later, 'newer');
      for (const id of [second, third]) later.node(id).mood = 'well';
      await assertEqualEverywhere(later);
    });
  }
});

test('after such a crash a single node that is forced to go on makes the others like it', async () => {
  for (const change of changes) {
    const { nodes, members } = await crashed(change);
    const left = members[0] as number;
    for (const node of nodes) if (node.nodeId !== left) node.mood = 'failing';
    await TestCluster.use({ nodes, forceRecover: true }, async (cluster) => {
      await assertHas(cluster, 'value');
      for (const node of nodes) node.mood = 'well';
      await assertEqualEverywhere(cluster);
      await assertHas(cluster, 'value');
    });
  }
});

test('a change of a container whose map cannot be written is refused while it is not certain', async () => {
  const { nodes, members } = await crashed(changes[0] as (typeof changes)[number]);
  const lost = members.slice(0, 2);
  for (const id of lost) (nodes[id] as TestNode).mood = 'failing';
  await TestCluster.use({ nodes }, async (cluster) => {
    const { id } = cluster.map.partitions[0] as { id: number };
    await assert.rejects(cluster.store.splitPartition(cluster.container, id, 'midpoint'), {
      code: 'too-few-replicas',
    });
  });
});

function pairsOf(all: readonly number[]): [number, number][] {
  return all.flatMap((one) => all.filter((two) => one < two).map((two): [number, number] => [one, two]));
}

test('a split whose map would be too large to be written is refused before anything is written', () =>
  TestCluster.use({ settings: { maxTransactionBytes: 1_500 } }, async (cluster) => {
    await cluster.writeAll(rows);
    const split = async () => {
      for (;;) {
        const { id } = cluster.map.partitions[0] as { id: number };
        await cluster.store.splitPartition(cluster.container, id, 'midpoint');
      }
    };
    await assert.rejects(split, { code: 'transaction-too-large' });
    await cluster.writeAll(rows, 'newer');
    await assertHas(cluster, 'newer');
    await cluster.store.whenQuiet();
  }));
