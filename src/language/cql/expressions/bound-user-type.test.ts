import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CqlType } from '../../../values/cql-type.ts';
import { withNullFields } from './bound-user-type.ts';

const type: Extract<CqlType, { kind: 'udt' }> = {
  kind: 'udt',
  keyspace: 'ks',
  name: 'u',
  frozen: true,
  fields: [
    { name: 'a', type: { kind: 'tinyint' } },
    { name: 'b', type: { kind: 'int' } },
  ],
};
const hex = (text: string) => Buffer.from(text, 'hex');

test('fields that are not set become nulls', () => {
  assert.deepEqual(withNullFields(type, hex('0000000107fffffffe')), hex('0000000107ffffffff'));
  assert.deepEqual(withNullFields(type, hex('fffffffefffffffe')), hex('ffffffffffffffff'));
  assert.deepEqual(withNullFields(type, hex('fffffffe')), hex('ffffffff'));
});

test('other values are the very bytes that came', () => {
  for (const text of ['ffffffff0000000400000001', '0000000107', '']) {
    const bytes = hex(text);
    assert.equal(withNullFields(type, bytes), bytes);
  }
});
