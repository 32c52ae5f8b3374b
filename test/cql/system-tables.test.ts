// The tables that drivers and tools read: system, system_schema, system_virtual_schema.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

test('system.local describes the server', async () => {
  const { rows } = await cql.run("SELECT * FROM system.local WHERE key = 'local'");
  const [row] = rows;
  assert.ok(row !== undefined);
  assert.equal(row.get('key'), 'local');
  assert.equal(row.get('bootstrapped'), 'COMPLETED');
  assert.equal(row.get('partitioner'), 'org.apache.cassandra.dht.Murmur3Partitioner');
  assert.equal(row.get('data_center'), 'datacenter1');
  assert.equal(row.get('rack'), 'rack1');
  assert.equal(row.get('cql_version'), '3.4.7');
  assert.equal(row.get('native_protocol_version'), '5');
  assert.match(row.get('release_version'), /^5\.0\./);
  assert.ok(row.get('host_id') !== null);
  assert.ok(row.get('schema_version') !== null);
  assert.ok(row.get('tokens').size > 0);
  assert.equal(String(row.get('rpc_address')), '127.0.0.1');
});

test('the columns of system.local are those of Cassandra', async () => {
  assert.deepEqual(await cql.columnNames('SELECT * FROM system.local'), [
    ...[
      'key',
      'bootstrapped',
      'broadcast_address',
      'broadcast_port',
      'cluster_name',
      'cql_version',
      'data_center',
    ],
    ...[
      'gossip_generation',
      'host_id',
      'listen_address',
      'listen_port',
      'native_protocol_version',
      'partitioner',
      'rack',
    ],
    ...['release_version', 'rpc_address', 'rpc_port', 'schema_version', 'tokens', 'truncated_at'],
  ]);
});

test('there are no peers', async () => {
  await cql.answers('SELECT * FROM system.peers', []);
  await cql.answers('SELECT * FROM system.peers_v2', []);
  assert.deepEqual(await cql.columnNames('SELECT * FROM system.peers'), [
    ...[
      'peer',
      'data_center',
      'host_id',
      'preferred_ip',
      'rack',
      'release_version',
      'rpc_address',
      'schema_version',
      'tokens',
    ],
  ]);
});

test('the schema version changes with the schema', async () => {
  const before = await cql.value("SELECT schema_version FROM system.local WHERE key = 'local'");
  await cql.table('p int PRIMARY KEY');
  assert.notEqual(await cql.value("SELECT schema_version FROM system.local WHERE key = 'local'"), before);
});

test('the keyspaces that clients expect are there', async () => {
  const names = new Set(await cql.column('SELECT keyspace_name FROM system_schema.keyspaces'));
  for (const name of [
    'system',
    'system_schema',
    'system_auth',
    'system_traces',
    'system_distributed',
    cql.keyspace,
  ])
    assert.ok(names.has(name), name);
  assert.deepEqual(
    new Set(await cql.column('SELECT keyspace_name FROM system_virtual_schema.keyspaces')).has(
      'system_virtual_schema',
    ),
    true,
  );
});

