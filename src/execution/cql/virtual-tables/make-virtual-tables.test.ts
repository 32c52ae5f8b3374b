import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useThroughput } from '../../../../test/support/test-throughput.ts';
import { buildTable } from '../../../catalog/cql/build-table.ts';
import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import { systemClock } from '../../../foundation/clock.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import { fromHundredths } from '../../../throughput/request-units.ts';
import { type CqlValue, decodeCqlValue } from '../../../values/cql-codec.ts';
import { parseCqlType } from '../../../values/cql-type.ts';
import { TimeUuids } from '../../../values/time-uuids.ts';
import type { ThroughputParts } from '../../throughput-parts.ts';
import type { StatementSession } from '../statement-request.ts';
import { TraceSessions } from '../trace-sessions.ts';
import type { VirtualTable } from '../virtual-table.ts';
import { makeVirtualTables, type VirtualTableParts, type VirtualTables } from './make-virtual-tables.ts';

const session: StatementSession = {
  keyspace: undefined,
  role: undefined,
  localAddress: '::ffff:10.1.2.3',
  localPort: 9_142,
  remoteAddress: '10.9.9.9',
};

const traces = new TraceSessions(systemClock, new TimeUuids(Buffer.alloc(8)));

function userKeyspace(container: number): Keyspace {
  const table = buildTable({
    keyspace: 'app',
    name: 'Events',
    container,
    partitionKey: [
      ['a', { kind: 'int' }],
      ['b', { kind: 'text' }],
    ],
    clustering: [['at', { kind: 'timeuuid' }, true]],
    statics: [['s', { kind: 'int' }]],
    regulars: [['v', parseCqlType('map<text, frozen<list<int>>>')]],
    indexes: [
      {
        name: 'by_v',
        kind: 'COMPOSITES',
        options: new Map([['target', 'values(v)']]),
        column: 'v',
        target: 'values',
      },
    ],
  });
  return {
    name: 'app',
    replication: new Map([
      ['class', 'org.apache.cassandra.locator.NetworkTopologyStrategy'],
      ['datacenter1', '1'],
    ]),
    durableWrites: true,
    isVirtual: false,
    tables: new Map([[table.name, table]]),
    types: new Map([
      [
        'pair',
        {
          kind: 'udt',
          keyspace: 'app',
          name: 'pair',
          fields: [{ name: 'x', type: { kind: 'int' } }],
          frozen: false,
        },
      ],
    ]),
  };
}

function make(
  throughput: ThroughputParts,
  container: number,
  others: Partial<VirtualTableParts> = {},
): VirtualTables {
  const keyspaces = new Map<string, Keyspace>([['app', userKeyspace(container)]]);
  const schema: CqlSchema = { version: 'd8a6d1f2-5f7c-4a6f-9a5e-3c1f1b6d9e01', keyspaces };
  const made = makeVirtualTables({
    schema: () => schema,
    throughput,
    roles: { all: () => [{ name: 'r', isSuperuser: true, canLogin: true, memberOf: ['others'] }] },
    traces,
    clients: () => [],
    settings: () => new Map([['cluster_name', 'Test']]),
    clusterName: 'Test',
    broadcastAddress: undefined,
    ...others,
  });
  for (const keyspace of made.keyspaces) keyspaces.set(keyspace.name, keyspace);
  return made;
}

async function read(
  { tables }: VirtualTables,
  name: string,
  partitionKey?: readonly Buffer[],
): Promise<Record<string, CqlValue>[]> {
  const table = tables.get(name) as VirtualTable;
  const columns = [...table.schema.columns.values()];
  const rows = await table.rows(session, partitionKey);
  return rows.map((row) => {
    assert.equal(row.length, columns.length);
    return Object.fromEntries(
      columns.map((column, at) => [column.name, decodeCqlValue(column.type, row[at] ?? null)]),
    );
  });
}

test('a client is told the address it dialled, unless another is to be told', () =>
  useThroughput(async (throughput, { container }) => {
    const [local] = await read(make(throughput, container), 'system.local');
    assert.equal(local?.['rpc_address'], '10.1.2.3');
    assert.equal(local?.['rpc_port'], 9_142);
    assert.equal(local?.['data_center'], 'datacenter1');
    assert.equal(((local?.['tokens'] ?? []) as string[]).length, 16);
    const other = make(throughput, container, { broadcastAddress: '192.0.2.1' });
    const [told] = await read(other, 'system.local');
    assert.equal(told?.['rpc_address'], '192.0.2.1');
  }));

