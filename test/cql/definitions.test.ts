// CREATE and DROP of keyspaces and tables, USE, and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

const simple = "{'class': 'SimpleStrategy', 'replication_factor': 1}";

test('a keyspace is made, seen and dropped', async () => {
  const name = `${cql.keyspace}_a`;
  await cql.run(
    `CREATE KEYSPACE ${name} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1} AND durable_writes = false`,
  );
  await cql.answers(
    `SELECT durable_writes, replication FROM system_schema.keyspaces WHERE keyspace_name = '${name}'`,
    [
      [
        false,
        new Map([
          ['class', 'org.apache.cassandra.locator.NetworkTopologyStrategy'],
          ['datacenter1', '1'],
        ]),
      ],
    ],
  );
  await cql.run(`DROP KEYSPACE ${name}`);
  await cql.answers(`SELECT * FROM system_schema.keyspaces WHERE keyspace_name = '${name}'`, []);
});

test('a keyspace that is there is not made again', async () => {
  await cql.refuses(
    `CREATE KEYSPACE ${cql.keyspace} WITH replication = ${simple}`,
    'exists',
    `Cannot add existing keyspace "${cql.keyspace}"`,
  );
  await cql.run(`CREATE KEYSPACE IF NOT EXISTS ${cql.keyspace} WITH replication = ${simple}`);
});

test('a keyspace that is not there is not dropped, altered or used', async () => {
  await cql.refuses('DROP KEYSPACE nope', 'invalid', "Keyspace 'nope' doesn't exist");
  await cql.run('DROP KEYSPACE IF EXISTS nope');
  await cql.refuses('USE nope', 'invalid', "Keyspace 'nope' does not exist");
  await cql.refuses('CREATE TABLE nope.t (p int PRIMARY KEY)', 'invalid', "Keyspace 'nope' doesn't exist");
});

test('the options of a keyspace are checked', async () => {
  const name = `${cql.keyspace}_b`;
  await cql.refuses(`CREATE KEYSPACE ${name}`, 'syntax', '');
  await cql.refuses(
    `CREATE KEYSPACE ${name} WITH replication = {'class': 'Nope'}`,
    'configuration',
    "Unable to find replication strategy class 'org.apache.cassandra.locator.Nope'",
  );
  await cql.refuses(
    `CREATE KEYSPACE ${name} WITH replication = {'replication_factor': 1}`,
    'configuration',
    'Missing replication strategy class',
  );
  await cql.refuses(
    `CREATE KEYSPACE ${name} WITH replication = {'class': 'NetworkTopologyStrategy', 'nodc': 1}`,
    'configuration',
    `Unrecognized strategy option {nodc} passed to NetworkTopologyStrategy for keyspace ${name}`,
  );
  await cql.refuses(
    `CREATE KEYSPACE ${name} WITH replication = ${simple} AND zz = 1`,
    'syntax',
    "Unknown property 'zz'",
  );
  await cql.refuses(
    `CREATE KEYSPACE ${name} WITH durable_writes = true`,
    'invalid',
    "Missing mandatory option 'replication'",
  );
  await cql.refuses(
    `CREATE KEYSPACE "with-dash" WITH replication = ${simple}`,
    'invalid',
    'contain non-alphanumeric-underscore characters',
  );
});

test('system keyspaces are not changed', async () => {
  await cql.refuses('DROP KEYSPACE system', 'unauthorized', 'system keyspace is not user-modifiable.');
  await cql.refuses(
    'CREATE TABLE system.mine (p int PRIMARY KEY)',
    'unauthorized',
    'system keyspace is not user-modifiable.',
  );
  await cql.refuses(
    'DROP TABLE system_schema.tables',
    'unauthorized',
    'system_schema keyspace is not user-modifiable.',
  );
});

test('a table is dropped, and made anew without what it held', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.runAll(`INSERT INTO ${t} (p, v) VALUES (1, 1)`, `DROP TABLE ${t}`);
  await cql.refuses(`SELECT * FROM ${t}`, 'invalid', `table ${t} does not exist`);
  await cql.run(`CREATE TABLE ${t} (p int PRIMARY KEY, v int)`);
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a table that is there is not made again, and one that is not there is not dropped', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  await cql.refuses(
    `CREATE TABLE ${t} (p int PRIMARY KEY)`,
    'exists',
    `Cannot add already existing table "${t}" to keyspace "${cql.keyspace}"`,
  );
  await cql.run(`CREATE TABLE IF NOT EXISTS ${t} (q text PRIMARY KEY)`);
  assert.deepEqual(await cql.columnNames(`SELECT * FROM ${t}`), ['p']);
  await cql.refuses('DROP TABLE nope', 'invalid', `Table '${cql.keyspace}.nope' doesn't exist`);
  await cql.run('DROP TABLE IF EXISTS nope');
});

