// Where Ringfold answers otherwise than Apache Cassandra 5.0, and why. With RINGFOLD_TEST_CQL the same tests hold Cassandra to its side.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'cassandra-driver';
import { isForeignServer, useCql } from '../cql/support/cql-server.ts';

const cql = useCql();

test('the smallest timeuuid is a timeuuid, not a custom type that no driver knows', async () => {
  // Cassandra tells drivers LegacyTimeUUIDType, an inner class of its own, and they hand out bytes.
  const t = await cql.table('p int PRIMARY KEY, v timeuuid');
  const { columns } = await cql.run(`SELECT min(v), max(v) FROM ${t}`);
  const expected = isForeignServer ? types.dataTypes.custom : types.dataTypes.timeuuid;
  assert.deepEqual(
    columns.map(({ type }) => type.code),
    [expected, expected],
  );
});

test('a text in descending order can be cast to text', async () => {
  // Cassandra looks for a cast from the reversed type, and has none.
  const t = await cql.table('p int, c text, PRIMARY KEY (p, c)', 'WITH CLUSTERING ORDER BY (c DESC)');
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, 'a')`);
  const query = `SELECT CAST(c AS text) FROM ${t}`;
  if (isForeignServer) await cql.refuses(query, 'invalid', 'Invalid call to function system.cast_as_text');
  else await cql.answers(query, [['a']]);
});

test('of two forms of one decimal key the longer is shown', async () => {
  // Cassandra shows the one that its memory or its files had first; ours must not depend on what came first.
  const t = await cql.table('p int, c decimal, v int, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 1.0, 1)`);
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 1.000, 2)`);
  await cql.answers(`SELECT c, v FROM ${t}`, [[isForeignServer ? '1.0' : '1.000', 2]]);
});

test('a selected set may not hold a null, and the client is told so', async () => {
  // Cassandra fails with a null pointer and calls it an error of the server.
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
  if (isForeignServer) await assert.rejects(cql.run(`SELECT {v} FROM ${t}`));
  else await cql.refuses(`SELECT {v} FROM ${t}`, 'invalid', 'null is not supported inside collections');
});

test('a selected list with a null has no JSON, and the client is told so', async () => {
  // Cassandra fails with a null pointer, as it does for a set.
  const t = await cql.table('p int PRIMARY KEY, v int');
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
  for (const selected of ['[v]', '(map<int, int>){1: v}']) {
    const query = `SELECT to_json(${selected}) FROM ${t}`;
    if (isForeignServer) await cql.refuses(query, 'server', 'java.lang.NullPointerException');
    else await cql.refuses(query, 'invalid', 'Null value read when not allowed');
  }
});

test('of a key that a map literal names twice the last value stays', async () => {
  // In Cassandra it is a matter of where the two values lie in memory.
  const t = await cql.table('p int PRIMARY KEY, m map<int, int>');
  await cql.run(`INSERT INTO ${t} (p, m) VALUES (1, {1: 3, 1: 1, 1: 2})`);
  const [value] = await cql.column(`SELECT m FROM ${t}`);
  if (!isForeignServer) assert.deepEqual(value, new Map([[1, 2]]));
});

test('a page can go on after a group of which only some were wanted', async () => {
  // Cassandra refuses the paging state that it gave itself.
  const t = await cql.table('p int PRIMARY KEY, v int');
  for (const p of [1, 2, 3, 4]) await cql.run(`INSERT INTO ${t} (p, v) VALUES (${p}, ${p})`);
  const pages = () => cql.pages(`SELECT p, max(v) FROM ${t} GROUP BY p PER PARTITION LIMIT 3`, 2);
  if (isForeignServer) await assert.rejects(pages());
  else assert.equal((await pages()).flat().length, 4);
});

test('a time that no timeuuid can have is an invalid request', async () => {
  // Cassandra calls it an error of the server, with the same words.
  const t = await cql.table('p int PRIMARY KEY, v timeuuid');
  await cql.refuses(
    `SELECT p FROM ${t} WHERE v > minTimeuuid('9999-12-31') ALLOW FILTERING`,
    isForeignServer ? 'server' : 'invalid',
    'is not a valid value for its declared return type timeuuid',
  );
});

test('a range of rows that ends at null is an invalid request to delete', async () => {
  // In Cassandra the replica fails, or nothing at all is deleted, depending on which end it is.
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  const statement = `DELETE FROM ${t} WHERE p = 1 AND c > ?`;
  if (isForeignServer) await assert.rejects(cql.run(statement, [null]));
  else await cql.refuses(statement, 'invalid', 'Invalid null value in condition for column c', [null]);
});

test('a set that is sent in another order is the same clustering value, also in descending order', async () => {
  // Cassandra sorts it in ascending order only: a clustering column in descending order is no collection to it.
  const t = await cql.table(
    'p int, c frozen<set<int>>, PRIMARY KEY (p, c)',
    'WITH CLUSTERING ORDER BY (c DESC)',
  );
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, {1, 2})`);
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, ?)`, [new Set([2, 1])]);
  const rows = await cql.rows(`SELECT c FROM ${t}`);
  assert.equal(rows.length, isForeignServer ? 2 : 1);
});

test('an empty map is a clustering value, also in descending order', async () => {
  // There Cassandra takes {} for a set, and fails with an exception of Java's.
  const t = await cql.table(
    'p int, c frozen<map<int, int>>, PRIMARY KEY (p, c)',
    'WITH CLUSTERING ORDER BY (c DESC)',
  );
  const insert = `INSERT INTO ${t} (p, c) VALUES (1, {})`;
  if (isForeignServer) await cql.refuses(insert, 'server', 'java.lang.ClassCastException');
  else await cql.run(insert);
  await cql.answers(`SELECT p, c FROM ${t}`, isForeignServer ? [] : [[1, new Map()]]);
});

test('a type that vectors are made of cannot be dropped, nor changed without them', async () => {
  // Cassandra does not look inside vectors for user types: the table is left with a type that nobody can name.
  const u = await cql.type('a int');
  const t = await cql.table(`p int PRIMARY KEY, v vector<frozen<${u}>, 2>`);
  if (isForeignServer) await cql.run(`DROP TYPE ${u}`);
  else await cql.refuses(`DROP TYPE ${u}`, 'invalid', `as it is still used by tables ${t}`);
});

test('an element of a list can be set beside a condition on another row', async () => {
  // Cassandra reads only the rows that have conditions, and takes the list of any other for null.
  const t = await cql.table('p int, c int, l list<int>, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c, l) VALUES (1, 1, [1, 2])`);
  const batch = `BEGIN BATCH UPDATE ${t} SET l[0] = 7 WHERE p = 1 AND c = 1; INSERT INTO ${t} (p, c) VALUES (1, 2) IF NOT EXISTS APPLY BATCH`;
  if (isForeignServer) {
    await cql.refuses(batch, 'invalid', 'Attempted to set an element on a list which is null');
  } else {
    await cql.run(batch);
    await cql.answers(`SELECT l FROM ${t} WHERE p = 1 AND c = 1`, [[[7, 2]]]);
  }
});

