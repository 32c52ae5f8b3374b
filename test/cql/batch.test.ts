// BATCH, as a statement and as a message of the protocol.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

for (const kind of ['', 'UNLOGGED ', 'LOGGED ']) {
  test(`BEGIN ${kind}BATCH writes all of its statements`, async () => {
    const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
    const statement = kind === 'LOGGED ' ? 'BEGIN BATCH' : `BEGIN ${kind}BATCH`;
    await cql.run(`${statement}
      INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1);
      INSERT INTO ${t} (p, c, v) VALUES (2, 1, 2);
      UPDATE ${t} SET v = 3 WHERE p = 1 AND c = 2;
      DELETE FROM ${t} WHERE p = 9;
      APPLY BATCH`);
    await cql.answersInAnyOrder(`SELECT * FROM ${t}`, [
      [1, 1, 1],
      [1, 2, 3],
      [2, 1, 2],
    ]);
  });
}

test('statements of a batch share one timestamp', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.run(
    `BEGIN BATCH INSERT INTO ${t} (p, a) VALUES (1, 1); UPDATE ${t} SET b = 2 WHERE p = 1; APPLY BATCH`,
  );
  const [[a, b]] = (await cql.rows(`SELECT writetime(a), writetime(b) FROM ${t}`)) as [unknown[]];
  assert.equal(a, b);
});

test('an INSERT and a DELETE of the same row in one batch leave nothing', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(
    `BEGIN BATCH DELETE FROM ${t} WHERE p = 1; INSERT INTO ${t} (p, a) VALUES (1, 1); APPLY BATCH`,
  );
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a batch has a timestamp for all, or each statement its own', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(
    `BEGIN BATCH USING TIMESTAMP 123 INSERT INTO ${t} (p, a) VALUES (1, 1); INSERT INTO ${t} (p, a) VALUES (2, 1); APPLY BATCH`,
  );
  assert.deepEqual(await cql.column(`SELECT writetime(a) FROM ${t}`), [123n, 123n]);
  await cql.run(
    `BEGIN BATCH INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 200; INSERT INTO ${t} (p, a) VALUES (2, 1) USING TIMESTAMP 300; APPLY BATCH`,
  );
  await cql.answersInAnyOrder(`SELECT p, writetime(a) FROM ${t}`, [
    [1, 200n],
    [2, 300n],
  ]);
  await cql.refuses(
    `BEGIN BATCH USING TIMESTAMP 5 INSERT INTO ${t} (p, a) VALUES (1, 1) USING TIMESTAMP 6; APPLY BATCH`,
    'invalid',
    'Timestamp must be set either on BATCH or individual statements',
  );
});

test('a batch has no TTL of its own', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.refuses(
    `BEGIN BATCH USING TTL 5 INSERT INTO ${t} (p, a) VALUES (1, 1); APPLY BATCH`,
    'invalid',
    'Global TTL on the BATCH statement is not supported.',
  );
});

test('an empty batch does nothing', async () => {
  await cql.run('BEGIN BATCH APPLY BATCH');
  await cql.run('BEGIN UNLOGGED BATCH APPLY BATCH;');
});

test('a batch is prepared with values for all of its statements', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(
    `BEGIN BATCH INSERT INTO ${t} (p, a) VALUES (?, ?); UPDATE ${t} SET a = ? WHERE p = ?; APPLY BATCH`,
    [1, 2, 3, 4],
  );
  await cql.answersInAnyOrder(`SELECT * FROM ${t}`, [
    [1, 2],
    [4, 3],
  ]);
});

test('the client sends a batch of texts with values', async () => {
  const t = await cql.table('p int PRIMARY KEY, a text');
  await cql.client.batch(
    [
      { query: `INSERT INTO ${t} (p, a) VALUES (1, 'x')` },
      { query: `INSERT INTO ${t} (p, a) VALUES (?, ?)`, params: [2, 'y'] },
    ],
    { prepare: true },
  );
  await cql.answersInAnyOrder(`SELECT * FROM ${t}`, [
    [1, 'x'],
    [2, 'y'],
  ]);
});

test('the client sends an unlogged batch over several tables', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  const u = await cql.table('p int PRIMARY KEY, a int');
  await cql.client.batch(
    [
      { query: `INSERT INTO ${t} (p, a) VALUES (?, ?)`, params: [1, 1] },
      { query: `INSERT INTO ${u} (p, a) VALUES (?, ?)`, params: [2, 2] },
    ],
    { prepare: true, logged: false },
  );
  await cql.answers(`SELECT * FROM ${t}`, [[1, 1]]);
  await cql.answers(`SELECT * FROM ${u}`, [[2, 2]]);
});