test('COLUMNFAMILY is another word for TABLE', async () => {
  const t = cql.name('t');
  await cql.runAll(`CREATE COLUMNFAMILY ${t} (p int PRIMARY KEY)`, `DROP COLUMNFAMILY ${t}`);
});

const refused: readonly (readonly [string, string, string])[] = [
  ['without a primary key', '(p int)', 'No PRIMARY KEY specifed for table'],
  ['with two primary keys', '(p int PRIMARY KEY, q int PRIMARY KEY)', 'Multiple PRIMARY KEY specified'],
  [
    'with an unknown key column',
    '(p int, PRIMARY KEY (zz))',
    "Unknown column 'zz' referenced in PRIMARY KEY for table",
  ],
  ['with a column twice', '(p int PRIMARY KEY, v int, v text)', "Duplicate column 'v' declaration for table"],
  [
    'with a column twice in its key',
    '(p int, c int, PRIMARY KEY (p, c, c))',
    "Duplicate column 'c' in PRIMARY KEY clause for table",
  ],
  [
    'with a collection as its key',
    '(p list<int> PRIMARY KEY)',
    "Invalid non-frozen collection type list<int> for PRIMARY KEY column 'p'",
  ],
  [
    'with a duration as its key',
    '(p duration PRIMARY KEY)',
    "duration type is not supported for PRIMARY KEY column 'p'",
  ],
  ['with an unknown type', '(p int PRIMARY KEY, v nosuch)', 'Unknown type'],
  [
    'with an order of a column that does not cluster',
    '(p int, c int, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (p DESC)',
    'Only clustering key columns can be defined in CLUSTERING ORDER directive',
  ],
  [
    'with an order of a part of its clustering columns',
    '(p int, c int, d int, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (d DESC)',
    'Missing CLUSTERING ORDER for column c',
  ],
  [
    'with an order in the wrong sequence',
    '(p int, c int, d int, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (d DESC, c ASC)',
    'The order of columns in the CLUSTERING ORDER directive must match that of the clustering columns',
  ],
  [
    'with a set of durations',
    '(p int PRIMARY KEY, s set<duration>)',
    'Durations are not allowed inside sets: set<duration>',
  ],
  [
    'with a map of duration keys',
    '(p int PRIMARY KEY, m map<duration, int>)',
    'Durations are not allowed as map keys: map<duration, int>',
  ],
];
for (const [what, definition, text] of refused) {
  test(`a table ${what} is refused`, async () => {
    await cql.refuses(`CREATE TABLE ${cql.name('t')} ${definition}`, 'invalid', text);
  });
}

const options: readonly (readonly [string, 'syntax' | 'configuration' | 'invalid', string])[] = [
  ['nosuch = 1', 'syntax', "Unknown property 'nosuch'"],
  ['gc_grace_seconds = -1', 'configuration', 'gc_grace_seconds must be greater than or equal to 0 (got -1)'],
  [
    'default_time_to_live = -1',
    'configuration',
    'default_time_to_live must be greater than or equal to 0 (got -1)',
  ],
  [
    'default_time_to_live = 630720001',
    'configuration',
    'default_time_to_live must be less than or equal to 630720000 (got 630720001)',
  ],
  ['bloom_filter_fp_chance = 2.0', 'configuration', 'bloom_filter_fp_chance must be larger than'],
  [
    "compaction = {'class': 'Nope'}",
    'configuration',
    "Unable to find compaction strategy class 'org.apache.cassandra.db.compaction.Nope'",
  ],
  [
    "compression = {'class': 'Nope'}",
    'configuration',
    'Could not create Compression for type org.apache.cassandra.io.compress.Nope',
  ],
  ["gc_grace_seconds = 'a'", 'syntax', ''],
];
for (const [option, error, text] of options) {
  test(`a table WITH ${option} is refused`, async () => {
    await cql.refuses(`CREATE TABLE ${cql.name('t')} (p int PRIMARY KEY) WITH ${option}`, error, text);
  });
}

