import assert from 'node:assert/strict';
import { test } from 'node:test';
import { haveSameMembers, type NodeId, quorumOf, replicaSet } from './replica-set.ts';

test('a quorum is three of four, and a majority of any other number', () => {
  assert.deepEqual([1, 2, 3, 4, 5].map(quorumOf), [1, 2, 2, 3, 3]);
});

test('no two replicas are on one storage node', () => {
  assert.throws(() => replicaSet([1, 2, 2, 3] as NodeId[], 1), /invariant/);
  assert.throws(() => replicaSet([], 1), /invariant/);
});

test('members are compared whatever their order', () => {
  const set = (...members: number[]) => replicaSet(members as NodeId[], 1);
  assert.ok(haveSameMembers(set(0, 1, 2, 3), set(3, 1, 0, 2)));
  assert.ok(!haveSameMembers(set(0, 1, 2, 3), set(0, 1, 2, 4)));
});
