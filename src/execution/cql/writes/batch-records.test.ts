import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testNodes } from '../../../../test/support/breakable-node.ts';
import { WrittenCql } from '../../../../test/support/written-cql.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import { headerKey } from '../row-keys.ts';
import { parseRecord, printRecord, recordBatch, replayBatches } from './batch-records.ts';
import type { TargetedWrite } from './transact-governed.ts';

test('a record gives back what was written down: bytes, long integers and byte strings', () => {
  const write = {
    container: 7,
    partitionKey: [Buffer.from([0, 255])],
    indexTerms: 0,
    write: { headerKey: '\0\xff\x01', deletion: { timestamp: -(2n ** 63n) + 1n, second: 1 }, rows: [] },
  } as unknown as Parameters<typeof printRecord>[0][number];
  assert.deepEqual(parseRecord(printRecord([write])), [write]);
});

test('a batch that is on record when the server stops is whole after the next start', async () => {
  const nodes = testNodes(4);
  await WrittenCql.use(async (cql) => {
    await cql.run('CREATE TABLE ks.t (k int PRIMARY KEY, v int)');
    const { throughput } = cql.parts;
    // The batch gets as far as its record, and not one of its writes is done.
    const { transact } = throughput.store;
    throughput.store.transact = () => undefined;
    void cql.run(
      'BEGIN BATCH INSERT INTO ks.t (k, v) VALUES (1, 1); INSERT INTO ks.t (k, v) VALUES (2, 2); APPLY BATCH',
    );
    while ((await throughput.store.records.readAll('cql-batch')).size === 0) await new Promise(setImmediate);
    throughput.store.transact = transact;
    assert.deepEqual(await cql.rows('SELECT * FROM ks.t'), []);
  }, nodes);
  await WrittenCql.use(async (cql) => {
    await replayBatches(cql.parts);
    assert.deepEqual(await cql.rows('SELECT * FROM ks.t WHERE k IN (1, 2)'), [
      ['00000001', '00000001'],
      ['00000002', '00000002'],
    ]);
    assert.equal((await cql.parts.throughput.store.records.readAll('cql-batch')).size, 0);
  }, nodes);
});

test('a batch of a table that is gone is forgotten', async () => {
  await WrittenCql.use(async (cql) => {
    const partitionKey = [Buffer.from('k')];
    const logicalPartition = new LogicalPartition(999_999, cqlPartitionKey(partitionKey));
    const write: TargetedWrite['write'] = {
      headerKey: headerKey(logicalPartition),
      nowSeconds: 0,
      gcBeforeSecond: 0,
      columnIds: undefined,
      deletion: { timestamp: 1n, second: 0 },
      rangeTombstones: [],
      staticSteps: [],
      rows: [],
      conditions: undefined,
    };
    await recordBatch(cql.parts, [{ logicalPartition, partitionKey, indexTerms: 0, write }]);
    await replayBatches(cql.parts);
    assert.equal((await cql.parts.throughput.store.records.readAll('cql-batch')).size, 0);
  });
});
