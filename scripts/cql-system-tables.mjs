// Asks a real Apache Cassandra 5.0 which tables it has itself, with which columns and options, and how it describes some definitions,
// and writes down what it said:
//   node scripts/cql-system-tables.mjs [port]
// It makes the keyspace f_described there, and drops it again.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import cassandra from 'cassandra-driver';

const root = join(import.meta.dirname, '..');
const port = Number(process.argv[2] ?? 19_042);
const client = new cassandra.Client({
  contactPoints: ['127.0.0.1'],
  localDataCenter: 'datacenter1',
  protocolOptions: { port },
});
const all = async (query) => (await client.execute(query)).rows;
const [{ release_version: version }] = await all('SELECT release_version FROM system.local');
const heading = `// What Apache Cassandra ${version} says, written by scripts/cql-system-tables.mjs.\n\n`;

const isSystem = ({ keyspace_name: name }) => /^system(_|$)/.test(name);
const columns = [
  ...(await all('SELECT * FROM system_schema.columns')),
  ...(await all('SELECT * FROM system_virtual_schema.columns')),
].filter(isSystem);
const tables = [
  ...(await all('SELECT * FROM system_schema.tables')),
  ...(await all('SELECT keyspace_name, table_name, comment FROM system_virtual_schema.tables')),
].filter(isSystem);

