import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { sampleContainer } from '../../execution/nosql/items/item-rows.samples.ts';
import { partitionKeyDefinition } from '../../partitioning/partition-key.ts';
import { parsePartitionKey } from './partition-key-header.ts';

const simple = sampleContainer();
const hierarchical = sampleContainer({
  partitionKey: partitionKeyDefinition('multi', ['/a', '/b']),
  partitionKeyPaths: [['a'], ['b']],
});

function refused(text: string, container = simple): string {
  try {
    parsePartitionKey(text, container);
  } catch (error) {
    assert.ok(error instanceof RingfoldError, String(error));
    return error.code;
  }
  return 'none';
}

test('a key is a JSON array of scalars', () => {
  assert.deepEqual(parsePartitionKey('["a"]', simple), ['a']);
  assert.deepEqual(parsePartitionKey('["\\u00e4"]', simple), ['ä']);
  assert.deepEqual(parsePartitionKey('[null]', simple), [null]);
  assert.deepEqual(parsePartitionKey('[1.5]', simple), [1.5]);
  for (const text of ['', 'a', '"a"', '{}', '[[]]', '[{"a":1}]', '[NaN]'])
    assert.equal(refused(text), 'bad-request', text);
});

test('[] and [{}] are the key of items without one', () => {
  for (const text of ['[]', '[{}]']) {
    assert.deepEqual(parsePartitionKey(text, simple), [undefined]);
    assert.deepEqual(parsePartitionKey(text, hierarchical), [undefined, undefined]);
  }
});

test('a hierarchical key may be named by its first levels, another not', () => {
  assert.deepEqual(parsePartitionKey('["x"]', hierarchical), ['x']);
  assert.deepEqual(parsePartitionKey('["x",{}]', hierarchical), ['x', undefined]);
  assert.equal(refused('["x","y","z"]', hierarchical), 'partition-key-mismatch');
  assert.equal(refused('["x","y"]'), 'partition-key-mismatch');
});