test('a batch of the client carries a timestamp', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.client.batch([{ query: `INSERT INTO ${t} (p, a) VALUES (?, ?)`, params: [1, 1] }], {
    prepare: true,
    timestamp: 4321,
  });
  await cql.answers(`SELECT writetime(a) FROM ${t}`, [[4321n]]);
});

test('a batch of counters is of counters alone', async () => {
  const t = await cql.table('p int PRIMARY KEY, n counter');
  const u = await cql.table('p int PRIMARY KEY, a int');
  await cql.run(
    `BEGIN COUNTER BATCH UPDATE ${t} SET n = n + 1 WHERE p = 1; UPDATE ${t} SET n = n + 2 WHERE p = 2; APPLY BATCH`,
  );
  await cql.answersInAnyOrder(`SELECT * FROM ${t}`, [
    [1, 1n],
    [2, 2n],
  ]);
  await cql.refuses(
    `BEGIN COUNTER BATCH INSERT INTO ${u} (p, a) VALUES (1, 1); APPLY BATCH`,
    'invalid',
    'Cannot include non-counter statement in a counter batch',
  );
  await cql.refuses(
    `BEGIN BATCH UPDATE ${t} SET n = n + 1 WHERE p = 1; APPLY BATCH`,
    'invalid',
    'Cannot include a counter statement in a logged batch',
  );
  await cql.refuses(
    `BEGIN UNLOGGED BATCH UPDATE ${t} SET n = n + 1 WHERE p = 1; INSERT INTO ${u} (p, a) VALUES (1, 1); APPLY BATCH`,
    'invalid',
    'Counter and non-counter mutations cannot exist in the same batch',
  );
});

test('a batch holds nothing but INSERT, UPDATE and DELETE', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.refuses(`BEGIN BATCH SELECT * FROM ${t}; APPLY BATCH`, 'syntax', '');
  await assert.rejects(
    cql.client.batch([{ query: `SELECT * FROM ${t}`, params: [] }], { prepare: true }),
    /Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed\./,
  );
});

test('one wrong statement refuses the whole batch', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.refuses(
    `BEGIN BATCH INSERT INTO ${t} (p, a) VALUES (1, 1); INSERT INTO ${t} (p, zz) VALUES (1, 1); APPLY BATCH`,
    'invalid',
    'Undefined column name zz in table',
  );
  await cql.answers(`SELECT * FROM ${t}`, []);
});

test('a conditional batch is applied when all of its conditions hold', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  const batch = `BEGIN BATCH INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1) IF NOT EXISTS; INSERT INTO ${t} (p, c, v) VALUES (1, 2, 2); APPLY BATCH`;
  await cql.answers(batch, [[true]]);
  await cql.answers(`SELECT c FROM ${t}`, [[1], [2]]);
  await cql.run(`DELETE FROM ${t} WHERE p = 1 AND c = 2`);
  await cql.answers(batch, [[false, 1, 1, 1]]);
  await cql.answers(`SELECT c FROM ${t}`, [[1]]);
});

test('a conditional batch stays within one partition and one table', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  const u = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.refuses(
    `BEGIN BATCH INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1) IF NOT EXISTS; INSERT INTO ${t} (p, c, v) VALUES (2, 1, 1); APPLY BATCH`,
    'invalid',
    'Batch with conditions cannot span multiple partitions',
  );
  await cql.refuses(
    `BEGIN BATCH INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1) IF NOT EXISTS; INSERT INTO ${u} (p, c, v) VALUES (1, 1, 1); APPLY BATCH`,
    'invalid',
    'Batch with conditions cannot span multiple tables',
  );
  await cql.refuses(
    `BEGIN BATCH USING TIMESTAMP 5 INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1) IF NOT EXISTS; APPLY BATCH`,
    'invalid',
    'Cannot provide custom timestamp for conditional BATCH',
  );
});

test('conditions of a batch on the same row are not of two kinds', async () => {
  const t = await cql.table('p int, c int, v int, PRIMARY KEY (p, c)');
  await cql.refuses(
    `BEGIN BATCH INSERT INTO ${t} (p, c, v) VALUES (1, 1, 1) IF NOT EXISTS; UPDATE ${t} SET v = 2 WHERE p = 1 AND c = 1 IF v = 1; APPLY BATCH`,
    'invalid',
    'Cannot mix IF conditions and IF NOT EXISTS for the same row',
  );
});

