// Every simple type: literals, bound values, what comes back, and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'cassandra-driver';
import { useCql } from './support/cql-server.ts';

const cql = useCql();

const readBack: readonly (readonly [string, string, unknown])[] = [
  ['ascii', "'plain'", 'plain'],
  ['text', "'it''s é'", "it's é"],
  ['text', '$$it\'s "raw"$$', 'it\'s "raw"'],
  ['varchar', "''", ''],
  ['tinyint', '-128', -128],
  ['smallint', '32767', 32767],
  ['int', '-2147483648', -2147483648],
  ['int', '2147483647', 2147483647],
  ['bigint', '9223372036854775807', 9223372036854775807n],
  ['bigint', '-9223372036854775808', -9223372036854775808n],
  ['varint', '123456789012345678901234567890', 123456789012345678901234567890n],
  ['varint', '-1', -1n],
  ['decimal', '1.50', '1.50'],
  ['decimal', '-12345678901234567890.123', '-12345678901234567890.123'],
  ['decimal', '3', '3'],
  ['float', '1.5', 1.5],
  ['float', 'NaN', Number.NaN],
  ['double', '0.1', 0.1],
  ['double', '1e300', 1e300],
  ['double', '-Infinity', Number.NEGATIVE_INFINITY],
  ['double', '3', 3],
  ['boolean', 'true', true],
  ['boolean', 'FALSE', false],
  ['blob', '0xCAFE', '0xcafe'],
  ['blob', '0x', '0x'],
  ['uuid', '123E4567-E89B-12D3-A456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  ['timeuuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  ['inet', "'127.0.0.1'", '127.0.0.1'],
  ['inet', "'2001:db8::1'", '2001:db8::1'],
  ['date', "'2026-11-16'", '2026-11-16'],
  ['date', '2147483648', '1970-01-01'],
  ['date', "'1500-01-01'", '1500-01-01'],
  ['time', "'08:12:54.123456789'", '08:12:54.123456789'],
  ['time', "'08:12:54'", '08:12:54'],
  ['time', '1000000000', '00:00:01'],
  ['timestamp', "'2011-02-03 04:05:06.789+0000'", '2011-02-03T04:05:06.789Z'],
  ['timestamp', "'2011-02-03T04:05:06+0130'", '2011-02-03T02:35:06.000Z'],
  ['timestamp', "'2011-02-03 04:05Z'", '2011-02-03T04:05:00.000Z'],
  ['timestamp', "'2011-02-03T04:05:06+01:30'", '2011-02-03T02:35:06.000Z'],
  ['timestamp', "'2011-02-03+0000'", '2011-02-03T00:00:00.000Z'],
  ['timestamp', '1299038700000', '2011-03-02T04:05:00.000Z'],
  ['timestamp', '-1', '1969-12-31T23:59:59.999Z'],
  ['duration', '1y2mo3d4h5m6s7ms8us9ns', '1y2mo3d4h5m6s7ms8us9ns'],
  ['duration', '-1h', '-1h'],
  ['duration', 'P1Y2M3DT4H5M6S', '1y2mo3d4h5m6s'],
  ['duration', 'P2W', '14d'],
  ['duration', '89h4m48s', '89h4m48s'],
];
for (const [type, literal, value] of readBack) {
  test(`a ${type} written as ${literal} is read back`, async () => {
    const t = await cql.table(`p int PRIMARY KEY, v ${type}`);
    await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, ${literal})`);
    await cql.answers(`SELECT v FROM ${t}`, [[value]]);
  });
}

const bound: readonly (readonly [string, unknown, unknown])[] = [
  ['ascii', 'abc', 'abc'],
  ['text', 'žluťoučký \u{1F40E}', 'žluťoučký \u{1F40E}'],
  ['tinyint', -5, -5],
  ['smallint', 300, 300],
  ['int', 1, 1],
  ['bigint', 2n ** 60n, 2n ** 60n],
  ['varint', -(2n ** 100n), -(2n ** 100n)],
  ['decimal', types.BigDecimal.fromString('-0.000001'), '-0.000001'],
  ['float', 0.25, 0.25],
  ['double', -0.1, -0.1],
  ['boolean', true, true],
  ['blob', Buffer.from([0, 255]), '0x00ff'],
  [
    'uuid',
    types.Uuid.fromString('7db1a490-5878-4562-9a54-b79c7e7bf6bc'),
    '7db1a490-5878-4562-9a54-b79c7e7bf6bc',
  ],
  [
    'timeuuid',
    types.TimeUuid.fromString('b7b8b4c0-c1a5-11ee-8c90-0242ac120002'),
    'b7b8b4c0-c1a5-11ee-8c90-0242ac120002',
  ],
  ['inet', types.InetAddress.fromString('10.1.2.3'), '10.1.2.3'],
  ['date', types.LocalDate.fromString('2000-02-29'), '2000-02-29'],
  ['time', types.LocalTime.fromString('23:59:59.999999999'), '23:59:59.999999999'],
  ['timestamp', new Date('2026-11-16T03:00:00.123Z'), '2026-11-16T03:00:00.123Z'],
  ['duration', types.Duration.fromString('1mo2d3h'), '1mo2d3h'],
];
for (const [type, value, plain] of bound) {
  test(`a bound ${type} is read back`, async () => {
    const t = await cql.table(`p int PRIMARY KEY, v ${type}`);
    await cql.run(`INSERT INTO ${t} (p, v) VALUES (?, ?)`, [1, value]);
    await cql.answers(`SELECT v FROM ${t} WHERE p = ?`, [[plain]], [1]);
  });
}

test('every simple type is named to the client as it was declared', async () => {
  const names = [
    ...[
      'ascii',
      'bigint',
      'blob',
      'boolean',
      'date',
      'decimal',
      'double',
      'float',
      'inet',
      'int',
      'smallint',
    ],
    ...['text', 'time', 'timestamp', 'timeuuid', 'tinyint', 'uuid', 'varint'],
  ];
  const t = await cql.table(`p int PRIMARY KEY, ${names.map((name) => `${name}_v ${name}`).join(', ')}`);
  const selected = names.map((name) => `${name}_v`).join(', ');
  assert.deepEqual(
    await cql.columnTypes(`SELECT ${selected} FROM ${t}`),
    names.map((name) => (name === 'text' ? 'varchar' : name)),
  );
});

test('a null of every type is read back as null', async () => {
  const t = await cql.table(
    'p int PRIMARY KEY, a int, b text, c blob, d list<int>, e frozen<set<int>>, f timestamp, g inet',
  );
  await cql.run(
    `INSERT INTO ${t} (p, a, b, c, d, e, f, g) VALUES (1, null, null, null, null, null, null, null)`,
  );
  await cql.answers(`SELECT a, b, c, d, e, f, g FROM ${t}`, [[null, null, null, null, null, null, null]]);
});

const refused: readonly (readonly [string, string, string, string])[] = [
  ['a text for an int', 'int', "'a'", 'Invalid STRING constant (a) for "v" of type int'],
  ['a boolean for an int', 'int', 'true', 'Invalid BOOLEAN constant (true) for "v" of type int'],
  ['a float for an int', 'int', '1.5', 'Invalid FLOAT constant (1.5) for "v" of type int'],
  ['an integer for a text', 'text', '1', 'Invalid INTEGER constant (1) for "v" of type text'],
  ['an integer for a boolean', 'boolean', '1', 'Invalid INTEGER constant (1) for "v" of type boolean'],
  ['a text for a boolean', 'boolean', "'true'", 'Invalid STRING constant (true) for "v" of type boolean'],
  ['a text for a blob', 'blob', "'ab'", 'Invalid STRING constant (ab) for "v" of type blob'],
  ['a text for a uuid', 'uuid', "'123e4567-e89b-12d3-a456-426614174000'", 'Invalid STRING constant'],
  ['a text for a bigint', 'bigint', "'1'", 'Invalid STRING constant (1) for "v" of type bigint'],
  ['a uuid for an int', 'int', '123e4567-e89b-12d3-a456-426614174000', 'Invalid UUID constant'],
  ['an int that is too large', 'int', '2147483648', "Unable to make int from '2147483648'"],
  [
    'a bigint that is too large',
    'bigint',
    '9223372036854775808',
    "Unable to make long from '9223372036854775808'",
  ],
  ['a tinyint that is too large', 'tinyint', '128', "Unable to make byte from '128'"],
  ['a smallint that is too large', 'smallint', '32768', "Unable to make short from '32768'"],
  ['a timestamp that is none', 'timestamp', "'nope'", "Unable to parse a date/time from 'nope'"],
  ['a date that is none', 'date', "'nope'", "Unable to coerce 'nope' to a formatted date (long)"],
  ['a time that is none', 'time', "'nope'", "Unable to coerce 'nope' to a formatted time (long)"],
  ['a time past midnight', 'time', "'25:00:00'", "Unable to coerce '25:00:00' to a formatted time (long)"],
  ['an inet that is none', 'inet', "'nope'", "Unable to make inet address from 'nope'"],
  [
    'a timeuuid of another version',
    'timeuuid',
    '7db1a490-5878-4562-9a54-b79c7e7bf6bc',
    'TimeUUID supports only version 1 UUIDs',
  ],
  ['an ascii text with other letters', 'ascii', "'é'", 'Invalid ASCII character in string literal'],
  ['a duration for an int', 'int', '1h', 'Invalid DURATION constant (1h) for "v" of type int'],
  ['a list for an int', 'int', '[1]', "Unexpected receiver type 'int'; only list and vector are expected"],
  ['a set for an int', 'int', '{1}', 'Invalid set literal for v of type int'],
  ['a map for an int', 'int', '{1: 1}', 'Invalid map literal for v of type int'],
  ['a tuple for an int', 'int', '(1, 2)', 'Invalid tuple type literal for v of type int'],
];
for (const [what, type, literal, text] of refused) {
  test(`${what} is refused`, async () => {
    const t = await cql.table(`p int PRIMARY KEY, v ${type}`);
    await cql.refuses(`INSERT INTO ${t} (p, v) VALUES (1, ${literal})`, 'invalid', text);
  });
}

test('a bound value of the wrong length is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, b bigint, u uuid, d date');
  const bytes = Buffer.from([1, 2, 3]);
  const bind = (column: string) =>
    cql.client.execute(`INSERT INTO ${t} (p, ${column}) VALUES (1, ?)`, [bytes], { hints: ['blob'] });
  await assert.rejects(bind('b'), /Expected 8 or 0 byte long \(3\)/);
  await assert.rejects(bind('u'), /UUID should be 16 or 0 bytes \(3\)/);
  await assert.rejects(bind('d'), /Expected 4 byte long for date \(3\)/);
});

test('a bound text that is not UTF-8 is refused', async () => {
  const t = await cql.table('p int PRIMARY KEY, v text, a ascii');
  const bytes = Buffer.from([0xff, 0xfe]);
  await assert.rejects(
    cql.client.execute(`INSERT INTO ${t} (p, v) VALUES (1, ?)`, [bytes], { hints: ['blob'] }),
    /String didn't validate\./,
  );
  await assert.rejects(
    cql.client.execute(`INSERT INTO ${t} (p, a) VALUES (1, ?)`, [bytes], { hints: ['blob'] }),
    /Invalid byte for ascii: -1/,
  );
});

test('an empty value is not null: most types take zero bytes', async () => {
  const t = await cql.table('p int PRIMARY KEY, v int, u uuid');
  await cql.client.execute(
    `INSERT INTO ${t} (p, v, u) VALUES (1, ?, ?)`,
    [Buffer.alloc(0), Buffer.alloc(0)],
    {
      hints: ['blob', 'blob'],
    },
  );
  await cql.answers(`SELECT int_as_blob(v), uuid_as_blob(u) FROM ${t}`, [['0x', '0x']]);
});

test('decimals keep their scale, and compare by value', async () => {
  const t = await cql.table('p int, c decimal, v int, PRIMARY KEY (p, c)');
  await cql.runAll(
    `INSERT INTO ${t} (p, c, v) VALUES (1, 1.0, 1)`,
    `INSERT INTO ${t} (p, c, v) VALUES (1, 1.00, 2)`,
  );
  assert.deepEqual(await cql.column(`SELECT v FROM ${t} WHERE p = 1 AND c = 1`), [2]);
});

test('a blob of a megabyte is read back', async () => {
  const t = await cql.table('p int PRIMARY KEY, v blob');
  const blob = Buffer.alloc(1_000_000, 7);
  await cql.run(`INSERT INTO ${t} (p, v) VALUES (1, ?)`, [blob]);
  const { rows } = await cql.run(`SELECT v FROM ${t} WHERE p = 1`);
  assert.ok(blob.equals(rows[0]?.get('v')));
});

const zonedTimes: readonly (readonly [string, string | undefined])[] = [
  ['2020-01-01 10:00:00 CET', '2020-01-01T09:00:00.000Z'],
  ['2020-07-01 10:00 CEST', '2020-07-01T08:00:00.000Z'],
  ['2020-07-01T10:00:00.123 Europe/Berlin', '2020-07-01T08:00:00.123Z'],
  ['2020-01-01 America/Los_Angeles', '2020-01-01T08:00:00.000Z'],
  ['2020-07-01 10:00:00 PST', '2020-07-01T17:00:00.000Z'],
  ['2021-10-31 02:30:00 Europe/Berlin', '2021-10-31T00:30:00.000Z'],
  ['2021-03-28 02:30:00 Europe/Berlin', '2021-03-28T01:30:00.000Z'],
  ['1850-01-01 00:00 Asia/Tokyo', '1849-12-31T14:41:01.000Z'],
  ['2020-01-01 10:00:00 EST5EDT', '2020-01-01T15:00:00.000Z'],
  ['2020-01-01 10:00:00CET', undefined],
  ['2020-01-01 10:00:00 cet', undefined],
  ['2020-01-01 10:00:00 europe/berlin', undefined],
  ['2020-01-01 10:00:00 Etc/GMT+5', undefined],
  ['2020-01-01 10:00:00 Nowhere/Else', undefined],
];
test('a timestamp may name its zone, by a region or by an abbreviation', async () => {
  for (const [text, expected] of zonedTimes) {
    const query = `SELECT (timestamp)'${text}' FROM system.local`;
    if (expected === undefined) await cql.refuses(query, 'invalid', 'Unable to parse a date/time from');
    else await cql.answers(query, [[expected]]);
  }
});

test('the number of a zone is no part of an address', async () => {
  for (const text of ['fe80::1%2', '[fe80::1%2]', 'fe80::1%007'])
    await cql.answers(`SELECT (inet)'${text}' FROM system.local`, [['fe80::1']]);
  for (const text of ['fe80::1%', 'fe80::1%2147483648', '::ffff:1.2.3.4%1', '1.2.3.4%1', '[fe80::1]%1'])
    await cql.refuses(
      `SELECT (inet)'${text}' FROM system.local`,
      'invalid',
      `Unable to make inet address from '${text}'`,
    );
});
