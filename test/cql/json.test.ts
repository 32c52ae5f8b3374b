// INSERT JSON, SELECT JSON, to_json and from_json.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

const written: readonly (readonly [string, string, string])[] = [
  ['ascii', "'a'", '"a"'],
  ['text', '\'say "hé"\'', '"say \\"hé\\""'],
  ['tinyint', '-1', '-1'],
  ['smallint', '5', '5'],
  ['int', '5', '5'],
  ['bigint', '9223372036854775807', '9223372036854775807'],
  ['varint', '123456789012345678901234567890', '123456789012345678901234567890'],
  ['decimal', '1.5', '1.5'],
  ['float', '1.5', '1.5'],
  ['double', '0.1', '0.1'],
  ['double', 'NaN', 'null'],
  ['boolean', 'true', 'true'],
  ['blob', '0xcafe', '"0xcafe"'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '"123e4567-e89b-12d3-a456-426614174000"'],
  ['inet', "'127.0.0.1'", '"127.0.0.1"'],
  ['inet', "'::1'", '"0:0:0:0:0:0:0:1"'],
  ['date', "'2026-11-16'", '"2026-11-16"'],
  ['time', "'08:12:54.123'", '"08:12:54.123000000"'],
  ['timestamp', "'2020-01-01 00:00:00+0000'", '"2020-01-01 00:00:00.000Z"'],
  ['duration', '1h30m', '"1h30m"'],
  ['list<int>', '[1, 2]', '[1, 2]'],
  ['set<text>', "{'b', 'a'}", '["a", "b"]'],
  ['map<text, int>', "{'a': 1}", '{"a": 1}'],
  ['map<int, text>', "{1: 'x'}", '{"1": "x"}'],
  ['frozen<list<int>>', '[]', '[]'],
  ['tuple<int, text>', "(1, 'a')", '[1, "a"]'],
  ['vector<float, 2>', '[1, 2.5]', '[1.0, 2.5]'],
];
for (const [type, literal, json] of written) {
  test(`SELECT JSON writes a ${type} ${literal} as ${json}`, async () => {
    const t = await cql.table(`p int PRIMARY KEY, v ${type}`);
    await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, ${literal})`);
    await cql.answers(`SELECT JSON p, v FROM ${t}`, [[`{"p": 1, "v": ${json}}`]]);
    await cql.answers(`SELECT to_json(v) FROM ${t}`, [[json]]);
  });
  test(`INSERT JSON reads a ${type} from ${json}`, async () => {
    const t = await cql.table(`p int PRIMARY KEY, v ${type}`);
    await cql.run(`INSERT INTO ${t} JSON '{"p": 1, "v": ${json.replaceAll("'", "''")}}'`);
    const expected = json === 'null' ? 'null' : json;
    await cql.answers(`SELECT to_json(v) FROM ${t}`, [[expected]]);
  });
}