test('the host keeps its id over restarts', async () => {
  const ids: CqlValue[] = [];
  for (const _ of [1, 2]) {
    await useThroughput(async (throughput, { container }) => {
      const [local] = await read(make(throughput, container), 'system.local');
      ids.push(local?.['host_id'] ?? null);
    });
  }
  assert.equal(ids[0], ids[1]);
  assert.match(String(ids[0]), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('what drivers read at connect is there: one host, no peers, all definitions', () =>
  useThroughput(async (throughput, { container }) => {
    const made = make(throughput, container);
    assert.deepEqual(await read(made, 'system.peers'), []);
    assert.deepEqual(await read(made, 'system.peers_v2'), []);
    const names = (rows: Record<string, CqlValue>[]) => rows.map((row) => row['keyspace_name']).sort();
    assert.deepEqual(names(await read(made, 'system_schema.keyspaces')), [
      'app',
      'system',
      'system_auth',
      'system_distributed',
      'system_schema',
      'system_traces',
    ]);
    assert.deepEqual(names(await read(made, 'system_virtual_schema.keyspaces')), [
      'ringfold',
      'system_views',
      'system_virtual_schema',
    ]);
    const app = [Buffer.from('app')];
    const [table] = await read(made, 'system_schema.tables', app);
    assert.equal(table?.['table_name'], 'Events');
    assert.deepEqual(table?.['flags'], ['compound']);
    assert.equal(table?.['memtable'], null);
    const columns = await read(made, 'system_schema.columns', app);
    assert.deepEqual(
      columns.map((row) => [
        row['column_name'],
        row['kind'],
        row['position'],
        row['clustering_order'],
        row['type'],
      ]),
      [
        ['a', 'partition_key', 0, 'none', 'int'],
        ['b', 'partition_key', 1, 'none', 'text'],
        ['at', 'clustering', 0, 'desc', 'timeuuid'],
        ['s', 'static', -1, 'none', 'int'],
        ['v', 'regular', -1, 'none', 'map<text, frozen<list<int>>>'],
      ],
    );
    assert.equal((await read(made, 'system_schema.indexes', app))[0]?.['index_name'], 'by_v');
    assert.deepEqual((await read(made, 'system_schema.types', app))[0]?.['field_types'], ['int']);
    for (const empty of ['functions', 'aggregates', 'triggers', 'views', 'column_masks'])
      assert.deepEqual(await read(made, `system_schema.${empty}`), []);
  }));

test('a partition that is asked for alone has the rows it has among all', () =>
  useThroughput(async (throughput, { container }) => {
    const made = make(throughput, container);
    traces
      .begin({
        request: 'Execute CQL3 query',
        parameters: new Map([['query', 'SELECT']]),
        client: '10.0.0.1',
        coordinator: '10.0.0.2',
        coordinatorPort: 9_042,
      })
      .event('seen');
    for (const [name, table] of made.tables) {
      const all = await table.rows(session, undefined);
      const width = table.schema.partitionKey.length;
      const keyOf = (row: readonly (Buffer | null)[]) => row.slice(0, width) as Buffer[];
      for (const row of all) {
        const key = keyOf(row);
        const isOfKey = (other: readonly (Buffer | null)[]) =>
          keyOf(other).every((value, at) => value.equals(key[at] as Buffer));
        const alone = (await table.rows(session, key)).filter(isOfKey);
        assert.equal(alone.length, all.filter(isOfKey).length, name);
      }
    }
  }));

test('estimates cover the ring once, and together are as much as is stored', () =>
  useThroughput(async (throughput, { container }) => {
    const estimates = await read(make(throughput, container), 'system.size_estimates');
    assert.equal(estimates.length, 16);
    const ends = estimates.map((row) => row['range_end']);
    const starts = estimates.map((row) => row['range_start']);
    assert.deepEqual(starts.slice(1), ends.slice(0, -1));
    assert.equal(starts[0], String(-(2n ** 63n)));
    assert.equal(ends.at(-1), String(2n ** 63n - 1n));
  }));

test('no password is shown, and who is a member of what is', () =>
  useThroughput(async (throughput, { container }) => {
    const made = make(throughput, container);
    assert.deepEqual(await read(made, 'system_auth.roles'), [
      { role: 'r', can_login: true, is_superuser: true, member_of: ['others'], salted_hash: null },
    ]);
    assert.deepEqual(await read(made, 'system_auth.role_members'), [{ role: 'others', member: 'r' }]);
  }));

test('a split shows in the token ranges of the partitions, which still cover the ring', () =>
  useThroughput(async (throughput, { container, store }) => {
    const made = make(throughput, container);
    const [whole] = await read(made, 'ringfold.partitions');
    assert.deepEqual([whole?.['first_token'], whole?.['last_token']], [-(2n ** 63n), 2n ** 63n - 1n]);
    assert.equal(((whole?.['replicas'] ?? []) as number[]).length, 4);
    await store.splitPartition(container, 0, 'midpoint');
    const halves = await read(made, 'ringfold.partitions');
    assert.deepEqual(
      halves.map((row) => [row['first_token'], row['last_token'], row['parents']]),
      [
        [-(2n ** 63n), -1n, [0]],
        [0n, 2n ** 63n - 1n, [0]],
      ],
    );
    const nodes = await read(made, 'ringfold.nodes');
    assert.deepEqual(
      nodes.map((row) => row['state']),
      ['up', 'up', 'up', 'up'],
    );
  }));

test('charges are shown by kind and outcome, and the hottest keys by their values', () => {
  let nowMs = 0;
  const clock = { ...systemClock, monotonic: () => nowMs };
  return useThroughput(async (throughput, { container }) => {
    const { governor } = throughput;
    const made = make(throughput, container);
    const key = [Buffer.from([0, 0, 0, 7]), Buffer.from("it's")];
    const { prefix } = new LogicalPartition(container, cqlPartitionKey(key));
    const traits = { operation: 'read-item', priority: 'high', bucket: 0 } as const;
    governor.partition(container, 0)?.spend(clock.monotonic(), traits, 'ok', prefix, fromHundredths(250));
    const [hot] = await read(made, 'ringfold.hot_partitions');
    assert.equal(hot?.['partition_key'], "(7, 'it''s')");
    assert.equal(hot?.['is_hot'], true);
    // Figures of a second are shown when it is over.
    nowMs += 1_000;
    const [operation] = await read(made, 'ringfold.operations');
    assert.deepEqual(
      [operation?.['operation'], operation?.['status'], operation?.['requests'], operation?.['charge_ru']],
      ['read-item', 'ok', 1n, 2.5],
    );
    const [throughputRow] = await read(made, 'ringfold.throughput');
    assert.equal(throughputRow?.['kind'], 'default');
    assert.equal(throughputRow?.['ru_per_second'], 400);
  }, clock);
});
