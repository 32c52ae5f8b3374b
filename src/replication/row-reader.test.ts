import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestNode, testNodes } from '../../test/support/breakable-node.ts';
import { names, TestCluster } from '../../test/support/memory-cluster.ts';
import { type ByteString, bytesOf, endOfPrefix, keyAfter } from '../foundation/byte-string.ts';
import { containerPrefix } from '../partitioning/logical-partition.ts';
import { putIfEqual } from '../storage/operation-kinds.ts';
import type { Outcome } from '../storage/partition-store.ts';

/** Nodes with rows that no memory knows of. */
async function coldNodes(): Promise<TestNode[]> {
  const nodes = testNodes(4);
  await TestCluster.use({ nodes }, (cluster) => cluster.writeAll(names(10)));
  return nodes;
}

async function damageRow(cluster: TestCluster, nodeId: number, name: string): Promise<void> {
  const stored = Buffer.from((await cluster.storedOn(nodeId, name)) ?? []);
  stored.writeUInt8(stored.readUInt8(7) ^ 1, 7);
  await cluster.node(nodeId).rows.write([{ key: bytesOf(cluster.keyOf(name)), value: stored }], false);
}

function wholeContainer(cluster: TestCluster) {
  const from = containerPrefix(cluster.container);
  const to = endOfPrefix(from) as ByteString;
  return { from, to, maxRows: 100, maxBytes: 10 ** 6, reverse: false };
}

test('a row that fails its checksum is answered from another replica, and mended while its node stays up', async () => {
  const nodes = await coldNodes();
  await TestCluster.use({ nodes }, async (cluster) => {
    const [first = 0, second = 0] = cluster.statusOf('name 1').members;
    await damageRow(cluster, first, 'name 1');
    assert.equal(await cluster.read('name 1'), 'value of name 1');
    const truth = await cluster.storedOn(second, 'name 1');
    assert(truth !== undefined);
    await cluster.until(async () => (await cluster.storedOn(first, 'name 1'))?.equals(truth) === true);
    assert.deepEqual([cluster.stateOf(first), cluster.node(first).rebuilds], ['up', 0]);
  });
});

test('a scan that meets a damaged row is answered whole from another replica', async () => {
  const nodes = await coldNodes();
  await TestCluster.use({ nodes }, async (cluster) => {
    const [first = 0, second = 0] = cluster.statusOf('name 1').members;
    await damageRow(cluster, first, 'name 1');
    await damageRow(cluster, second, 'name 2');
    const outcome = await cluster.store.scan(cluster.addressOf('name 1'), wholeContainer(cluster));
    assert(outcome.kind === 'read');
    assert.equal(outcome.page.rows.length, 10);
  });
});

test('a row that is damaged everywhere is refused, never given', async () => {
  const nodes = await coldNodes();
  await TestCluster.use({ nodes }, async (cluster) => {
    for (const nodeId of [0, 1, 2, 3]) await damageRow(cluster, nodeId, 'name 1');
    const outcome = await cluster.readOutcome('name 1');
    assert.equal(outcome.kind === 'refused' && outcome.error.code, 'no-readable-replica');
  });
});

test('a node whose log alone failed is still read while memory holds all that it lacks', async () => {
  const nodes = await coldNodes();
  // Whoever looks at the directory finds that all of it fails, and whoever opens a node again closes what it had open.
  const settings = { checkIntervalMs: 60_000, reopenIntervalMs: 60_000 };
  await TestCluster.use({ nodes, settings }, async (cluster) => {
    for (const nodeId of [0, 1, 2, 3]) cluster.node(nodeId).mood = 'failing';
    await cluster.put('name 0', 'never acknowledged');
    await cluster.until(() => [0, 1, 2, 3].every((nodeId) => cluster.stateOf(nodeId) === 'down'));
    assert.equal(await cluster.read('name 5'), 'value of name 5');
    assert.equal(await cluster.read('name 0'), 'value of name 0');
  });
});

test('a transaction that reads a row which is nowhere waits for no row store', async () => {
  const nodes = await coldNodes();
  await TestCluster.use({ nodes }, async (cluster) => {
    let reads = 0;
    for (const node of nodes) {
      node.rows.get = () => {
        reads += 1;
        return Promise.reject(new Error('not to be asked'));
      };
    }
    const putIfAbsent = (name: string): Promise<Outcome> =>
      new Promise((resolve) => {
        const key = cluster.keyOf(name);
        const operation = putIfEqual(key, null, [{ key, value: Buffer.from('new') }]);
        cluster.store.transact(cluster.addressOf(name), cluster.logicalPartition(name), operation, resolve);
      });
    const outcome = await putIfAbsent('nowhere');
    assert.deepEqual(outcome.kind === 'committed' && outcome.answer, { applied: true });
    assert.equal(reads, 0);
    assert.equal((await putIfAbsent('name 1')).kind, 'refused');
    assert.ok(reads > 0);
  });
});

test('a walk over many logical partitions is remembered page by page the second time, if it may come again, and hears of every commit', async () => {
  const nodes = await coldNodes();
  await TestCluster.use({ nodes }, async (cluster) => {
    const address = cluster.addressOf('name 1');
    const whole = { ...wholeContainer(cluster), maxRows: 4 };
    const walk = async (mayRepeat: boolean): Promise<string[]> => {
      const found: string[] = [];
      for (let from = whole.from; ; ) {
        const outcome = await cluster.store.scan(address, { ...whole, from, mayRepeat });
        assert(outcome.kind === 'read');
        const { rows, complete } = outcome.page;
        found.push(...rows.map(({ value }) => value.toString()));
        const last = rows.at(-1);
        if (complete || last === undefined) return found;
        from = keyAfter(last.key);
      }
    };
    const known = () => cluster.store.scanCached(address, { ...whole, maxRows: 100 });
    const first = await walk(false);
    assert.equal(first.length, 10);
    assert.deepEqual(await walk(false), first);
    assert.deepEqual(await walk(true), first);
    assert.equal(known(), undefined);
    assert.deepEqual(await walk(true), first);
    assert.equal(known()?.rows.length, 10);
    await cluster.put('name 3', 'changed');
    await cluster.put('a new one', 'born');
    const values = known()?.rows.map(({ value }) => value.toString()) ?? [];
    assert.equal(values.length, 11);
    assert.ok(values.includes('changed') && values.includes('born') && !values.includes('value of name 3'));
  });
});

test('others have their turn while a long scan goes on', async () => {
  await TestCluster.use({ nodes: testNodes(4) }, async (cluster) => {
    await cluster.writeAll(names(1_200));
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const scan = { ...wholeContainer(cluster), maxRows: 2_000 };
    const outcome = await cluster.store.scan(cluster.addressOf('name 1'), scan);
    isOver = true;
    assert(outcome.kind === 'read');
    assert.equal(outcome.page.rows.length, 1_200);
    assert.ok(turns >= 4, `${turns} turns`);
  });
});
