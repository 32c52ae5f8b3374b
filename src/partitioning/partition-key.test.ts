import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { hexOf } from '../foundation/byte-string.ts';
import { cqlPartitionKey, jsonPartitionKey, partitionKeyDefinition } from './partition-key.ts';

test('one path is a simple key, several a composite one, MultiHash a hierarchical one', () => {
  assert.equal(partitionKeyDefinition('v2', ['/a']).kind, 'simple');
  assert.equal(partitionKeyDefinition('cql', ['a', 'b']).kind, 'composite');
  assert.equal(partitionKeyDefinition('multi', ['/a']).kind, 'hierarchical');
});

test('a hierarchical key has at most three levels, or four when the last is /id', () => {
  assert.equal(partitionKeyDefinition('multi', ['/a', '/b', '/c', '/id']).paths.length, 4);
  refused(() => partitionKeyDefinition('multi', ['/a', '/b', '/c', '/d']));
});

test('a partition key has paths, and none of them twice', () => {
  refused(() => partitionKeyDefinition('v2', []));
  refused(() => partitionKeyDefinition('v2', ['/a', '/a']));
});

test('a whole key has one component per path', () => {
  const definition = partitionKeyDefinition('multi', ['/a', '/b']);
  refused(() => jsonPartitionKey(definition, ['x']));
  assert.equal(jsonPartitionKey(definition, ['x', undefined]).ringPosition.length, 32);
});

test('a NoSQL key has at most 2,048 bytes of UTF-8', () => {
  const definition = partitionKeyDefinition('v2', ['/a']);
  assert.equal(jsonPartitionKey(definition, ['é'.repeat(1024)]).ringPosition.length, 16);
  refused(() => jsonPartitionKey(definition, [`${'é'.repeat(1024)}a`]));
});

test('V1 keys that share a position are told apart by their bytes', () => {
  const definition = partitionKeyDefinition('v1', ['/a']);
  const [one, other] = ['1', '2'].map((end) => jsonPartitionKey(definition, ['a'.repeat(100) + end]));
  assert.equal(one?.ringPosition, other?.ringPosition);
  assert.notEqual(one?.bytes, other?.bytes);
});

test('a CQL key keeps the bytes that were hashed', () => {
  assert.equal(hexOf(cqlPartitionKey([Buffer.from('a'), Buffer.from([0xff])]).bytes), '000161000001FF00');
});

function refused(work: () => unknown): void {
  assert.throws(work, (error) => error instanceof RingfoldError && error.code === 'bad-partition-key');
}
