import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aTurn, names, TestCluster } from '../../test/support/memory-cluster.ts';

test('what is committed comes to every row store by itself, within the interval', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.writeAll(names(10));
    await cluster.until(() => cluster.store.status().memtableBytes === 0);
    for (const nodeId of [0, 1, 2, 3]) assert.equal(await cluster.rowsOn(nodeId), 10);
  }));

test('no row store ever has what is not committed', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.write('name', 'committed');
    await cluster.store.whenQuiet();
    const before = await cluster.storedOn(0, 'name');
    for (const nodeId of [2, 3]) cluster.node(nodeId).mood = 'hung';
    const outcome = await cluster.put('name', 'in flight');
    assert.equal(outcome.kind, 'unknown');
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const nodeId of [0, 1, 2, 3]) assert.deepEqual(await cluster.storedOn(nodeId, 'name'), before);
    for (const nodeId of [2, 3]) cluster.node(nodeId).mood = 'well';
    await cluster.store.whenQuiet();
    assert.equal(await cluster.read('name'), 'in flight');
  }));

test('wherever a crash interrupts the writing out of rows, all row stores agree afterwards', () =>
  TestCluster.use({}, async (cluster) => {
    const writing = (async () => {
      for (let round = 0; round < 10; round++) {
        await cluster.writeAll(names(8), `round ${round}`);
        await aTurn();
      }
    })();
    for (const nodes of await cluster.imagesDuring(writing)) {
      await TestCluster.use({ nodes }, async (later) => {
        await later.store.whenQuiet();
        const { differences } = await later.store.scrub();
        assert.equal(differences, 0);
      });
    }
  }));

test('the logs keep what they are told to and no more, once it is in the row stores', () =>
  TestCluster.use({ settings: { segmentBytes: 1_000, logRetentionBytes: 5_000 } }, async (cluster) => {
    for (let round = 0; round < 20; round++) {
      await cluster.writeAll(names(10), `round ${round}`);
      await cluster.store.whenQuiet();
    }
    for (const { logBytes } of cluster.store.status().nodes) {
      assert(logBytes >= 5_000, 'enough is kept for catch-up');
      assert(logBytes < 20_000, `${logBytes} bytes are kept`);
    }
  }));

test('a node that is down does not keep memory from being freed', () =>
  TestCluster.use({}, async (cluster) => {
    await cluster.takeDown(3);
    await cluster.writeAll(names(30));
    await cluster.until(() => cluster.store.status().memtableBytes === 0);
    await cluster.bringBack(3);
    assert.equal(await cluster.rowsOn(3), 30);
  }));
