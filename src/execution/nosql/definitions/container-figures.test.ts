import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefinedNosql, useNosql } from '../../../../test/support/defined-nosql.ts';
import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { jsonPartitionKey } from '../../../partitioning/partition-key.ts';
import { putRows } from '../../../storage/operation-kinds.ts';
import { encodeStoredItem, type StoredKind } from '../../../values/stored-item.ts';
import { itemKey, uniqueKeyKey } from '../item-keys.ts';
import { createContainer } from './change-containers.ts';
import { createDatabase } from './change-databases.ts';
import { containerFigures } from './container-figures.ts';

async function define({ parts }: DefinedNosql, defaultTtl?: number): Promise<ContainerDefinition> {
  const { rid } = await createDatabase(parts, 'd', {});
  const given = {
    partitionKey: { paths: ['/pk'], version: 2 },
    ...(defaultTtl === undefined ? {} : { defaultTtl }),
  };
  return createContainer(parts, rid, { id: 'c', given }, {});
}

/** Each with a row of another kind beside it. */
async function write(
  { parts, cluster }: DefinedNosql,
  { container, partitionKey }: ContainerDefinition,
  keys: readonly string[],
  second: number,
): Promise<void> {
  const writing = [...new Set(keys)].map((key) => {
    const logicalPartition = new LogicalPartition(container, jsonPartitionKey(partitionKey, [key]));
    const rows = keys.flatMap((each, index) => {
      if (each !== key) return [];
      const id = `${index}`;
      const storedAs = (kind: StoredKind): Buffer =>
        encodeStoredItem({
          kind,
          timestamp: second * 1_000_000,
          ttlSeconds: undefined,
          rid: index,
          payload: Buffer.from(JSON.stringify({ id: 'some', text: 'x'.repeat(100) })),
        });
      return [
        { key: itemKey(logicalPartition, id), value: storedAs('json-item') },
        { key: uniqueKeyKey(logicalPartition, 0, id as ByteString), value: storedAs('unique-key') },
      ];
    });
    const map = parts.throughput.store.mapOf(container);
    const physicalPartition = map?.ownerOf(logicalPartition.ringPosition).id ?? 0;
    return new Promise((resolve) => {
      cluster.store.transact({ container, physicalPartition }, logicalPartition, putRows(rows), resolve);
    });
  });
  await Promise.all(writing);
}

const now = (): number => Math.floor(Date.now() / 1_000);

test('items are counted, and nothing else that is stored, by physical partition and by key', () =>
  useNosql(async (nosql) => {
    const container = await define(nosql);
    await write(nosql, container, ['a', 'b', 'a', 'c', 'a', 'd', 'e'], now());
    const [figures] = await containerFigures(nosql.parts, container);
    assert.deepEqual([figures?.items, figures?.logicalPartitions], [7, 5]);
    assert.ok((figures?.itemBytes ?? 0) > 700 && (figures?.itemBytes ?? 0) < 7 * 500);
    assert.ok((figures?.storedBytes ?? 0) >= 1_400);
    assert.equal(figures?.largest.length, 3);
    const [first, second] = figures?.largest ?? [];
    assert.equal((first?.bytes ?? 0) / (second?.bytes ?? 1), 3);
  }));

test('what has expired is not counted', () =>
  useNosql(async (nosql) => {
    const container = await define(nosql, 60);
    await write(nosql, container, ['a', 'b'], now() - 1_000);
    const [figures] = await containerFigures(nosql.parts, container);
    assert.equal(figures?.items, 0);
  }));

test('of many items some are counted, and their number is estimated from the bytes', () =>
  useNosql(async (nosql) => {
    const container = await define(nosql);
    const keys = Array.from({ length: 2_500 }, (_, index) => `key ${index % 40}`);
    await write(nosql, container, keys, now());
    await nosql.cluster.store.whenQuiet();
    const [exact] = await containerFigures(nosql.parts, container);
    assert.equal(exact?.items, keys.length);
    const [estimated] = await containerFigures(nosql.parts, container, 1_000);
    const { items = 0 } = estimated ?? {};
    assert.ok(items > keys.length / 2 && items < keys.length * 2, String(items));
  }));