test('SELECT JSON gives one text column', async () => {
  const t = await cql.table('p int PRIMARY KEY, v text');
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, 'a')`);
  assert.deepEqual(await cql.columnNames(`SELECT JSON * FROM ${t}`), ['[json]']);
  await cql.answers(`SELECT JSON * FROM ${t}`, [['{"p": 1, "v": "a"}']]);
  await cql.answers(`SELECT JSON v AS "Name", count(*) FROM ${t}`, [['{"\\"Name\\"": "a", "count": 1}']]);
});

test('names with upper case are quoted inside JSON', async () => {
  const t = await cql.table('p int PRIMARY KEY, "V" int');
  await cql.run(`INSERT INTO ${t} JSON '{"p": 1, "\\"V\\"": 2}'`);
  await cql.answers(`SELECT JSON * FROM ${t}`, [['{"p": 1, "\\"V\\"": 2}']]);
});

test('a column that the JSON leaves out becomes null, or stays with DEFAULT UNSET', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int, b int');
  await cql.runAll(
    `INSERT INTO ${t} (p, a, b) VALUES (1, 1, 1)`,
    `INSERT INTO ${t} (p, a, b) VALUES (2, 1, 1)`,
  );
  await cql.runAll(
    `INSERT INTO ${t} JSON '{"p": 1, "a": 5}'`,
    `INSERT INTO ${t} JSON '{"p": 2, "a": 5}' DEFAULT UNSET`,
    `INSERT INTO ${t} JSON '{"p": 3, "a": 5}' DEFAULT NULL`,
  );
  await cql.answersInAnyOrder(`SELECT p, a, b FROM ${t}`, [
    [1, 5, null],
    [2, 5, 1],
    [3, 5, null],
  ]);
});

test('JSON is bound as a text', async () => {
  const t = await cql.table('p int PRIMARY KEY, a text');
  await cql.run(`INSERT INTO ${t} JSON ?`, [JSON.stringify({ p: 1, a: 'x' })]);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 'x']]);
});

test('from_json reads one value', async () => {
  const t = await cql.table('p int PRIMARY KEY, l list<int>, a int');
  await cql.run(`INSERT INTO ${t} (p, l, a) VALUES (1, from_json('[1, 2]'), fromJson('7'))`);
  await cql.answers(`SELECT l, a FROM ${t}`, [[[1, 2], 7]]);
  await cql.run(`UPDATE ${t} SET a = from_json('null') WHERE p = 1`);
  await cql.answers(`SELECT a FROM ${t}`, [[null]]);
});

test('INSERT JSON takes TTL, TIMESTAMP and IF NOT EXISTS', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.answers(`INSERT INTO ${t} JSON '{"p": 1, "a": 1}' IF NOT EXISTS`, [[true]]);
  await cql.answers(`INSERT INTO ${t} JSON '{"p": 1, "a": 2}' IF NOT EXISTS`, [[false, 1, 1]]);
  await cql.run(`INSERT INTO ${t} JSON '{"p": 2, "a": 1}' USING TIMESTAMP 33`);
  await cql.answers(`SELECT writetime(a) FROM ${t} WHERE p = 2`, [[33n]]);
});

test('numbers may be given as texts', async () => {
  const t = await cql.table('p int PRIMARY KEY, a bigint, b double, c boolean');
  await cql.run(`INSERT INTO ${t} JSON '{"p": "1", "a": "12", "b": "1.5", "c": "true"}'`);
  await cql.answers(`SELECT * FROM ${t}`, [[1, 12n, 1.5, true]]);
});

test('a user type is an object', async () => {
  const u = await cql.type('a int, b text');
  const t = await cql.table(`p int PRIMARY KEY, f frozen<${u}>`);
  await cql.run(`INSERT INTO ${t} JSON '{"p": 1, "f": {"a": 1, "b": "x"}}'`);
  await cql.answers(`SELECT JSON f FROM ${t}`, [['{"f": {"a": 1, "b": "x"}}']]);
  await cql.refuses(
    `INSERT INTO ${t} JSON '{"p": 1, "f": {"zz": 1}}'`,
    'invalid',
    `Unknown field 'zz' in value of user defined type ${u}`,
  );
});

const refused: readonly (readonly [string, string, string])[] = [
  ['an unknown column', '{"p": 1, "zzz": 1}', 'JSON values map contains unrecognized column: zzz'],
  ['what is no object', '[1]', 'Could not decode JSON string as a map'],
  ['what is no JSON', '{p: 1', 'Could not decode JSON string as a map'],
  ['null', 'null', 'Got null for INSERT JSON values'],
  ['a missing key', '{"v": 1}', 'Invalid null value in condition for column p'],
  [
    'a text for an int',
    '{"p": 1, "v": "abc"}',
    "Error decoding JSON value for v: Unable to make int from 'abc'",
  ],
  [
    'a list for an int',
    '{"p": 1, "v": [1]}',
    'Error decoding JSON value for v: Expected an int value, but got a ArrayList: [1]',
  ],
  [
    'a number for a text',
    '{"p": 1, "s": 1}',
    'Error decoding JSON value for s: Expected a UTF-8 string, but got a Integer: 1',
  ],
  [
    'a number for a list',
    '{"p": 1, "l": 1}',
    'Error decoding JSON value for l: Expected a list, but got a Integer: 1',
  ],
  [
    'null in a list',
    '{"p": 1, "l": [null]}',
    'Error decoding JSON value for l: Invalid null element in list',
  ],
  [
    'a fraction for an int',
    '{"p": 1, "v": 1.5}',
    'Error decoding JSON value for v: Expected an int value, but got a Double: 1.5',
  ],
];
for (const [what, json, text] of refused) {
  test(`INSERT JSON refuses ${what}`, async () => {
    const t = await cql.table('p int PRIMARY KEY, v int, s text, l list<int>');
    await cql.refuses(`INSERT INTO ${t} JSON '${json}'`, 'invalid', text);
  });
}

test('from_json of a wrong type is a failed function', async () => {
  const t = await cql.table('p int PRIMARY KEY, a int');
  await cql.refuses(
    `INSERT INTO ${t} (p, a) VALUES (1, from_json('"abc"'))`,
    'function',
    "Unable to make int from 'abc'",
  );
});

test('SELECT JSON of nulls, of a missing collection and of statics', async () => {
  const t = await cql.table(
    'p int, c int, s int static, l list<int>, f frozen<list<int>>, PRIMARY KEY (p, c)',
  );
  await cql.run(`INSERT INTO ${t} (p, s) VALUES (1, 2)`);
  await cql.answers(`SELECT JSON * FROM ${t}`, [['{"p": 1, "c": null, "s": 2, "f": null, "l": null}']]);
});

test('of all types a duration that is none is an invalid request, also in fromJson', async () => {
  const t = await cql.table('p int PRIMARY KEY, v duration, w date');
  await cql.refuses(
    `INSERT INTO ${t} (p, v) VALUES (1, fromJson('"x"'))`,
    'invalid',
    "Unable to convert 'x' to a duration",
  );
  await cql.refuses(`INSERT INTO ${t} (p, w) VALUES (1, fromJson('"x"'))`, 'function', 'MarshalException');
});
