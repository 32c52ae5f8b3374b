// What every type does with every other: casts, arithmetic, aggregates, blobs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useCql } from './support/cql-server.ts';

const types = [
  ...['ascii', 'bigint', 'blob', 'boolean', 'date', 'decimal', 'double', 'duration', 'float', 'inet', 'int'],
  ...['smallint', 'text', 'time', 'timestamp', 'timeuuid', 'tinyint', 'uuid', 'varint'],
];
const numbers = ['tinyint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'decimal'];

let t: string;
const cql = useCql(async (cql) => {
  t = await cql.table(`p int PRIMARY KEY, ${types.map((type) => `${type}_v ${type}`).join(', ')}`);
  await cql.run(`INSERT INTO ${t} (p) VALUES (1)`);
});

/** The types of this list for which the query is answered. */
async function answeredFor(list: readonly string[], query: (type: string) => string): Promise<string[]> {
  const answered: string[] = [];
  for (const type of list) {
    const isAnswered = await cql.run(query(type)).then(
      () => true,
      () => false,
    );
    if (isAnswered) answered.push(type);
  }
  return answered;
}

const toNumbersAndText = [
  'ascii',
  'bigint',
  'decimal',
  'double',
  'float',
  'int',
  'smallint',
  'text',
  'tinyint',
  'varint',
];
const casts: Readonly<Record<string, readonly string[]>> = {
  ascii: ['ascii', 'text'],
  blob: ['blob'],
  boolean: ['ascii', 'boolean', 'text'],
  date: ['ascii', 'date', 'text', 'timestamp'],
  decimal: toNumbersAndText,
  double: toNumbersAndText,
  duration: ['duration'],
  float: toNumbersAndText,
  inet: ['ascii', 'inet', 'text'],
  smallint: toNumbersAndText,
  text: ['text'],
  time: ['ascii', 'text', 'time'],
  timeuuid: ['ascii', 'date', 'text', 'timestamp', 'timeuuid'],
  tinyint: toNumbersAndText,
  uuid: ['ascii', 'text', 'uuid'],
  varint: toNumbersAndText,
};
for (const [from, to] of Object.entries(casts)) {
  test(`CAST takes ${from} to ${to.join(', ')}, and to nothing else`, async () => {
    assert.deepEqual(await answeredFor(types, (type) => `SELECT CAST(${from}_v AS ${type}) FROM ${t}`), to);
  });
}

const sums: Readonly<Record<string, readonly string[]>> = {
  tinyint: ['tinyint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'decimal'],
  smallint: ['smallint', 'smallint', 'int', 'bigint', 'varint', 'float', 'double', 'decimal'],
  int: ['int', 'int', 'int', 'bigint', 'varint', 'float', 'double', 'decimal'],
  bigint: ['bigint', 'bigint', 'bigint', 'bigint', 'varint', 'double', 'double', 'decimal'],
  varint: ['varint', 'varint', 'varint', 'varint', 'varint', 'decimal', 'decimal', 'decimal'],
  float: ['float', 'float', 'float', 'double', 'decimal', 'float', 'double', 'decimal'],
  double: ['double', 'double', 'double', 'double', 'decimal', 'double', 'double', 'decimal'],
  decimal: ['decimal', 'decimal', 'decimal', 'decimal', 'decimal', 'decimal', 'decimal', 'decimal'],
};
for (const [left, results] of Object.entries(sums)) {
  for (const operator of ['+', '-', '*', '/', '%']) {
    test(`${left} ${operator} another number is of the wider type`, async () => {
      const selected = numbers.map((right) => `${left}_v ${operator} ${right}_v`).join(', ');
      assert.deepEqual(await cql.columnTypes(`SELECT ${selected} FROM ${t}`), results);
    });
  }
}

for (const operator of ['-', '*', '/', '%']) {
  test(`only numbers know ${operator} among themselves`, async () => {
    const answered = await answeredFor(types, (type) => `SELECT ${type}_v ${operator} ${type}_v FROM ${t}`);
    assert.deepEqual(new Set(answered), new Set(numbers));
  });
}

test('numbers and texts know + among themselves', async () => {
  const answered = await answeredFor(types, (type) => `SELECT ${type}_v + ${type}_v FROM ${t}`);
  assert.deepEqual(new Set(answered), new Set([...numbers, 'ascii', 'text']));
});

test('dates and timestamps take a duration', async () => {
  await cql.run(
    `SELECT date_v + duration_v, date_v - duration_v, timestamp_v + 1h, timestamp_v - 2d FROM ${t}`,
  );
  await cql.refuses(
    `SELECT time_v + duration_v FROM ${t}`,
    'invalid',
    "the '+' operation is not supported between time_v and duration_v",
  );
});

for (const name of ['sum', 'avg']) {
  test(`${name} is of numbers alone`, async () => {
    const answered = await answeredFor(types, (type) => `SELECT ${name}(${type}_v) FROM ${t}`);
    assert.deepEqual(new Set(answered), new Set(numbers));
  });
}

for (const name of ['min', 'max', 'count']) {
  test(`${name} is of every type`, async () => {
    assert.deepEqual(await answeredFor(types, (type) => `SELECT ${name}(${type}_v) FROM ${t}`), types);
  });
}

test('every type is turned into a blob and back', async () => {
  const others = types.filter((type) => type !== 'blob');
  assert.deepEqual(
    await answeredFor(others, (type) => `SELECT blob_as_${type}(${type}_as_blob(${type}_v)) FROM ${t}`),
    others,
  );
  assert.deepEqual(
    await answeredFor(others, (type) => `SELECT blobAs${type}(${type}AsBlob(${type}_v)) FROM ${t}`),
    others,
  );
});

const reserved = [
  ...[
    'ADD',
    'ALLOW',
    'ALTER',
    'AND',
    'APPLY',
    'ASC',
    'AUTHORIZE',
    'BATCH',
    'BEGIN',
    'BY',
    'COLUMNFAMILY',
    'CREATE',
  ],
  ...[
    'DELETE',
    'DESC',
    'DESCRIBE',
    'DROP',
    'ENTRIES',
    'EXECUTE',
    'FROM',
    'FULL',
    'GRANT',
    'IF',
    'IN',
    'INDEX',
  ],
  ...[
    'INSERT',
    'INTO',
    'IS',
    'KEYSPACE',
    'LIMIT',
    'MATERIALIZED',
    'MODIFY',
    'NORECURSIVE',
    'NOT',
    'OF',
    'ON',
    'OR',
  ],
  ...['ORDER', 'PRIMARY', 'RENAME', 'REVOKE', 'SCHEMA', 'SELECT', 'SET', 'TABLE', 'TO', 'TOKEN', 'TRUNCATE'],
  ...['UNLOGGED', 'UPDATE', 'USE', 'USING', 'VIEW', 'WHERE', 'WITH'],
];
test('reserved words are no names, unless they are quoted', async () => {
  assert.deepEqual(await answeredFor(reserved, (word) => `SELECT ${word} FROM ${t}`), []);
  for (const word of reserved) await cql.refuses(`SELECT ${word} FROM ${t}`, 'syntax', '');
  await cql.refuses(`SELECT "select" FROM ${t}`, 'invalid', 'Undefined column name "select" in table');
});

const filtered: readonly (readonly [string, string, string])[] = [
  ['ascii', "'a'", "'b'"],
  ['bigint', '1', '2'],
  ['blob', '0x01', '0x02'],
  ['boolean', 'false', 'true'],
  ['date', "'2024-01-01'", "'2024-01-02'"],
  ['decimal', '1.5', '2.5'],
  ['double', '1.5', '2.5'],
  ['float', '1.5', '2.5'],
  ['inet', "'1.1.1.1'", "'1.1.1.2'"],
  ['int', '1', '2'],
  ['smallint', '1', '2'],
  ['text', "'a'", "'b'"],
  ['time', "'01:00:00'", "'02:00:00'"],
  ['timestamp', "'2024-01-01'", "'2024-01-02'"],
  ['timeuuid', '00000000-0000-1000-8080-808080808080', '00000001-0000-1000-8080-808080808080'],
  ['tinyint', '1', '2'],
  ['uuid', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
  ['varint', '1', '2'],
];
for (const [type, low, high] of filtered) {
  test(`a ${type} is filtered by =, <, <=, >, >= and IN, and found by an index`, async () => {
    const other = await cql.table(`p int PRIMARY KEY, v ${type}`);
    await cql.run(`CREATE INDEX ON ${other} (v)`);
    await cql.runAll(
      `INSERT INTO ${other} (p, v) VALUES (1, ${low})`,
      `INSERT INTO ${other} (p, v) VALUES (2, ${high})`,
    );
    const found = async (where: string) =>
      (await cql.column(`SELECT p FROM ${other} WHERE ${where}`)).toSorted();
    assert.deepEqual(await found(`v = ${low}`), [1]);
    assert.deepEqual(await found(`v < ${high} ALLOW FILTERING`), [1]);
    assert.deepEqual(await found(`v <= ${high} ALLOW FILTERING`), [1, 2]);
    assert.deepEqual(await found(`v > ${low} ALLOW FILTERING`), [2]);
    assert.deepEqual(await found(`v >= ${low} ALLOW FILTERING`), [1, 2]);
    assert.deepEqual(await found(`v IN (${low}, ${high}) ALLOW FILTERING`), [1, 2]);
  });
}

test('a duration is filtered by = alone', async () => {
  const other = await cql.table('p int PRIMARY KEY, v duration');
  await cql.runAll(
    `INSERT INTO ${other} (p, v) VALUES (1, 1h)`,
    `INSERT INTO ${other} (p, v) VALUES (2, 60m)`,
  );
  assert.deepEqual(
    (await cql.column(`SELECT p FROM ${other} WHERE v = 1h ALLOW FILTERING`)).toSorted(),
    [1, 2],
  );
  await cql.refuses(
    `SELECT p FROM ${other} WHERE v > 1h ALLOW FILTERING`,
    'invalid',
    'Slice restrictions are not supported on duration columns',
  );
});
