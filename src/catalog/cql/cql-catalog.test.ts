import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../../../test/support/memory-cluster.ts';
import { SeededRandom } from '../../foundation/random.ts';
import { CqlCatalog } from './cql-catalog.ts';
import type { Keyspace } from './cql-schema.ts';

function keyspaceNamed(name: string, isVirtual: boolean): Keyspace {
  const replication = new Map([['class', 'org.apache.cassandra.locator.SimpleStrategy']]);
  return { name, replication, durableWrites: true, isVirtual, tables: new Map(), types: new Map() };
}

const virtualKeyspaces = [keyspaceNamed('system', true)];

function load(cluster: TestCluster, seed: number): Promise<CqlCatalog> {
  return CqlCatalog.load({
    records: cluster.store.records,
    virtualKeyspaces,
    random: new SeededRandom(seed),
  });
}

test('the version of a cluster in which nothing was defined yet stays over a restart', () =>
  TestCluster.use({}, async (cluster) => {
    const { version } = (await load(cluster, 1)).schema;
    assert.match(version, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal((await load(cluster, 2)).schema.version, version);
  }));

test('what was written and adopted is there after a restart, with its version, and virtual keyspaces are not stored', () =>
  TestCluster.use({}, async (cluster) => {
    const catalog = await load(cluster, 1);
    const told: string[] = [];
    catalog.whenChanged(({ change }) => told.push(`first ${change} ${catalog.schema.keyspaces.has('ks')}`));
    catalog.whenChanged(({ change }) => told.push(`second ${change}`));
    const before = catalog.schema;
    await catalog.inTurn(async () => {
      const keyspaces = new Map(before.keyspaces).set('ks', keyspaceNamed('ks', false));
      const staged = catalog.stage(keyspaces, 'new-version');
      assert.equal(catalog.schema, before, 'staging changes nothing');
      await cluster.store.records.put(staged.records);
      catalog.adopt(staged.schema, { change: 'CREATED', target: 'KEYSPACE', keyspace: 'ks' });
    });
    assert.deepEqual(told, ['first CREATED true', 'second CREATED']);
    assert.notEqual(catalog.schema.version, before.version);
    const again = await load(cluster, 2);
    assert.deepEqual(again.schema, catalog.schema);
    assert.deepEqual([...(await cluster.store.records.readAll('cql-keyspace')).keys()], ['ks']);
  }));

test('changes wait for one another, also after one that failed', () =>
  TestCluster.use({}, async (cluster) => {
    const catalog = await load(cluster, 1);
    const order: number[] = [];
    const first = catalog.inTurn(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(1);
      throw new Error('failed');
    });
    const second = catalog.inTurn(async () => order.push(2));
    await assert.rejects(first, /failed/);
    await second;
    assert.deepEqual(order, [1, 2]);
  }));