test('table options are kept as they were given', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY',
    "WITH comment = 'it''s' AND default_time_to_live = 7 AND caching = {'keys': 'ALL', 'rows_per_partition': '10'} AND compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '100'} AND compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '64'} AND bloom_filter_fp_chance = 0.1 AND speculative_retry = 'ALWAYS' AND crc_check_chance = 0.5",
  );
  const [row] = await cql.rows(
    `SELECT comment, default_time_to_live, caching, compaction, compression, bloom_filter_fp_chance, speculative_retry, crc_check_chance FROM system_schema.tables WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${t}'`,
  );
  assert.deepEqual(row, [
    "it's",
    7,
    new Map([
      ['keys', 'ALL'],
      ['rows_per_partition', '10'],
    ]),
    new Map([
      ['class', 'org.apache.cassandra.db.compaction.LeveledCompactionStrategy'],
      ['max_threshold', '32'],
      ['min_threshold', '4'],
      ['sstable_size_in_mb', '100'],
    ]),
    new Map([
      ['chunk_length_in_kb', '64'],
      ['class', 'org.apache.cassandra.io.compress.LZ4Compressor'],
    ]),
    0.1,
    'ALWAYS',
    0.5,
  ]);
});

test('USE sets the keyspace of later statements', async () => {
  const t = await cql.table('p int PRIMARY KEY');
  const client = cql.newClient();
  await assert.rejects(
    client.execute(`SELECT * FROM ${t}`),
    /No keyspace has been specified\. USE a keyspace, or explicitly specify keyspace\.tablename/,
  );
  await client.execute(`USE ${cql.keyspace}`);
  await client.execute(`SELECT * FROM ${t}`);
  await client.shutdown();
});

test('a dropped keyspace takes its tables and types along', async () => {
  const name = `${cql.keyspace}_c`;
  await cql.runAll(
    `CREATE KEYSPACE ${name} WITH replication = ${simple}`,
    `CREATE TYPE ${name}.u (a int)`,
    `CREATE TABLE ${name}.t (p int PRIMARY KEY, v frozen<u>)`,
    `DROP KEYSPACE ${name}`,
  );
  await cql.answers(`SELECT table_name FROM system_schema.tables WHERE keyspace_name = '${name}'`, []);
  await cql.answers(`SELECT type_name FROM system_schema.types WHERE keyspace_name = '${name}'`, []);
  await cql.refuses(`SELECT * FROM ${name}.t`, 'invalid', `keyspace ${name} does not exist`);
});

const features: readonly (readonly [string, string])[] = [
  [
    'a function in a language that is not there',
    'CREATE FUNCTION f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE lua AS $$return 1$$',
  ],
  ['a trigger of a class that is not there', "CREATE TRIGGER tr ON % USING 'nope'"],
];
for (const [what, statement] of features) {
  test(`${what} is refused as invalid`, async () => {
    const t = await cql.table('p int PRIMARY KEY, v int');
    await cql.refuses(statement.replace('%', t), 'invalid', '');
  });
}

test('a bloom_filter_fp_chance of -1 is what goes with the compaction', async () => {
  const chanceOf = (table: string) =>
    cql.value(
      `SELECT bloom_filter_fp_chance FROM system_schema.tables WHERE keyspace_name = '${cql.keyspace}' AND table_name = '${table}'`,
    );
  const t = await cql.table('p int PRIMARY KEY', 'WITH bloom_filter_fp_chance = -1');
  assert.equal(await chanceOf(t), 0.01);
  await cql.run(`ALTER TABLE ${t} WITH bloom_filter_fp_chance = 0.5`);
  await cql.run(
    `ALTER TABLE ${t} WITH bloom_filter_fp_chance = -1 AND compaction = {'class': 'LeveledCompactionStrategy'}`,
  );
  assert.equal(await chanceOf(t), 0.1);
  await cql.refuses(
    `ALTER TABLE ${t} WITH bloom_filter_fp_chance = -0.5`,
    'configuration',
    'bloom_filter_fp_chance must be larger than 6.71E-5 and less than or equal to 1.0 (got -0.5)',
  );
});