test('TWO and THREE are there whatever the replication factor, since there are always four replicas', async () => {
  // With a factor of 1, as in this keyspace, Cassandra has no second replica to ask.
  const t = await cql.table('p int PRIMARY KEY');
  const { two, three } = types.consistencies;
  for (const consistency of [two, three]) {
    const insert = cql.run(`INSERT INTO ${t} (p) VALUES (1)`, [], { consistency });
    if (isForeignServer)
      await assert.rejects(insert, /Not enough replicas available|required but only 1 alive/);
    else await insert;
    const select = cql.run(`SELECT p FROM ${t}`, [], { consistency });
    if (isForeignServer)
      await assert.rejects(select, /Not enough replicas available|required but only 1 alive/);
    else assert.equal((await select).rows.length, 1);
  }
});

test('DISTINCT with GROUP BY is paged, since a page bounds what is held in memory', async () => {
  // Cassandra answers all groups at once, whatever the page size.
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  for (const p of [1, 2, 3, 4]) await cql.run(`INSERT INTO ${t} (p, c) VALUES (${p}, 1)`);
  const pages = await cql.pages(`SELECT DISTINCT p FROM ${t} GROUP BY p`, 3);
  assert.deepEqual(
    pages.map(({ length }) => length),
    isForeignServer ? [4] : [3, 1],
  );
});