test('system_schema.columns tells kind, position, order and type of each column', async () => {
  const u = await cql.type('a int');
  const t = await cql.table(
    `p1 int, p2 text, c1 int, c2 timeuuid, s set<int> static, v frozen<list<int>>, w map<text, frozen<${u}>>, x tuple<int, text>, y vector<float, 3>, PRIMARY KEY ((p1, p2), c1, c2)`,
    'WITH CLUSTERING ORDER BY (c1 DESC, c2 ASC)',
  );
  await cql.answers(
    `SELECT column_name, kind, position, clustering_order, type FROM system_schema.columns WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
    [
      ['c1', 'clustering', 0, 'desc', 'int'],
      ['c2', 'clustering', 1, 'asc', 'timeuuid'],
      ['p1', 'partition_key', 0, 'none', 'int'],
      ['p2', 'partition_key', 1, 'none', 'text'],
      ['s', 'static', -1, 'none', 'set<int>'],
      ['v', 'regular', -1, 'none', 'frozen<list<int>>'],
      ['w', 'regular', -1, 'none', `map<text, frozen<${u}>>`],
      ['x', 'regular', -1, 'none', 'frozen<tuple<int, text>>'],
      ['y', 'regular', -1, 'none', 'vector<float, 3>'],
    ],
  );
});

test('system_schema.tables tells the options of a table', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  const [row] = await cql.rows(
    `SELECT additional_write_policy, bloom_filter_fp_chance, caching, cdc, comment, compaction, compression, crc_check_chance, default_time_to_live, flags, gc_grace_seconds, max_index_interval, memtable_flush_period_in_ms, min_index_interval, read_repair, speculative_retry FROM system_schema.tables WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
  );
  assert.deepEqual(row, [
    '99p',
    0.01,
    new Map([
      ['keys', 'ALL'],
      ['rows_per_partition', 'NONE'],
    ]),
    null,
    '',
    new Map([
      ['class', 'org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy'],
      ['max_threshold', '32'],
      ['min_threshold', '4'],
    ]),
    new Map([
      ['chunk_length_in_kb', '16'],
      ['class', 'org.apache.cassandra.io.compress.LZ4Compressor'],
    ]),
    1,
    0,
    new Set(['compound']),
    864000,
    2048,
    0,
    128,
    'BLOCKING',
    '99p',
  ]);
});

test('system_schema.types tells the fields of a type', async () => {
  const u = await cql.type('a int, b frozen<map<text, int>>, c text');
  await cql.answers(
    `SELECT field_names, field_types FROM system_schema.types WHERE keyspace_name = '${cql.keyspace}' AND type_name = '${u}'`,
    [
      [
        ['a', 'b', 'c'],
        ['int', 'frozen<map<text, int>>', 'text'],
      ],
    ],
  );
});

test('system_schema is described by itself', async () => {
  const tables = await cql.column(
    "SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'system_schema'",
  );
  for (const name of [
    'aggregates',
    'columns',
    'dropped_columns',
    'functions',
    'indexes',
    'keyspaces',
    'tables',
    'triggers',
    'types',
    'views',
  ])
    assert.ok(tables.includes(name), name);
});

test('tables of views, functions, aggregates and triggers can be read', async () => {
  for (const name of ['views', 'functions', 'aggregates', 'triggers'])
    await cql.answers(`SELECT * FROM system_schema.${name} WHERE keyspace_name = '${cql.keyspace}'`, []);
});

test('the virtual schema is read as drivers do', async () => {
  for (const name of ['keyspaces', 'tables', 'columns'])
    assert.ok((await cql.rows(`SELECT * FROM system_virtual_schema.${name}`)).length > 0);
});

test('size estimates can be read for a table', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  await cql.rows(
    `SELECT range_start, range_end, partitions_count, mean_partition_size FROM system.size_estimates WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
  );
});

test('a table of another product is not there', async () => {
  await cql.refuses(
    'SELECT * FROM system_schema.scylla_tables',
    'invalid',
    'table scylla_tables does not exist',
  );
});

test('system tables take restrictions, functions and limits', async () => {
  await cql.answers("SELECT count(*) FROM system.local WHERE key = 'local'", [[1n]]);
  await cql.answers("SELECT key FROM system.local WHERE key = 'other'", []);
  await cql.answers('SELECT key AS k FROM system.local LIMIT 1', [['local']]);
  await cql.answers('SELECT JSON key FROM system.local', [['{"key": "local"}']]);
});

test('tools find all tables of system_views, with the columns that they know', async () => {
  const names = await cql.column(
    "SELECT table_name FROM system_virtual_schema.tables WHERE keyspace_name = 'system_views'",
  );
  assert.equal(names.length, 43);
  for (const table of [
    'repairs',
    'repair_jobs',
    'repair_sessions',
    'streaming',
    'sai_sstable_index_segments',
  ])
    await cql.answers(`SELECT * FROM system_views.${table}`, []);
  const [host] = await cql.rows(
    'SELECT dc, rack, release_version, rpc_ready, host_id FROM system_views.gossip_info',
  );
  const [local] = await cql.rows('SELECT data_center, rack, release_version, host_id FROM system.local');
  assert.deepEqual(host, [local?.[0], local?.[1], local?.[2], 'true', local?.[3]]);
});
