// The functions of the language, selected and in values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

let t: string;
const cql = useCql(async (cql) => {
  t = await cql.table(
    'p int PRIMARY KEY, i int, b bigint, d double, f float, dec decimal, v varint, t text, u uuid, tu timeuuid, ts timestamp, dt date, bl blob, l list<int>, s set<int>, m map<text, int>, ti tinyint, si smallint, bo boolean',
  );
  await cql.run(
    `INSERT INTO ${t} (p, i, b, d, f, dec, v, t, u, tu, ts, dt, bl, l, s, m, ti, si, bo) VALUES (1, -7, 12, 2.5, 1.5, 3.25, 100, 'text', 123e4567-e89b-42d3-a456-426614174000, b7b8b4c0-c1a5-11ee-8c90-0242ac120002, '2024-02-03 04:05:06.789Z', '2024-02-03', 0x00000005, [3, 1, 2], {5, 4}, {'a': 1, 'b': 2}, 1, 2, true)`,
  );
});

const results: readonly (readonly [string, unknown])[] = [
  ['abs(i)', 7],
  ['round(d)', 3],
  ['exp((double) 0)', 1],
  ['log((double) 1)', 0],
  ['log10((double) 100)', 2],
  ['int_as_blob(i)', '0xfffffff9'],
  ['intAsBlob(i)', '0xfffffff9'],
  ['text_as_blob(t)', '0x74657874'],
  ['bigint_as_blob(b)', '0x000000000000000c'],
  ['blob_as_int(bl)', 5],
  ['blobAsInt(bl)', 5],
  ['blob_as_text(text_as_blob(t))', 'text'],
  ['to_date(ts)', '2024-02-03'],
  ['toDate(tu)', '2024-02-02'],
  ['to_timestamp(dt)', '2024-02-03T00:00:00.000Z'],
  ['to_unix_timestamp(ts)', 1706933106789n],
  ['toUnixTimestamp(dt)', 1706918400000n],
  ['to_timestamp(tu)', '2024-02-02T08:33:19.116Z'],
  ['cast(i as text)', '-7'],
  ['cast(i as bigint)', -7n],
  ['cast(d as int)', 2],
  ['cast(b as double)', 12],
  ['cast(dec as text)', '3.25'],
  ['cast(ts as date)', '2024-02-03'],
  ['cast(ts as text)', '2024-02-03T04:05:06.789Z'],
  ['cast(dt as timestamp)', '2024-02-03T00:00:00.000Z'],
  ['cast(bo as text)', 'true'],
  ['cast(u as text)', '123e4567-e89b-42d3-a456-426614174000'],
  ['cast(i as varint)', -7n],
  ['map_keys(m)', new Set(['a', 'b'])],
  ['map_values(m)', [1, 2]],
  ['collection_count(l)', 3],
  ['collection_min(l)', 1],
  ['collection_max(s)', 5],
  ['collection_sum(l)', 6],
  ['collection_avg(l)', 2],
  ['mask_null(i)', null],
  ['mask_default(t)', '****'],
  ['mask_default(i)', 0],
  ["mask_replace(t, 'x')", 'x'],
  ['mask_inner(t, 1, 1)', 't**t'],
  ['mask_outer(t, 1, 1)', '*ex*'],
  ["mask_inner(t, 1, null, '#')", 't###'],
  ['min_timeuuid(ts) = null', undefined],
  ['token(p)', -4069959284402364209n],
  ['i + 1', -6],
  ['i * 2 - 1', -15],
  ['- i', 7],
  ['i / 2', -3],
  ['i % 4', -3],
  ['d / 2', 1.25],
  ['b + i', 5n],
  ['i + d', -4.5],
  ['dec * 2', '6.500'],
  ['(i + 1) * 2', -12],
  ['ti + si', 3],
  ['ti + i', -6],
  ['f + d', 4],
  ['v + 1', 101n],
  ['ts + 1d', '2024-02-04T04:05:06.789Z'],
  ['dt - 1mo', '2024-01-03'],
  ['(int) 5', 5],
  ["(text) 'a'", 'a'],
  ['floor(ts, 1h)', '2024-02-03T04:00:00.000Z'],
  ['floor(dt, 1mo)', '2024-02-01'],
  ["t + 'y'", 'texty'],
];
for (const [expression, expected] of results.filter(([, value]) => value !== undefined)) {
  test(`SELECT ${expression}`, async () => {
    await cql.answers(`SELECT ${expression} FROM ${t}`, [[expected]]);
  });
}

