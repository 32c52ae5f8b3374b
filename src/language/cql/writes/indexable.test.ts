import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTable } from '../../../catalog/cql/build-table.ts';
import type { IndexSchema } from '../../../catalog/cql/table-schema.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { writeCollection } from '../../../values/cql-elements.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { indexable } from './indexable.ts';

const text: CqlType = { kind: 'text' };
const map: CqlType = { kind: 'map', key: text, value: text, frozen: false };
const short = Buffer.alloc(10);
const long = Buffer.alloc(65_535);

/** Whether a value for the column, or for a part of it, is refused. */
function isRefused(
  type: CqlType,
  target: IndexSchema['target'],
  value: Buffer | null,
  part?: 'key' | 'value',
  className?: string,
): boolean {
  const options = new Map(className === undefined ? [] : [['class_name', className]]);
  const index: IndexSchema = { name: 'i', kind: 'COMPOSITES', options, column: 'v', target };
  const table = buildTable({
    keyspace: 'ks',
    name: 't',
    partitionKey: [['p', text]],
    regulars: [['v', type]],
    indexes: [index],
  });
  const [column] = table.regulars;
  assert.ok(column !== undefined);
  const term = indexable(table, column, { type, isConstant: true, evaluate: () => value }, part);
  try {
    assert.equal(term.evaluate({ values: [], nowMicros: 0n }), value);
    return false;
  } catch (error) {
    assert.ok(error instanceof RingfoldError);
    assert.match(`${error.details['reason']}`, /^Cannot index value of size \d+ for index i on ks\.t\(v\)/);
    return true;
  }
}

test('a value is refused from 65535 bytes on', () => {
  assert.equal(isRefused(text, 'simple', long), true);
  assert.equal(isRefused(text, 'simple', long.subarray(1)), false);
  assert.equal(isRefused(text, 'simple', null), false);
});

test('of a collection the parts that are indexed are looked at', () => {
  const longKey = writeCollection([long, short], 2);
  const longValue = writeCollection([short, long], 2);
  assert.equal(isRefused(map, 'keys', longKey), true);
  assert.equal(isRefused(map, 'keys', longValue), false);
  assert.equal(isRefused(map, 'values', longKey), false);
  assert.equal(isRefused(map, 'values', longValue), true);
  assert.equal(isRefused(map, 'entries', longValue), true);
  const list: CqlType = { kind: 'list', element: text, frozen: false };
  const half = long.subarray(30_000);
  assert.equal(isRefused(list, 'values', writeCollection([half, half], 1)), false);
  assert.equal(isRefused({ ...list, frozen: true }, 'full', writeCollection([half, half], 1)), true);
});

test('one key or value by itself is looked at if it is indexed', () => {
  assert.equal(isRefused(map, 'keys', long, 'key'), true);
  assert.equal(isRefused(map, 'keys', long, 'value'), false);
  assert.equal(isRefused(map, 'values', long, 'value'), true);
});

test('a storage-attached index takes any length', () => {
  assert.equal(isRefused(text, 'simple', long, undefined, 'sai'), false);
});