test('a batch of five hundred statements of one partition is written', async () => {
  const t = await cql.table('p int, c int, PRIMARY KEY (p, c)');
  await cql.client.batch(
    Array.from({ length: 500 }, (_, c) => ({
      query: `INSERT INTO ${t} (p, c) VALUES (?, ?)`,
      params: [1, c],
    })),
    { prepare: true, logged: false },
  );
  await cql.answers(`SELECT count(*) FROM ${t} WHERE p = 1`, [[500n]]);
});

/** How large a batch over two partitions is said to be: what the statements write, and 6,000 bytes of the other partition. */
async function sizeOf(t: string, ...statements: readonly string[]): Promise<number> {
  const padding = `INSERT INTO ${t} (p, c, a) VALUES (9, 9, 0x${'ab'.repeat(6_000)})`;
  const [warning = ''] = await cql.warnings(
    `BEGIN UNLOGGED BATCH ${[padding, ...statements].join('; ')} APPLY BATCH`,
  );
  return Number(/is of size (\d+), exceeding specified threshold of 5120/.exec(warning)?.[1]);
}

test('a batch over several partitions is as large as what it writes, and what is written twice counts once', async () => {
  const t = await cql.table(
    'p int, c int, a blob, b blob, m map<int, blob>, s blob static, PRIMARY KEY (p, c)',
  );
  const insert = `INSERT INTO ${t} (p, c, a) VALUES (1, 1, 0xab)`;
  const size = await sizeOf(t, insert);
  assert.ok(size > 6_000);
  const more = async (...statements: readonly string[]) => (await sizeOf(t, ...statements)) - size;
  assert.equal(await more(insert, insert), 0);
  assert.equal(await more(insert, `UPDATE ${t} SET a = 0xabcd WHERE p = 1 AND c = 1`), 1);
  assert.equal(await more(insert, `UPDATE ${t} SET b = 0xab WHERE p = 1 AND c = 1`), 21);
  assert.equal(await more(insert, `DELETE FROM ${t} WHERE p = 1 AND c = 1`), -21);
  const set = (key: number) => `UPDATE ${t} SET m[${key}] = 0xab WHERE p = 1 AND c = 1`;
  assert.equal(await more(insert, set(1), set(1)), 37);
  assert.equal(await more(insert, set(1), set(2)), 62);
  assert.equal(await more(insert, `UPDATE ${t} SET s = 0xab WHERE p = 1`), 21);
  assert.equal(await more(insert, `DELETE FROM ${t} WHERE p = 1 AND c > 3`), 20);
  assert.equal(await more(insert, `DELETE FROM ${t} WHERE p = 1 AND c > 3 AND c < 9`), 24);
});

test('a batch that writes 30 KB twice to one row is not too large, and one that writes them to two is', async () => {
  const t = await cql.table('p int PRIMARY KEY, a blob');
  const insert = (p: number) => `INSERT INTO ${t} (p, a) VALUES (${p}, 0x${'ab'.repeat(30_000)})`;
  const small = `INSERT INTO ${t} (p) VALUES (9)`;
  await cql.run(`BEGIN BATCH ${insert(1)}; ${insert(1)}; ${small} APPLY BATCH`);
  await cql.refuses(
    `BEGIN BATCH ${insert(1)}; ${insert(2)}; ${small} APPLY BATCH`,
    'invalid',
    'Batch too large',
  );
});

test('what a batch writes to one key of several tables is never too large, and counts as one partition', async () => {
  const tables = [await cql.table('p int PRIMARY KEY, a blob'), await cql.table('p int PRIMARY KEY, a blob')];
  const insert = (table: string, p: number, bytes: number) =>
    `INSERT INTO ${table} (p, a) VALUES (${p}, 0x${'ab'.repeat(bytes)})`;
  const [first = '', second = ''] = tables;
  const together = `BEGIN BATCH ${insert(first, 1, 40_000)}; ${insert(second, 1, 40_000)} APPLY BATCH`;
  assert.deepEqual(await cql.warnings(together), []);
  const keys = Array.from({ length: 10 }, (_, p) => p);
  const many = keys.flatMap((p) => tables.map((table) => insert(table, p, 1)));
  assert.deepEqual(await cql.warnings(`BEGIN UNLOGGED BATCH ${many.join('; ')} APPLY BATCH`), []);
  const more = [...many, insert(first, 10, 1)].join('; ');
  const [warning = ''] = await cql.warnings(`BEGIN UNLOGGED BATCH ${more} APPLY BATCH`);
  assert.match(warning, /^Unlogged batch covering 11 partitions detected against tables \[/);
});