test('a collection, or an index of a list, that is not set in a condition is an invalid request', async () => {
  // Cassandra fails with an exception of Java's, and calls it an error of the server.
  const t = await cql.table('p int PRIMARY KEY, v int, l list<int>');
  await cql.run(`INSERT INTO ${t} (p, l) VALUES (1, [1])`);
  for (const condition of ['l = ?', 'l[?] = 1']) {
    const update = `UPDATE ${t} SET v = 1 WHERE p = 1 IF ${condition}`;
    if (isForeignServer) await cql.refuses(update, 'server', 'java.lang.', [undefined]);
    else await cql.refuses(update, 'invalid', "Invalid 'unset' value in condition", [undefined]);
  }
});

test('names of hosts and of interfaces are no addresses, since nothing is looked up for a literal', async () => {
  // Cassandra asks the resolver of its machine, and waits for it.
  for (const [name, address] of [
    ['localhost', '127.0.0.1'],
    ['1::%lo', '1::'],
  ]) {
    const query = `SELECT (inet)'${name}' FROM system.local`;
    if (isForeignServer) await cql.answers(query, [[address]]);
    else await cql.refuses(query, 'invalid', `Unable to make inet address from '${name}'`);
  }
});

test('zones of timestamps are not known by their long names, since those are of a language', async () => {
  // Cassandra takes them in the language of its machine; regions and abbreviations are the same everywhere.
  const query = "SELECT (timestamp)'2020-01-01 10:00:00 Central European Standard Time' FROM system.local";
  if (isForeignServer) await cql.answers(query, [['2020-01-01T09:00:00.000Z']]);
  else await cql.refuses(query, 'invalid', 'Unable to parse a date/time from');
});

test('JSON that is none is refused with the same code, and with words that are not those of a Java library', async () => {
  // What follows the colon in Cassandra's answer is Jackson's own, with the names of its classes.
  const t = await cql.table('p int PRIMARY KEY, v int');
  const [invalid, failed] = ['Could not decode JSON string as a map: ', "Could not decode JSON string '{': "];
  const jackson = isForeignServer ? 'com.fasterxml.jackson' : '';
  for (const json of ['{', '{"p": 1,}', '[1]', ''])
    await cql.refuses(`INSERT INTO ${t} JSON ?`, 'invalid', `${invalid}${jackson}`, [json]);
  await cql.refuses(`INSERT INTO ${t} (p, v) VALUES (1, fromJson(?))`, 'function', `${failed}${jackson}`, [
    '{',
  ]);
});

