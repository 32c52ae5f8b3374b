import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testNodes } from '../../test/support/breakable-node.ts';
import { aTurn, names, TestCluster } from '../../test/support/memory-cluster.ts';
import type { Log } from '../foundation/log.ts';
import type { NodeId } from '../partitioning/replica-set.ts';

/** Keeps what was said of replicas that became level: whether each was copied. */
class LevelLog implements Log {
  readonly copied: { readonly node: unknown; readonly copied: unknown }[] = [];

  info(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (event === 'replica level' && fields['container'] !== 1)
      this.copied.push({ node: fields['node'], copied: fields['copied'] });
  }

  warn(): void {}
}

const trimmed = { logRetentionBytes: 0, segmentBytes: 500 };

async function assertAllAgree(cluster: TestCluster, all: readonly string[]): Promise<void> {
  for (const name of all) {
    const [first, ...others] = await Promise.all(
      [0, 1, 2, 3].map((nodeId) => cluster.storedOn(nodeId, name)),
    );
    for (const other of others) assert.deepEqual(other, first, name);
  }
  const { differences } = await cluster.store.scrub();
  assert.equal(differences, 0);
}

test('a node that was down takes what it missed from the log of another', () => {
  const log = new LevelLog();
  return TestCluster.use({ log }, async (cluster) => {
    await cluster.writeAll(names(20));
    await cluster.takeDown(3);
    await cluster.writeAll(names(20), 'newer');
    await cluster.write('name 0', null);
    await cluster.bringBack(3);
    assert.deepEqual(log.copied, [{ node: 3, copied: false }]);
    await assertAllAgree(cluster, names(20));
    assert.equal(await cluster.storedOn(3, 'name 0'), undefined);
  });
});

