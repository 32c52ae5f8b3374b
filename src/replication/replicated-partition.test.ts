import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testNodes } from '../../test/support/breakable-node.ts';
import { aTurn, TestCluster } from '../../test/support/memory-cluster.ts';
import { putIfEqual, putRows } from '../storage/operation-kinds.ts';
import type { Operation, Outcome } from '../storage/partition-store.ts';

test('a transaction that loads its rows is not overtaken when it and the next one have to wait', () =>
  TestCluster.use({ nodes: testNodes(5) }, async (before) => {
    await before.write('name', 'old');
    await before.store.whenQuiet();
    const nodes = await before.copyNodes();
    // Another life, so that the row is neither in a memtable nor in the cache.
    await TestCluster.use({ nodes, settings: { hungNodeMs: 5_000, openNodeMs: 5_000 } }, async (cluster) => {
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

      // A move freezes the partition for one entry; the disks hang until both transactions have met that.
      for (const node of nodes) {
        node.beforeAppend = () => {
          if (cluster.statusOf('name').state === 'frozen') for (const each of nodes) each.mood = 'hung';
        };
      }
      const { members } = cluster.map.partition(address.physicalPartition).replicaSet;
      const [from] = members;
      const to = nodes.map(({ nodeId }) => nodeId).find((nodeId) => !members.includes(nodeId));
      assert(from !== undefined && to !== undefined);
      const moving = cluster.store.moveReplica(cluster.container, address.physicalPartition, from, to);
      await cluster.until(() => cluster.statusOf('name').state === 'frozen');
      const second = transact('second', putRows([{ key, value: Buffer.from('second') }]));
      letRead();
      await aTurn();
      for (const node of nodes) {
        node.beforeAppend = () => {};
        node.mood = 'well';
      }
      await Promise.all([first, second, moving]);
      assert.deepEqual(told, ['first', 'second']);
      assert.equal(await cluster.read('name'), 'second');
    });
  }));
