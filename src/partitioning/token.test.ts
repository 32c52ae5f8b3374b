import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimumToken, serializePartitionKey, tokenOf } from './token.ts';
import { compositeKeyTokens, singleKeyTokens } from './token.vectors.ts';

test('a key of one column has the token that Apache Cassandra gives it', () => {
  assert.ok(singleKeyTokens.length > 200);
  for (const [name, hex, token] of singleKeyTokens) {
    assert.equal(tokenOf(serializePartitionKey([Buffer.from(hex, 'hex')])), BigInt(token), name);
  }
});

test('a key of several columns has the token that Apache Cassandra gives it', () => {
  assert.ok(compositeKeyTokens.length > 10);
  for (const [name, components, token] of compositeKeyTokens) {
    const serialized = serializePartitionKey(components.map((hex) => Buffer.from(hex, 'hex')));
    assert.equal(tokenOf(serialized), BigInt(token), name);
  }
});

test('the empty key has the lowest token', () => {
  assert.equal(tokenOf(new Uint8Array(0)), minimumToken);
});

test('several components are written with their length and a zero behind each', () => {
  const serialized = serializePartitionKey([Buffer.from('ab'), Buffer.alloc(0), Buffer.from([0xff])]);
  assert.equal(Buffer.from(serialized).toString('hex'), '0002616200' + '000000' + '0001ff00');
});

test('a component of 64 KB is refused', () => {
  assert.throws(() => serializePartitionKey([Buffer.alloc(65_536), Buffer.alloc(1)]), RangeError);
});