test('a node that was down for longer than the logs reach is copied anew', () => {
  const log = new LevelLog();
  return TestCluster.use({ log, settings: trimmed }, async (cluster) => {
    await cluster.writeAll(names(20));
    await cluster.store.whenQuiet();
    await cluster.takeDown(3);
    for (let round = 0; round < 10; round++) {
      await cluster.writeAll(names(10), `round ${round}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await cluster.write('name 0', null);
    await cluster.bringBack(3);
    assert.deepEqual(log.copied, [{ node: 3, copied: true }]);
    await assertAllAgree(cluster, names(20));
    assert.equal(await cluster.rowsOn(3), 19);
  });
});

test('a node catches up while others are written to, and then gets every write itself', async () => {
  for (const settings of [{}, trimmed]) {
    await TestCluster.use({ settings }, async (cluster) => {
      await cluster.writeAll(names(20));
      await cluster.takeDown(2);
      let isOver = false;
      const writing = (async () => {
        for (let round = 0; !isOver; round++) {
          await cluster.writeAll(names(20), `round ${round}`);
          await aTurn();
        }
      })();
      await new Promise((resolve) => setTimeout(resolve, 30));
      cluster.node(2).mood = 'well';
      await cluster.until(() => cluster.statusOf('name 0').levelMembers.includes(2));
      isOver = true;
      await writing;
      await cluster.store.whenQuiet();
      await assertAllAgree(cluster, names(20));
    });
  }
});

test('a node that was down through a split and a merge has their children when it is back', async () => {
  for (const settings of [{}, trimmed]) {
    await TestCluster.use({ settings }, async (cluster) => {
      await cluster.writeAll(names(20));
      await cluster.takeDown(1);
      const split = await cluster.store.splitPartition(cluster.container, 0, 'midpoint');
      const [left, right] = split.partitions;
      assert(left !== undefined && right !== undefined);
      await cluster.writeAll(names(20), 'after the split');
      await cluster.store.splitPartition(cluster.container, left.id, 'midpoint');
      const [one, two] = cluster.map.partitions;
      assert(one !== undefined && two !== undefined);
      await cluster.store.mergePartitions(cluster.container, one.id, two.id);
      await cluster.writeAll(names(20), 'after the merge');
      await cluster.bringBack(1);
      await assertAllAgree(cluster, names(20));
      for (const { levelMembers } of cluster.store.status().partitions) assert.equal(levelMembers.length, 4);
    });
  }
});

test('a node that was down while a child of a split was split again has the rows from before both', () =>
  // Its rows stay in memory, so that its row store has to get them from its log.
  TestCluster.use({ settings: { applyIntervalMs: 60_000, memtableBytes: 10 ** 6 } }, async (cluster) => {
    await cluster.writeAll(names(20));
    const [left] = (await cluster.store.splitPartition(cluster.container, 0, 'midpoint')).partitions;
    assert(left !== undefined);
    await cluster.takeDown(1);
    await cluster.store.splitPartition(cluster.container, left.id, 'midpoint');
    await cluster.bringBack(1);
    await assertAllAgree(cluster, names(20));
    assert.equal(await cluster.rowsOn(1), 20);
  }));

test('entries from before a split are not applied again over newer ones from between it and the next split', () => {
  const nodes = testNodes(4);
  for (const node of nodes) node.losable = { bytes: 10 ** 6, withHoles: true };
  return TestCluster.use({ nodes }, async (cluster) => {
    await cluster.writeAll(names(20), 'old');
    const [left, right] = (await cluster.store.splitPartition(cluster.container, 0, 'midpoint')).partitions;
    assert(left !== undefined && right !== undefined);
    await cluster.writeAll(names(20), 'newer');
    await cluster.store.splitPartition(cluster.container, left.id, 'midpoint');
    await cluster.takeDown(1);
    // What came of this one the node does not know, so it has to keep what was before the first split.
    await cluster.store.splitPartition(cluster.container, right.id, 'midpoint');
    await cluster.bringBack(1);
    await assertAllAgree(cluster, names(20));
  });
});

test('a copy whose source a move takes the partition from meanwhile is made from another', () =>
  TestCluster.use(
    { nodes: testNodes(5), settings: { ...trimmed, hungNodeMs: 20_000, openNodeMs: 20_000 } },
    async (cluster) => {
      await cluster.writeAll(names(20));
      await cluster.store.whenQuiet();
      const { members } = cluster.map.partition(0).replicaSet;
      // The first that is level is copied from.
      const [source, target] = members;
      const next = ([0, 1, 2, 3, 4] as NodeId[]).find((id) => !members.includes(id));
      assert(source !== undefined && target !== undefined && next !== undefined);
      await cluster.takeDown(target);
      for (let round = 0; round < 10; round++) {
        await cluster.writeAll(names(10), `round ${round}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      // The move stands still while it is written to the map, and the copy before its first look at the source.
      const others = cluster.nodes.filter(({ nodeId }) => nodeId !== target);
      const appended = new Set<number>();
      for (const node of others) {
        node.beforeAppend = () => {
          if (cluster.statusOf('name 0').nextMembers === undefined) return;
          if (appended.has(node.nodeId)) node.mood = 'hung';
          appended.add(node.nodeId);
        };
      }
      const moving = cluster.store.moveReplica(cluster.container, 0, source, next);
      await cluster.until(() => others.some(({ mood }) => mood === 'hung'));
      const { rows } = cluster.node(target);
      const clear = rows.clear.bind(rows);
      let clears = 0;
      rows.clear = async (range) => {
        clears += 1;
        await moving;
        await cluster.until(async () => (await cluster.rowsOn(source)) === 0);
        await clear(range);
      };
      cluster.node(target).mood = 'well';
      await cluster.until(() => clears > 0);
      for (const node of others) {
        node.beforeAppend = () => {};
        node.mood = 'well';
      }
      await cluster.store.whenQuiet();
      assert.equal(await cluster.rowsOn(target), 20);
      const { differences } = await cluster.store.scrub();
      assert.equal(differences, 0);
    },
  ));

test('a node whose row store has vanished is not read before it has every row again', () =>
  TestCluster.use({ settings: trimmed }, async (cluster) => {
    await cluster.writeAll(names(20));
    await cluster.store.whenQuiet();
    for (let round = 0; round < 10; round++) {
      await cluster.writeAll(names(5), `round ${round}`);
      await cluster.store.whenQuiet();
    }
    await cluster.takeDown(0);
    await cluster.node(0).destroyEngine();
    await cluster.bringBack(0);
    assert.equal(await cluster.rowsOn(0), 20);
    await assertAllAgree(cluster, names(20));
  }));

test('a write that no quorum had when all nodes went down is there once three are back', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.write('name', 'first');
    cluster.node(2).mood = 'hung';
    cluster.node(3).mood = 'hung';
    const outcome = await cluster.put('name', 'second');
    assert(outcome.kind === 'unknown');
    assert.equal(await cluster.read('name'), 'first');
    assert.equal(cluster.store.settle(outcome.transactionId), 'undecided');
    await cluster.takeDown(0);
    await cluster.takeDown(1);
    for (const nodeId of [0, 1, 2, 3]) cluster.node(nodeId).mood = 'well';
    await cluster.store.whenQuiet();
    assert.equal(cluster.store.settle(outcome.transactionId), 'kept');
    assert.equal(await cluster.read('name'), 'second');
    await assertAllAgree(cluster, ['name']);
  }));

test('a copy that a crash interrupts anywhere is begun again, and no row is lost or left over', () =>
  TestCluster.use({ settings: trimmed }, async (cluster) => {
    await cluster.writeAll(names(20));
    await cluster.store.whenQuiet();
    await cluster.takeDown(3);
    for (let round = 0; round < 5; round++) {
      await cluster.writeAll(names(20), `round ${round}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await cluster.write('name 0', null);
    for (const nodes of await cluster.imagesDuring(cluster.bringBack(3))) {
      await TestCluster.use({ nodes, settings: trimmed }, async (later) => {
        assert.equal(await later.read('name 0'), null);
        for (const name of names(20).slice(1)) assert.equal(await later.read(name), `round 4 of ${name}`);
        await later.store.whenQuiet();
        await assertAllAgree(later, names(20));
      });
    }
  }));

test('a rebuild that a crash interrupts anywhere is begun again', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(20));
    await cluster.takeDown(3);
    await cluster.node(3).damageLog();
    for (const nodes of await cluster.imagesDuring(cluster.bringBack(3))) {
      await TestCluster.use({ nodes }, async (later) => {
        for (const name of names(20)) assert.equal(await later.read(name), `value of ${name}`);
        await later.store.whenQuiet();
        await assertAllAgree(later, names(20));
      });
    }
    assert.equal(cluster.node(3).rebuilds, 1);
  }));