const names: readonly (readonly [string, string])[] = [
  ['count(*)', 'count'],
  ['count(1)', 'count'],
  ['count(i)', 'system.count(i)'],
  ['sum(i)', 'system.sum(i)'],
  ['token(p)', 'system.token(p)'],
  ['ttl(i)', 'ttl(i)'],
  ['writetime(i)', 'writetime(i)'],
  ['cast(i as text)', 'cast(i as text)'],
  ['i / 2', 'i / 2'],
  ['(int) 5', '(int)5'],
  ['toDate(ts)', 'system.todate(ts)'],
  ['to_date(ts)', 'system.to_date(ts)'],
  ['i AS other', 'other'],
  ["m['a']", "m['a']"],
  ['- i', '-i'],
  ['abs(i)', 'system.abs(i)'],
  ['blobAsInt(bl)', 'system.blobasint(bl)'],
];
for (const [expression, name] of names) {
  test(`the column of SELECT ${expression} is named ${name}`, async () => {
    assert.deepEqual(await cql.columnNames(`SELECT ${expression} FROM ${t}`), [name]);
  });
}

const refused: readonly (readonly [string, 'invalid' | 'function' | 'syntax', string])[] = [
  ['nosuch(i)', 'invalid', "Unknown function 'nosuch'"],
  ['dateOf(tu)', 'invalid', "Unknown function 'dateof'"],
  ['sum(t)', 'invalid', 'Invalid call to function sum, none of its type signatures match'],
  ['abs(t)', 'invalid', ''],
  ['i / 0', 'function', "the operation 'int / int' failed: / by zero"],
  ['cast(i as uuid)', 'invalid', 'i cannot be cast to uuid'],
  ['i + u', 'invalid', "the '+' operation is not supported between i and u"],
  ['1', 'invalid', 'Cannot infer type for term 1 in selection clause (try using a cast to force a type)'],
  ["'a'", 'invalid', "Cannot infer type for term 'a' in selection clause (try using a cast to force a type)"],
  ['zz', 'invalid', 'Undefined column name zz in table'],
  ['to_date(i)', 'invalid', 'Invalid call to function'],
  ['i.x', 'invalid', ''],
  ['collection_sum(m)', 'invalid', ''],
];
for (const [expression, error, text] of refused) {
  test(`SELECT ${expression} is refused`, async () => {
    await cql.refuses(`SELECT ${expression} FROM ${t}`, error, text);
  });
}

test('functions of null are null', async () => {
  const other = await cql.table('p int PRIMARY KEY, i int, t text, ts timestamp');
  await cql.run(`INSERT INTO ${other} (p) VALUES (1)`);
  await cql.answers(`SELECT abs(i), i + 1, cast(i as text), to_date(ts), int_as_blob(i) FROM ${other}`, [
    [null, null, null, null, null],
  ]);
});

test('now() is a new time-based uuid each time, and uuid() a random one', async () => {
  const other = await cql.table('p timeuuid PRIMARY KEY, u uuid');
  await cql.runAll(
    `INSERT INTO ${other} (p, u) VALUES (now(), uuid())`,
    `INSERT INTO ${other} (p, u) VALUES (now(), uuid())`,
  );
  const rows = await cql.rows(`SELECT p, u, to_unix_timestamp(p) FROM ${other}`);
  assert.equal(rows.length, 2);
  for (const [p, u, ms] of rows) {
    assert.equal(String(p)[14], '1');
    assert.equal(String(u)[14], '4');
    assert.ok(Math.abs(Number(ms) - Date.now()) < 60_000);
  }
});

test('the present is a timestamp, a date and a time', async () => {
  const [row] = await cql.rows(
    `SELECT current_timestamp(), current_date(), current_time(), current_timeuuid() FROM ${t}`,
  );
  assert.ok(Math.abs(Date.parse(String(row?.[0])) - Date.now()) < 60_000);
  assert.match(String(row?.[1]), /^\d{4}-\d\d-\d\d$/);
  assert.match(String(row?.[2]), /^\d\d:\d\d:\d\d/);
  assert.equal(String(row?.[3])[14], '1');
});

