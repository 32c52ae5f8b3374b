import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DefinedCql } from '../../../../test/support/defined-cql.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { databaseOwner } from '../../../catalog/throughput-owner.ts';
import { printCqlType } from '../../../values/cql-type.ts';

const keyspace = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

function tableOf(cql: DefinedCql, name: string): TableSchema {
  const table = cql.schema.keyspaces.get('k')?.tables.get(name);
  assert.ok(table !== undefined);
  return table;
}

function containerOf(cql: DefinedCql, name: string): number {
  const { container } = tableOf(cql, name);
  assert.ok(container !== undefined);
  return container;
}

function typesOf(table: TableSchema): Record<string, string> {
  return Object.fromEntries([...table.columns.values()].map(({ name, type }) => [name, printCqlType(type)]));
}

test('every change is answered and told with what changed; nothing to do is answered with nothing', () =>
  DefinedCql.use(async (cql) => {
    const statements = [
      [keyspace, 'CREATED KEYSPACE k'],
      ['CREATE TABLE k.t (a int PRIMARY KEY, b int)', 'CREATED TABLE k t'],
      ['CREATE TABLE IF NOT EXISTS k.t (a int PRIMARY KEY)', 'void'],
      ['CREATE TYPE k.u (a int)', 'CREATED TYPE k u'],
      ['ALTER TYPE k.u ADD b int', 'UPDATED TYPE k u'],
      ['ALTER TABLE k.t ADD c int', 'UPDATED TABLE k t'],
      ['ALTER TABLE k.t ADD IF NOT EXISTS c int', 'void'],
      ['ALTER TABLE k.t WITH gc_grace_seconds = 864000', 'void'],
      ["ALTER KEYSPACE k WITH replication = {'class': 'SimpleStrategy'}", 'void'],
      ['ALTER KEYSPACE k WITH durable_writes = false', 'UPDATED KEYSPACE k'],
      ['CREATE INDEX ON k.t (b)', 'UPDATED TABLE k t'],
      ['DROP INDEX k.t_b_idx', 'UPDATED TABLE k t'],
      ['TRUNCATE k.t', 'void'],
      ['DROP TYPE k.u', 'DROPPED TYPE k u'],
      ['DROP TABLE k.t', 'DROPPED TABLE k t'],
      ['DROP TABLE IF EXISTS k.t', 'void'],
      ['DROP KEYSPACE k', 'DROPPED KEYSPACE k'],
    ] as const;
    const told: string[] = [];
    for (const [text, expected] of statements) {
      const before = cql.schema.version;
      const answer = await cql.run(text);
      assert.equal(answer.chargeRu, 0);
      const shown = answer.kind === 'schema-change' ? shownChange(answer.change) : answer.kind;
      assert.equal(shown, expected, text);
      assert.equal(cql.schema.version !== before, expected !== 'void', 'the version changes with the schema');
      if (expected !== 'void') told.push(expected);
    }
    assert.deepEqual(cql.changes.map(shownChange), told);
  }));

function shownChange(change: DefinedCql['changes'][number]): string {
  const name = 'name' in change ? ` ${change.name}` : '';
  return `${change.change} ${change.target} ${change.keyspace}${name}`;
}

test('columns stand in the order of SELECT *, and one that was dropped and added again keeps its id', () =>
  DefinedCql.use(async (cql) => {
    await cql.runAll(
      keyspace,
      'USE k',
      'CREATE TABLE t (z int, a int, s text static, p int, b int, c text, PRIMARY KEY ((z, p), c, b)) WITH CLUSTERING ORDER BY (c DESC)',
    );
    const before = tableOf(cql, 't');
    assert.deepEqual([...before.columns.keys()], ['z', 'p', 'c', 'b', 's', 'a']);
    assert.deepEqual(
      before.clustering.map(({ name, descending, position }) => [name, descending, position]),
      [
        ['c', true, 0],
        ['b', false, 1],
      ],
    );
    await cql.runAll('ALTER TABLE t DROP a USING TIMESTAMP 77', 'ALTER TABLE t ADD a int');
    const after = tableOf(cql, 't');
    const ids = [before.columns.get('a')?.id, before.columns.get('s')?.id, after.columns.get('a')?.id];
    assert.equal(ids[0], ids[2]);
    assert.notEqual(ids[0], ids[1]);
    assert.deepEqual(after.droppedColumns, [
      { name: 'a', id: ids[0], type: { kind: 'int' }, kind: 'regular', droppedAt: 77 },
    ]);
    assert.equal(after.id, before.id);
    await cql.run('ALTER TABLE t RENAME c TO d');
    assert.deepEqual([...tableOf(cql, 't').columns.keys()], ['z', 'p', 'd', 'b', 's', 'a']);
  }));

