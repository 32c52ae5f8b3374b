import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../foundation/byte-string.ts';
import { jsonPartitionKeyBytes } from './effective-partition-key.ts';
import { readJsonPartitionKey } from './read-json-partition-key.ts';

const component = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, undefined, true, false),
);

test('a partition key is read from its bytes as it was written', () => {
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 3 }), (components) => {
      assert.deepEqual(readJsonPartitionKey(jsonPartitionKeyBytes(components)), components);
    }),
  );
});

test('bytes that are no partition key are corrupt data', () => {
  for (const bytes of ['\x07', '\x08abc', '\x05\0\0']) {
    assert.throws(() => readJsonPartitionKey(bytes as ByteString), { code: 'corrupt-data' });
  }
});
