import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aTurn, names, TestCluster } from '../../test/support/memory-cluster.ts';
import { bytesOf } from '../foundation/byte-string.ts';
import { entryKinds } from '../storage/log/log-entry.ts';
import { LogArena } from './log-arena.ts';

const none = { differences: 0, repaired: 0, undecided: 0, skipped: 0 };

/** A sound stored form of some other value under the same key, as another history would have left it. */
function soundForm(cluster: TestCluster, name: string, value: string): Buffer {
  const header = { kind: entryKinds.rows, container: 2, physicalPartition: 0, generation: 1, epoch: 1 };
  const entry = new LogArena().encodeRows({ ...header, lsn: 1, timeMs: 0 }, [
    { key: cluster.keyOf(name), value: Buffer.from(value) },
  ]);
  const stored = entry.rows[0]?.stored;
  assert(stored);
  return stored;
}

async function change(
  cluster: TestCluster,
  nodeId: number,
  name: string,
  stored: Buffer | undefined,
): Promise<void> {
  await cluster.node(nodeId).rows.write([{ key: bytesOf(cluster.keyOf(name)), value: stored }], false);
}

async function withRows(test: (cluster: TestCluster) => Promise<void>, memtableBytes = 2_000): Promise<void> {
  await TestCluster.use({ settings: { memtableBytes } }, async (cluster) => {
    await cluster.writeAll(names(20));
    await cluster.store.whenQuiet();
    await test(cluster);
  });
}

test('where all replicas agree, scrub compares every row and finds nothing', () =>
  withRows(async (cluster) => {
    const { partitions, rowsCompared, ...found } = await cluster.store.scrub();
    assert.deepEqual(found, none);
    // The system partition is compared too.
    assert.equal(partitions, 2);
    assert(rowsCompared > 20);
  }));

test('a row that was lost, changed, damaged or added behind the back of one node is made good', () =>
  withRows(async (cluster) => {
    const truth = await cluster.storedOn(0, 'name 1');
    const damaged = Buffer.from((await cluster.storedOn(3, 'name 3')) as Buffer);
    damaged.writeUInt8(damaged.readUInt8(8) ^ 1, 8);
    await change(cluster, 1, 'name 1', undefined);
    await change(cluster, 2, 'name 2', soundForm(cluster, 'name 2', 'something else'));
    await change(cluster, 3, 'name 3', damaged);
    await change(cluster, 0, 'never written', soundForm(cluster, 'never written', 'out of nowhere'));
    const report = await cluster.store.scrub();
    assert.deepEqual([report.differences, report.repaired, report.undecided], [4, 4, 0]);
    assert.deepEqual(await cluster.storedOn(1, 'name 1'), truth);
    assert.deepEqual(await cluster.storedOn(2, 'name 2'), await cluster.storedOn(0, 'name 2'));
    assert.deepEqual(await cluster.storedOn(3, 'name 3'), await cluster.storedOn(0, 'name 3'));
    assert.equal(await cluster.storedOn(0, 'never written'), undefined);
    const { differences } = await cluster.store.scrub();
    assert.equal(differences, 0);
  }));

test('what no majority decides is reported and left alone', () =>
  withRows(async (cluster) => {
    const other = soundForm(cluster, 'name 5', 'another history');
    await change(cluster, 0, 'name 5', other);
    await change(cluster, 1, 'name 5', other);
    const report = await cluster.store.scrub();
    assert.deepEqual([report.differences, report.repaired, report.undecided], [1, 0, 1]);
    assert.deepEqual(await cluster.storedOn(0, 'name 5'), other);
    assert.notDeepEqual(await cluster.storedOn(2, 'name 5'), other);
  }));

test('a copy that fails its checksum has no vote: two sound ones outvote two damaged ones, and any one of another kind', () =>
  withRows(async (cluster) => {
    const truth = await cluster.storedOn(3, 'name 6');
    for (const nodeId of [0, 1])
      await change(cluster, nodeId, 'name 6', Buffer.from('not a stored row at all'));
    await change(cluster, 2, 'name 7', undefined);
    await change(cluster, 3, 'name 7', Buffer.alloc(3));
    const report = await cluster.store.scrub();
    assert.deepEqual([report.differences, report.repaired, report.undecided], [2, 4, 0]);
    for (const nodeId of [0, 1]) assert.deepEqual(await cluster.storedOn(nodeId, 'name 6'), truth);
    assert.equal(await cluster.read('name 7'), 'value of name 7');
  }));

test('a repaired row is read as it should be, though memory knew the wrong one', () =>
  withRows(async (cluster) => {
    for (const nodeId of [0, 1, 2, 3]) {
      const other = soundForm(cluster, 'name 8', 'wrong');
      await change(cluster, nodeId, 'name 8', other);
      await cluster.store.scrub();
      assert.equal(await cluster.read('name 8'), 'value of name 8');
    }
  }));

test('rows that are written while scrub compares are no differences', () =>
  withRows(async (cluster) => {
    let isOver = false;
    const writing = (async () => {
      for (let round = 0; !isOver; round++) {
        await cluster.writeAll(names(20), `round ${round}`);
        await aTurn();
      }
    })();
    for (let run = 0; run < 5; run++) {
      const { differences } = await cluster.store.scrub();
      assert.equal(differences, 0);
    }
    isOver = true;
    await writing;
  }, 50_000));

test('scrub in the background mends rows, and takes down a node whose log is damaged', () =>
  TestCluster.use({ settings: { scrubIntervalMs: 5 } }, async (cluster) => {
    await cluster.writeAll(names(20));
    await cluster.store.whenQuiet();
    await change(cluster, 1, 'name 1', undefined);
    await cluster.node(2).damageLog();
    await cluster.until(() => cluster.node(2).rebuilds === 1);
    await cluster.store.whenQuiet();
    await cluster.until(async () => (await cluster.storedOn(1, 'name 1')) !== undefined);
    assert.equal(await cluster.rowsOn(2), 20);
  }));