test('DISTINCT shows a partition with live cells, also where the mark of its row has expired', async () => {
  // Where static columns are selected too, Cassandra leaves out a partition whose row was marked again for a while.
  const t = await cql.table('p int, c int, v int, s int static, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1)`);
  await cql.run(`INSERT INTO ${t} (p, c) VALUES (1, 1) USING TTL 1`);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  await cql.answers(`SELECT p, v FROM ${t}`, [[1, 1]]);
  await cql.answers(`SELECT DISTINCT p FROM ${t}`, [[1]]);
  await cql.answers(`SELECT DISTINCT p, s FROM ${t}`, isForeignServer ? [] : [[1, null]]);
});

test('CONTAINS on a frozen list finds rows, also beside a column with a storage-attached index', async () => {
  // Cassandra then compares the element with the whole list, and finds nothing.
  const t = await cql.table('p int PRIMARY KEY, l frozen<list<int>>, v int');
  await cql.run(`CREATE INDEX ON ${t} (v) USING 'sai'`);
  await cql.run(`INSERT INTO ${t} (p, l, v) VALUES (1, [1, 2], 1)`);
  await cql.answers(`SELECT p FROM ${t} WHERE l CONTAINS 1 ALLOW FILTERING`, [[1]]);
  const both = `SELECT p FROM ${t} WHERE v = 1 AND l CONTAINS 1 ALLOW FILTERING`;
  await cql.answers(both, isForeignServer ? [] : [[1]]);
});

test('a decimal of four bytes is refused when it is written', async () => {
  // It has a scale and no digits. Cassandra takes it, and fails at every read that must know what it is.
  const t = await cql.table('p int PRIMARY KEY, v decimal');
  const insert = `INSERT INTO ${t} (p, v) VALUES (1, ?)`;
  if (isForeignServer) {
    await cql.run(insert, [Buffer.alloc(4)]);
    await cql.refuses(`SELECT CAST(v AS text) FROM ${t}`, 'server', 'java.lang.NumberFormatException');
  } else {
    await cql.refuses(insert, 'invalid', 'Expected 0 or at least 4 bytes (4)', [Buffer.alloc(4)]);
  }
});

test('durations inside vectors are no keys, and are not more or less, as durations are nowhere', async () => {
  // Cassandra looks for durations in all types but vectors, and then sorts them by their bytes.
  const t = await cql.table('p int PRIMARY KEY, v vector<duration, 1>');
  const name = cql.name('t');
  const refusals: readonly (readonly [string, string])[] = [
    [
      `CREATE TABLE ${name} (p vector<duration, 1> PRIMARY KEY)`,
      'duration type is not supported for PRIMARY KEY',
    ],
    [
      `SELECT * FROM ${t} WHERE v > [1d] ALLOW FILTERING`,
      'Slice restrictions are not supported on duration columns',
    ],
    [`UPDATE ${t} SET v = [1d] WHERE p = 1 IF v > [1d]`, 'are not supported on durations'],
    [`CREATE INDEX ON ${t} (v)`, 'Secondary indexes are not supported on duration columns'],
  ];
  for (const [statement, text] of refusals) {
    if (isForeignServer) await cql.run(statement);
    else await cql.refuses(statement, 'invalid', text);
  }
});

test('mask_hash has no MD2, which no library here has any more', async () => {
  // Java still does.
  const query = "SELECT mask_hash('x', 'MD2') FROM system.local";
  if (isForeignServer) await cql.answers(query, [['0xa0365d9bf982aaad3526a01db8a7206d']]);
  else await cql.refuses(query, 'invalid', 'Hash algorithm not found: MD2');
});

test('a null in a frozen list is refused when it is written, as in every other collection', async () => {
  // Cassandra takes it from a client that binds it, refuses it in a literal, and fails where it must look into the list.
  const t = await cql.table('p int PRIMARY KEY, v frozen<list<int>>');
  const list = Buffer.from('00000001ffffffff', 'hex');
  const insert = `INSERT INTO ${t} (p, v) VALUES (1, ?)`;
  await cql.refuses(
    `INSERT INTO ${t} (p, v) VALUES (1, [null])`,
    'invalid',
    'null is not supported inside collections',
  );
  if (isForeignServer) {
    await cql.run(insert, [list]);
    await cql.refuses(`SELECT toJson(v) FROM ${t}`, 'server', 'java.lang.NullPointerException');
  } else {
    await cql.refuses(insert, 'invalid', 'Null value read when not allowed', [list]);
  }
});

test('tables of system_views about messages between hosts and threads are empty, since there is one host and none of these', async () => {
  // Cassandra shows the host itself, and its own pools of threads.
  for (const table of ['internode_inbound', 'internode_outbound', 'thread_pools']) {
    const rows = await cql.rows(`SELECT * FROM system_views.${table}`);
    assert.equal(rows.length > 0, isForeignServer, table);
  }
});

test('a hashed password of more than 2^15 rounds is refused, since whoever guesses at it keeps a core busy', async () => {
  // Cassandra takes up to 2^30, and spends as long on each login.
  const name = `${cql.keyspace}_r`;
  const create = `CREATE ROLE ${name} WITH HASHED PASSWORD = '$2a$16$7AxBgJGcawjt3VywSvmL4Oy4tMqyqEIHuj2Z6/AYGQoH86hIqTOP.'`;
  if (isForeignServer) await cql.run(create);
  else await cql.refuses(create, 'invalid', 'Invalid hashed password value. Please use jBcrypt.');
  await cql.run(`DROP ROLE IF EXISTS ${name}`);
});

test('mask_default makes no value of more than 1 MiB, since a few words of a query could ask for gigabytes', async () => {
  // Cassandra makes it, as long as its memory lasts; so it is asked for the smallest one only.
  const t = await cql.table(
    'p int PRIMARY KEY, v vector<float, 262145>, w vector<vector<float, 9000>, 9000>, x vector<float, 2147483647>',
  );
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
  if (isForeignServer) {
    const [mask] = await cql.column(`SELECT mask_default(v) FROM ${t}`);
    assert.equal((mask as number[]).length, 262_145);
    return;
  }
  for (const column of ['v', 'w', 'x'])
    await cql.refuses(`SELECT mask_default(${column}) FROM ${t}`, 'invalid', 'more than 1048576 bytes');
  await cql.answers(`SELECT x FROM ${t}`, [[null]]);
});