test('min_timeuuid and max_timeuuid bound the time-based uuids of a moment', async () => {
  const other = await cql.table('p int, c timeuuid, PRIMARY KEY (p, c)');
  await cql.run(`INSERT INTO ${other} (p, c) VALUES (1, b7b8b4c0-c1a5-11ee-8c90-0242ac120002)`);
  const at = "'2024-02-02 08:33:19.116Z'";
  assert.equal(
    (
      await cql.rows(
        `SELECT c FROM ${other} WHERE p = 1 AND c >= min_timeuuid(${at}) AND c <= maxTimeuuid(${at})`,
      )
    ).length,
    1,
  );
  assert.equal((await cql.rows(`SELECT c FROM ${other} WHERE p = 1 AND c > max_timeuuid(${at})`)).length, 0);
});

test('functions and arithmetic make values that are written', async () => {
  const other = await cql.table('p int PRIMARY KEY, b blob, d date, i int, ts timestamp');
  await cql.run(
    `INSERT INTO ${other} (p, b, d, i, ts) VALUES (1, text_as_blob('a'), to_date(b7b8b4c0-c1a5-11ee-8c90-0242ac120002), 2 * 3 + 1, '2024-01-01Z')`,
  );
  await cql.answers(`SELECT b, d, i FROM ${other}`, [['0x61', '2024-02-02', 7]]);
  await cql.run(`UPDATE ${other} SET i = (int) ? * 2 WHERE p = 1`, [21]);
  await cql.answers(`SELECT i FROM ${other} WHERE p = 3 - 2`, [[42]]);
});

test('a marker in the selection needs a type', async () => {
  await cql.answers(`SELECT (int) ? FROM ${t}`, [[5]], [5]);
  await cql.answers(`SELECT i + (int) ? FROM ${t}`, [[-2]], [5]);
  await cql.refuses(
    `SELECT ? FROM ${t}`,
    'invalid',
    'Cannot infer type for term ? in selection clause (try using a cast to force a type)',
    [1],
  );
});

test('the time of a selected min_timeuuid may be out of range, and then runs over into its version', async () => {
  const other = await cql.table('p int PRIMARY KEY');
  await cql.run(`INSERT INTO ${other} (p) VALUES (1)`);
  const shown = async (text: string) => String(await cql.value(`SELECT ${text} FROM ${other}`));
  assert.equal(await shown("min_timeuuid('9999-12-31')"), 'e5994000-c588-34dc-8080-808080808080');
  assert.equal(await shown('max_timeuuid(-12219292800001)'), 'ffffffff-ffff-ffff-7f7f-7f7f7f7f7f7f');
});

const hashAlgorithms: readonly string[] = [
  'MD5',
  'SHA',
  'SHA1',
  'sha-256',
  'SHA-512/256',
  'sha512/224',
  'SHA3-256',
];
test('mask_hash has the algorithms of Java, and refuses others though there be no row', async () => {
  const t = await cql.table('p int PRIMARY KEY, v text');
  for (const name of ['nope', '', 'RIPEMD160', 'sha512256']) {
    await cql.refuses(
      `SELECT mask_hash(v, '${name}') FROM ${t}`,
      'invalid',
      `Hash algorithm not found: ${name}`,
    );
    await cql.refuses(`SELECT mask_hash(v, ?) FROM ${t}`, 'invalid', `Hash algorithm not found: ${name}`, [
      name,
    ]);
  }
  await cql.refuses(
    `SELECT mask_inner(v, 1, 1, 'ab') FROM ${t}`,
    'invalid',
    "The padding argument for function system.mask_inner should be single-character, but 'ab' has 2 characters.",
  );
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, 'x')`);
  const hashes = await Promise.all(
    hashAlgorithms.map((name) => cql.value(`SELECT mask_hash(v, '${name}') FROM ${t}`)),
  );
  assert.deepEqual(
    hashes.map((hash) => String(hash).slice(2, 10)),
    ['9dd4e461', '11f6ad8e', '11f6ad8e', '2d711642', '6a1db6c1', 'a0fe24b4', '741efa31'],
  );
});
