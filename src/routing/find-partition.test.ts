import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { LogicalPartition } from '../partitioning/logical-partition.ts';
import { cqlPartitionKey, partitionKeyDefinition } from '../partitioning/partition-key.ts';
import { PartitionMap } from '../partitioning/partition-map.ts';
import { cutAtMidpoint } from '../partitioning/partition-split.ts';
import { type NodeId, replicaSet } from '../partitioning/replica-set.ts';
import { addressAt, whereverItIs } from './find-partition.ts';

const container = 7;
const definition = partitionKeyDefinition('cql', ['a']);
const key = new LogicalPartition(container, cqlPartitionKey([Buffer.from('a')]));

/** Each look finds the partition split once more. */
function restlessMaps(): { readonly mapOf: (one: number) => PartitionMap | undefined; looks: number } {
  let map = PartitionMap.initial(container, [], () => replicaSet([0, 1, 2, 3] as NodeId[], 1));
  const maps = {
    looks: 0,
    mapOf: (one: number) => {
      if (one !== container) return undefined;
      const { id, range } = map.ownerOf(key.ringPosition);
      if (maps.looks++ > 0) map = map.split(id, cutAtMidpoint(range, definition), 0);
      return map;
    },
  };
  return maps;
}

test('what has moved is looked for anew, and attempted at where it is then', async () => {
  const maps = restlessMaps();
  const tried: number[] = [];
  const found = await whereverItIs(maps, key, async ({ physicalPartition }) => {
    tried.push(physicalPartition);
    return tried.length < 3 ? undefined : physicalPartition;
  });
  assert.equal(new Set(tried).size, 3);
  assert.equal(found, tried[2]);
});

test('what moves again and again is given up after ten attempts', async () => {
  const maps = restlessMaps();
  await assert.rejects(
    whereverItIs(maps, key, async () => undefined),
    (error) =>
      error instanceof RingfoldError && error.code === 'partition-busy' && error.details['moves'] === 10,
  );
  assert.equal(maps.looks, 10);
});

test('a container that is gone is said to be', () => {
  assert.throws(
    () => addressAt(restlessMaps(), 8, key.ringPosition),
    (error) => error instanceof RingfoldError && error.code === 'container-not-found',
  );
});
