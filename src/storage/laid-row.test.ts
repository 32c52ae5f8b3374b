import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteString } from '../foundation/byte-string.ts';
import { LaidRow, valueBytesOf } from './laid-row.ts';
import { storedRowOverheadBytes, valueOfStored, valueRowOf, writeStored } from './log/stored-row.ts';

const key = 'key' as ByteString;

test('a row that lies in memory has as its value a view of what lies there, made once', () => {
  const memory = Buffer.from('before value behind');
  const row = new LaidRow(key, memory, 7, 12);
  assert.equal(row.value.toString(), 'value');
  assert.equal(row.value.buffer, memory.buffer);
  assert.equal(row.value, row.value);
  assert.equal(valueBytesOf(row), 5);
  assert.equal(valueBytesOf({ key, value: Buffer.from('four') }), 4);
});

test('of a stored row that lies in memory the value is what is stored in it', () => {
  const value = Buffer.from('some value');
  const storedBytes = value.length + storedRowOverheadBytes;
  const memory = Buffer.alloc(10 + key.length + storedBytes + 10, '.');
  memory.write(key, 10, 'latin1');
  writeStored(memory, 10, 10 + key.length, 77, value);
  const stored = new LaidRow(key, memory, 10 + key.length, 10 + key.length + storedBytes);
  const row = valueRowOf(stored);
  assert.equal(row.key, key);
  assert.deepEqual(row.value, value);
  assert.deepEqual(valueOfStored(stored.value), value);
});