const told = tables
  .map((table) => ({
    name: `${table.keyspace_name}.${table.table_name}`,
    comment: table.comment,
    ...(table.id === undefined
      ? {}
      : {
          options: {
            gc_grace_seconds: table.gc_grace_seconds,
            default_time_to_live: table.default_time_to_live,
            memtable_flush_period_in_ms: table.memtable_flush_period_in_ms,
            compaction: table.compaction,
          },
          id: String(table.id),
        }),
    columns: columns
      .filter((one) => one.keyspace_name === table.keyspace_name && one.table_name === table.table_name)
      .map((one) => [one.column_name, one.kind, one.position, one.clustering_order, one.type])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

write(
  'src/execution/cql/virtual-tables/system-tables.vectors.ts',
  `export interface SystemTableVector {
  readonly name: string;
  readonly comment: string;
  /** Of those that are not virtual. */
  readonly options?: {
    readonly gc_grace_seconds: number;
    readonly default_time_to_live: number;
    readonly memtable_flush_period_in_ms: number;
    readonly compaction: Readonly<Record<string, string>>;
  };
  readonly id?: string;
  /** Name, kind, position, clustering order, type; by name. */
  readonly columns: readonly (readonly [string, string, number, string, string])[];
}

export const systemTableVectors: readonly SystemTableVector[] = ${JSON.stringify(told)};\n`,
);
const keyspaces = (await all('SELECT * FROM system_schema.keyspaces')).filter(isSystem);
console.log(
  keyspaces.map(({ keyspace_name, replication }) => `${keyspace_name} ${JSON.stringify(replication)}`),
);

const definitions = [
  "CREATE KEYSPACE f_described WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1} AND durable_writes = false",
  'CREATE TYPE f_described.inner (a int, "B" frozen<list<text>>)',
  'CREATE TYPE f_described."A outer" (i frozen<inner>, t tuple<int, text>, "select" map<text, frozen<set<uuid>>>)',
  'CREATE TYPE f_described."table" (x int)',
  'CREATE TABLE f_described.simple (k int PRIMARY KEY)',
  'CREATE TABLE f_described.composite (a int, b text, c timeuuid, d date, v vector<float, 3>, PRIMARY KEY ((a, b), c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)',
  `CREATE TABLE f_described."Mixed" ("K" int, "select" text, key int, ttl int, z int, a list<int>, b frozen<map<text, int>>, m map<text, frozen<list<int>>>, s int static, st set<int> static, u inner, fu frozen<"A outer">, t frozen<tuple<int, frozen<list<text>>>>, PRIMARY KEY ("K", "select"))`,
  `CREATE TABLE f_described.options (k int, c int, v text, PRIMARY KEY (k, c)) WITH comment = 'it''s' AND gc_grace_seconds = 10 AND default_time_to_live = 100 AND bloom_filter_fp_chance = 0.1 AND compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 200} AND compression = {'enabled': false} AND caching = {'keys': 'NONE', 'rows_per_partition': 10} AND speculative_retry = '50ms' AND additional_write_policy = 'NEVER' AND read_repair = 'NONE' AND crc_check_chance = 0.5 AND memtable_flush_period_in_ms = 1000 AND min_index_interval = 64 AND max_index_interval = 4096 AND extensions = {'a': 0xcafe} AND allow_auto_snapshot = false AND incremental_backups = false`,
  'CREATE TABLE f_described.counters (k int, c int, n counter, PRIMARY KEY (k, c))',
  'CREATE INDEX ON f_described."Mixed" (z)',
  'CREATE INDEX "Values" ON f_described."Mixed" (a)',
  'CREATE INDEX by_key ON f_described."Mixed" (KEYS(m))',
  'CREATE INDEX by_entry ON f_described."Mixed" (ENTRIES(m))',
  'CREATE INDEX by_full ON f_described."Mixed" (FULL(b))',
  'CREATE INDEX by_quoted ON f_described."Mixed" ("select")',
  "CREATE CUSTOM INDEX sai ON f_described.options (v) USING 'StorageAttachedIndex' WITH OPTIONS = {'case_sensitive': 'false', 'normalize': 'true'}",
  "CREATE INDEX sai_short ON f_described.composite (v) USING 'sai'",
  'CREATE TABLE f_described.dropped (k int, c int, a int, b text, d int static, e list<int>, PRIMARY KEY (k, c)) WITH ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18 AND CLUSTERING ORDER BY (c DESC)',
  'ALTER TABLE f_described.dropped DROP a USING TIMESTAMP 20000',
  'ALTER TABLE f_described.dropped DROP d USING TIMESTAMP 30000',
  'ALTER TABLE f_described.dropped DROP e USING TIMESTAMP 40000',
  'ALTER TABLE f_described.dropped ADD e list<int>',
  'CREATE TABLE f_described.dropped_type (k int PRIMARY KEY, t inner, u frozen<inner>) WITH ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c19',
  'ALTER TABLE f_described.dropped_type DROP u USING TIMESTAMP 3000',
];
const questions = [
  'DESCRIBE KEYSPACE f_described',
  'DESCRIBE ONLY KEYSPACE f_described',
  'DESCRIBE TABLE f_described."Mixed"',
  'DESCRIBE TABLE f_described.simple',
  'DESCRIBE TABLE f_described.dropped WITH INTERNALS',
  'DESCRIBE TABLE f_described.dropped_type WITH INTERNALS',
  'DESCRIBE f_described.options',
  'DESCRIBE f_described.by_key',
  'DESCRIBE INDEX f_described."Values"',
  'DESCRIBE TYPE f_described."A outer"',
  'DESCRIBE TABLES',
  'DESCRIBE TYPES',
  'DESCRIBE KEYSPACES',
  'DESCRIBE FUNCTIONS',
  'DESCRIBE AGGREGATES',
  'DESCRIBE SCHEMA',
  'DESCRIBE KEYSPACE',
  'DESCRIBE KEYSPACE nowhere',
  'DESCRIBE TABLE f_described.nothing',
  'DESCRIBE TABLE simple',
  'DESCRIBE nothing',
  'DESCRIBE f_described.nothing',
  'DESCRIBE INDEX f_described.nothing',
  'DESCRIBE TYPE f_described.nothing',
  'DESCRIBE FUNCTION f_described.nothing',
  'DESCRIBE AGGREGATE f_described.nothing',
  'DESCRIBE MATERIALIZED VIEW f_described.nothing',
  'DESCRIBE TABLE system.local',
  'DESCRIBE TABLE system_views.settings',
  'DESCRIBE KEYSPACE system_virtual_schema',
  'DESCRIBE CLUSTER',
];
await client.execute('DROP KEYSPACE IF EXISTS f_described');
for (const statement of definitions) await client.execute(statement);
const schemaRows = await describedRows();
const answers = [];
for (const question of questions) answers.push({ question, ...(await answerOf(question)) });
await client.execute('DROP KEYSPACE f_described');
await client.shutdown();
write(
  'src/language/cql/describe/describe.vectors.ts',
  `export interface DescribeVector {
  readonly question: string;
  readonly columns?: readonly string[];
  /** Only those of the keyspace that was made, and of keyspaces that are not virtual where a whole list was asked for. */
  readonly rows?: readonly (readonly string[])[];
  readonly failure?: string;
}

export const describedDefinitions: readonly string[] = ${JSON.stringify(definitions)};

/** What \`system_schema\` shows of them, without ids. */
export const describedSchema: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = ${JSON.stringify(schemaRows)};

export const describeVectors: readonly DescribeVector[] = ${JSON.stringify(answers)};\n`,
);

async function describedRows() {
  const rows = {};
  for (const table of ['keyspaces', 'tables', 'columns', 'types', 'indexes', 'dropped_columns']) {
    const found = await client.execute(
      `SELECT JSON * FROM system_schema.${table} WHERE keyspace_name = 'f_described'`,
    );
    rows[table] = found.rows.map((row) => {
      const { id, ...rest } = JSON.parse(row['[json]']);
      return rest;
    });
  }
  return rows;
}

async function answerOf(question) {
  try {
    const result = await client.execute(question);
    const names = result.columns.map(({ name }) => name);
    const rows = result.rows
      .map((row) =>
        names.map((name) => (typeof row[name] === 'string' ? row[name] : JSON.stringify(row[name]))),
      )
      .filter(([keyspace]) => !/KEYSPACES|TABLES|TYPES|SCHEMA/.test(question) || keyspace === 'f_described');
    return { columns: names, rows };
  } catch (error) {
    return { failure: error.message };
  }
}

function write(file, text) {
  const path = join(root, file);
  writeFileSync(path, heading + text);
  spawnSync('npx', ['biome', 'format', '--write', path], { cwd: root, stdio: 'inherit' });
}
