import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testNodes } from '../../test/support/breakable-node.ts';
import { aTurn, names, TestCluster } from '../../test/support/memory-cluster.ts';
import { putIfEqual, putRows } from '../storage/operation-kinds.ts';
import type { Operation, Outcome } from '../storage/partition-store.ts';

const memtableBytes = 100;

test('a transaction that loads its rows is not overtaken when it and the next one have to wait', () =>
  TestCluster.use({ nodes: testNodes(4) }, async (before) => {
    await before.write('name', 'old');
    await before.store.whenQuiet();
    const nodes = await before.copyNodes();
    // Another life, so that the row is neither in a memtable nor in the cache.
    await TestCluster.use(
      { nodes, settings: { hungNodeMs: 5_000, openNodeMs: 5_000, memtableBytes } },
      async (cluster) => {
        let letRead: () => void = () => {};
        const mayRead = new Promise<void>((resolve) => {
          letRead = resolve;
        });
        for (const { rows } of nodes) {
          const get = rows.get.bind(rows);
          rows.get = async (key) => {
            await mayRead;
            return get(key);
          };
        }
        const key = cluster.keyOf('name');
        const address = cluster.addressOf('name');
        const told: string[] = [];
        const transact = (name: string, operation: Operation): Promise<Outcome> =>
          new Promise((resolve) => {
            cluster.store.transact(address, cluster.logicalPartition('name'), operation, (outcome) => {
              told.push(name);
              resolve(outcome);
            });
          });
        const first = transact(
          'first',
          putIfEqual(key, Buffer.from('old'), [{ key, value: Buffer.from('first') }]),
        );

        // The row stores do not get on, so that transactions wait for them.
        let goOn = () => {};
        const stopped = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        for (const { rows } of nodes) {
          const write = rows.writeSorted.bind(rows);
          rows.writeSorted = (slices, marks) => stopped.then(() => write(slices, marks));
        }
        const others = names(30, 'other').map((name) =>
          cluster.put(name, 'as long as it takes to fill memtables'),
        );
        await cluster.until(() => cluster.store.status().memtableBytes > 8 * memtableBytes);
        const second = transact('second', putRows([{ key, value: Buffer.from('second') }]));
        letRead();
        await aTurn();
        assert.deepEqual(told, []);
        goOn();
        await Promise.all([first, second, ...others]);
        assert.deepEqual(told, ['first', 'second']);
        assert.equal(await cluster.read('name'), 'second');
      },
    );
  }));

test('writes wait for a split, but no more of them than can be remembered', () =>
  TestCluster.use({ nodes: testNodes(4), settings: { hungNodeMs: 60_000 } }, async (cluster) => {
    await cluster.write('name', 'old');
    for (const node of cluster.nodes) node.mood = 'hung';
    const split = cluster.store.splitPartition(cluster.container, 0, 'midpoint');
    await cluster.until(() => cluster.statusOf('name').state === 'frozen');
    const address = cluster.addressOf('name');
    const write = putRows([{ key: cluster.keyOf('name'), value: Buffer.from('new') }]);
    const outcomes: Outcome[] = [];
    for (let at = 0; at <= 100_000; at++)
      cluster.store.transact(address, cluster.logicalPartition('name'), write, (outcome) =>
        outcomes.push(outcome),
      );
    await cluster.until(() => outcomes.length > 0);
    const [first] = outcomes;
    assert.ok(first?.kind === 'refused');
    assert.equal(first.error.code, 'partition-busy');
    assert.equal(outcomes.length, 1);
    for (const node of cluster.nodes) node.mood = 'well';
    await split;
    await cluster.until(() => outcomes.length === 100_001);
    assert.ok(outcomes.slice(1).every(({ kind }) => kind === 'moved' || kind === 'committed'));
  }));
