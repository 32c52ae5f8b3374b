import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCollection, writeFields } from './cql-elements.ts';
import { compareCqlValues } from './cql-order.ts';
import { type CqlType, parseCqlType } from './cql-type.ts';

const hex = (text: string) => Buffer.from(text.replaceAll('-', ''), 'hex');
const utf8 = (text: string) => Buffer.from(text, 'utf8');

function assertAscending(type: CqlType, values: readonly Buffer[]): void {
  for (const [at, left] of values.entries()) {
    for (const [other, right] of values.entries()) {
      const order = Math.sign(compareCqlValues(type, left, right));
      assert.equal(
        order,
        Math.sign(at - other),
        `${type.kind} ${left.toString('hex')} ${right.toString('hex')}`,
      );
    }
  }
}

test('empty comes first in every type, and null before it', () => {
  for (const kind of ['int', 'text', 'uuid', 'decimal', 'boolean', 'timestamp'] as const) {
    const some = { int: '80000000', text: '00', uuid: '00'.repeat(16), decimal: '00000000ff', boolean: '00' };
    const value = hex(kind === 'timestamp' ? '8000000000000000' : some[kind]);
    assert.ok(compareCqlValues({ kind }, Buffer.alloc(0), value) < 0);
    assert.ok(compareCqlValues({ kind }, null, Buffer.alloc(0)) < 0);
    assert.equal(compareCqlValues({ kind }, Buffer.alloc(0), Buffer.alloc(0)), 0);
  }
});

test('text sorts by its UTF-8 bytes, not by UTF-16 units', () => {
  assertAscending({ kind: 'text' }, ['A', 'B', 'a', 'aa', 'é', '\uffff', '\u{1f600}'].map(utf8));
});

test('integers are signed, dates and times are not', () => {
  assertAscending({ kind: 'int' }, ['80000000', 'ffffffff', '00000000', '7fffffff'].map(hex));
  assertAscending({ kind: 'tinyint' }, ['80', 'ff', '00', '7f'].map(hex));
  assertAscending({ kind: 'timestamp' }, ['ffffffffffffffff', '0000000000000000'].map(hex));
  assertAscending({ kind: 'date' }, ['00000000', '7fffffff', '80000000', 'ffffffff'].map(hex));
  assertAscending({ kind: 'varint' }, ['ff00', '80', 'ff', '00', '7f', '0080', '0100'].map(hex));
});

test('durations inside other values sort by their bytes', () => {
  assertAscending(parseCqlType('frozen<tuple<duration>>'), [
    writeFields([hex('000000')]),
    writeFields([hex('020000')]),
    writeFields([hex('020406')]),
  ]);
});

test('doubles sort as Java compares them', () => {
  const double = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return bytes;
  };
  assertAscending({ kind: 'double' }, [-Infinity, -1.5, -0, 0, 5e-324, 1, Infinity, Number.NaN].map(double));
  assert.equal(compareCqlValues({ kind: 'double' }, double(Number.NaN), hex('fff8000000000001')), 0);
  assert.equal(compareCqlValues({ kind: 'float' }, hex('7fc00000'), hex('7fc00001')), 0);
});

test('uuids sort by version, then by time or bytes; the last half unsigned', () => {
  assertAscending({ kind: 'uuid' }, [
    hex('ffffffff-ffff-0fff-ffff-ffffffffffff'),
    hex('ffffffff-0000-1000-8000-000000000000'),
    hex('00000000-0001-1000-8000-000000000000'),
    hex('00000000-0000-1001-7f00-000000000000'),
    hex('00000000-0000-1001-8000-000000000000'),
    hex('00000000-0000-4000-8000-000000000000'),
    hex('00000001-0000-4000-8000-000000000000'),
  ]);
});

test('timeuuids sort by time, then by the last half as signed bytes', () => {
  assertAscending({ kind: 'timeuuid' }, [
    hex('ffffffff-0000-1000-8000-000000000000'),
    hex('00000000-0001-1000-8000-000000000000'),
    hex('00000000-0000-1001-8000-0000000000ff'),
    hex('00000000-0000-1001-8000-000000000000'),
    hex('00000000-0000-1001-7f00-000000000000'),
  ]);
});

test('frozen collections sort element by element, the shorter first', () => {
  const ints = (...values: string[]) => writeCollection(values.map(hex), 1);
  const list = parseCqlType('frozen<list<int>>');
  assertAscending(list, [
    Buffer.alloc(0),
    ints(),
    ints('ffffffff', '00000005'),
    ints('00000000'),
    ints('00000000', '80000000'),
    ints('00000001'),
  ]);
  const map = parseCqlType('frozen<map<text, int>>');
  const entries = (...parts: Buffer[]) => writeCollection(parts, 2);
  assertAscending(map, [
    entries(utf8('a'), hex('ffffffff')),
    entries(utf8('a'), hex('00000001')),
    entries(utf8('a'), hex('00000001'), utf8('b'), hex('00000001')),
    entries(utf8('b'), hex('00000000')),
  ]);
});

test('in tuples null comes before empty, and missing fields are null', () => {
  const tuple = parseCqlType('tuple<int, text>');
  assertAscending(tuple, [
    writeFields([null, utf8('z')]),
    writeFields([hex('00000001'), null]),
    writeFields([hex('00000001'), Buffer.alloc(0)]),
    writeFields([hex('00000001'), utf8('a')]),
  ]);
  assert.equal(
    compareCqlValues(tuple, writeFields([hex('00000001')]), writeFields([hex('00000001'), null])),
    0,
  );
});