test('a user type that changes is changed wherever it is used, and nothing else becomes another', () =>
  DefinedCql.use(async (cql) => {
    await cql.runAll(
      keyspace,
      'USE k',
      'CREATE TYPE u (a int)',
      'CREATE TYPE w (u frozen<u>)',
      'CREATE TABLE t (p int PRIMARY KEY, x u, y list<frozen<w>>, z tuple<u, int>, m map<int, frozen<u>>)',
      'CREATE TABLE other (p int PRIMARY KEY)',
    );
    const other = tableOf(cql, 'other');
    await cql.run('ALTER TYPE u ADD b text');
    assert.equal(tableOf(cql, 'other'), other);
    const table = tableOf(cql, 't');
    const fieldsOf = (text: unknown): number => JSON.stringify(text).split('"b"').length - 1;
    for (const column of ['x', 'y', 'z', 'm'])
      assert.equal(fieldsOf(table.columns.get(column)?.type), 1, column);
    assert.equal(fieldsOf(cql.schema.keyspaces.get('k')?.types.get('w')), 1);
    assert.deepEqual(typesOf(table), {
      p: 'int',
      m: 'map<int, frozen<u>>',
      x: 'u',
      y: 'list<frozen<w>>',
      z: 'frozen<tuple<frozen<u>, int>>',
    });
  }));

test('a table has the throughput it was given, and a keyspace shares its own with tables that have none', () =>
  DefinedCql.use(async (cql) => {
    await cql.runAll(
      'CREATE KEYSPACE k WITH cosmosdb_provisioned_throughput = 1000',
      'CREATE TABLE k.own (a int PRIMARY KEY) WITH cosmosdb_autoscale_max_throughput = 40000 AND cosmosdb_cell_level_timestamp = true',
      'CREATE TABLE k.sharing (a int PRIMARY KEY)',
    );
    const { records, store } = cql.throughput;
    const settingOf = (name: string) => records.ofContainer(containerOf(cql, name)).state.setting;
    assert.deepEqual(settingOf('own'), { kind: 'autoscale', maxRuPerSecond: 40_000 });
    assert.deepEqual(settingOf('sharing'), { kind: 'shared' });
    assert.equal(store.mapOf(containerOf(cql, 'own'))?.partitions.length, 4);
    const replication = cql.schema.keyspaces.get('k')?.replication;
    assert.equal(replication?.get('class'), 'org.apache.cassandra.locator.NetworkTopologyStrategy');
    const changed = await cql.run('ALTER TABLE k.own WITH cosmosdb_autoscale_max_throughput = 30000');
    assert.equal(changed.kind, 'schema-change');
    await cql.run('ALTER KEYSPACE k WITH cosmosdb_provisioned_throughput = 1100');
    assert.deepEqual(settingOf('own'), { kind: 'autoscale', maxRuPerSecond: 30_000 });
    assert.deepEqual(records.of(databaseOwner('k'))?.state.setting, { kind: 'manual', ruPerSecond: 1_100 });
    await assert.rejects(
      cql.run('CREATE TABLE k.less (a int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 399'),
      { code: 'bad-throughput' },
    );
    await assert.rejects(cql.run('ALTER TABLE k.sharing WITH cosmosdb_provisioned_throughput = 400'), {
      code: 'bad-throughput',
    });
    await cql.run("CREATE KEYSPACE plain WITH replication = {'class': 'SimpleStrategy'}");
    await assert.rejects(cql.run('ALTER KEYSPACE plain WITH cosmosdb_provisioned_throughput = 400'), {
      code: 'bad-throughput',
    });
    const containers = ['own', 'sharing'].map((name) => containerOf(cql, name));
    await cql.run('DROP KEYSPACE k');
    assert.equal(records.of(databaseOwner('k')), undefined);
    for (const container of containers) assert.equal(store.mapOf(container), undefined);
  }));

test('TRUNCATE gives the table an empty container with the same layout and throughput', () =>
  DefinedCql.use(async (cql) => {
    await cql.runAll(
      keyspace,
      'CREATE TABLE k.t (a int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 24000',
      'CREATE TABLE k.plain (a int PRIMARY KEY)',
    );
    const { store, records } = cql.throughput;
    for (const name of ['t', 'plain']) {
      const table = tableOf(cql, name);
      const old = containerOf(cql, name);
      const layout = store.mapOf(old)?.partitions.map(({ range }) => range);
      const { state } = records.ofContainer(old);
      await cql.run(`TRUNCATE k.${name}`);
      const fresh = containerOf(cql, name);
      assert.deepEqual({ ...tableOf(cql, name), container: old }, table);
      assert.notEqual(fresh, old);
      assert.equal(store.mapOf(old), undefined);
      assert.deepEqual(
        store.mapOf(fresh)?.partitions.map(({ range }) => range),
        layout,
      );
      assert.deepEqual(records.ofContainer(fresh).state, state);
      assert.equal(
        records.owners().some((owner) => owner.kind === 'container' && owner.container === old),
        false,
      );
    }
  }));

test('definitions that come at once are made one after another', () =>
  DefinedCql.use(async (cql) => {
    await cql.run(keyspace);
    const texts = Array.from({ length: 8 }, (_, index) => `CREATE TABLE k.t${index % 4} (a int PRIMARY KEY)`);
    const outcomes = await Promise.allSettled(texts.map((text) => cql.run(text)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected', 'rejected'],
    );
    assert.deepEqual([...(cql.schema.keyspaces.get('k')?.tables.keys() ?? [])], ['t0', 't1', 't2', 't3']);
  }));
