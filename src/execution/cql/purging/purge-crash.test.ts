// A crash at any moment of a purge leaves more or less of it done, and nobody can tell.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../../../../test/support/memory-cluster.ts';
import { PurgePass } from '../../../balancing/purge-pass.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { silentLog } from '../../../foundation/log.ts';
import { systemScheduler } from '../../../foundation/scheduler.ts';
import { keyRangeOf } from '../../../partitioning/logical-partition.ts';
import { wholeRing } from '../../../partitioning/ring-range.ts';
import type { Row } from '../../../storage/partition-store.ts';
import { emptyRow, liveView, shadowRow } from '../../../values/cql-row.ts';
import { decodeRow } from '../../../values/cql-row-codec.ts';
import { deletionOf, emptyHeader } from '../../../values/partition-header.ts';
import { clusteringKeyIn, isHeaderKey, prefixLengthOf } from '../reads/stored-key.ts';
import { headerKey, rowKey } from '../row-keys.ts';
import { cqlOperationKinds, writeOperation } from '../writes/cql-operation-kinds.ts';
import type { PartitionWrite, RowWrites } from '../writes/partition-write.ts';
import { headerIn, payloadOf } from './apply-purge.ts';
import { TablePurge } from './table-purge.ts';

const nowSeconds = 10_000;
const table = {
  clustering: [{}],
  droppedColumns: [],
  statics: [],
  regulars: [],
  options: { gcGraceSeconds: 100 },
} as unknown as TableSchema;
const names = Array.from({ length: 12 }, (_, at) => `partition ${at}`);

async function write(cluster: TestCluster, name: string, change: Partial<PartitionWrite>): Promise<void> {
  const partition = cluster.logicalPartition(name);
  const operation = writeOperation({
    headerKey: headerKey(partition),
    nowSeconds: 0,
    gcBeforeSecond: 0,
    columnIds: undefined,
    deletion: undefined,
    rangeTombstones: [],
    staticSteps: [],
    rows: [],
    conditions: undefined,
    ...change,
  });
  const outcome = await new Promise<{ readonly kind: string }>((done) => {
    cluster.store.transact(cluster.addressOf(name), partition, operation, done);
  });
  assert.equal(outcome.kind, 'committed');
}

/** Rows of which the tombstones that follow shadow some: the older half of each row, and all of others. */
async function fill(cluster: TestCluster): Promise<void> {
  const rowOf = (name: string, at: number, timestamp: bigint, columnId: number): RowWrites => {
    const clusteringKey = `row ${at}` as ByteString;
    const cell = { kind: 'live', timestamp, expiry: undefined, value: Buffer.from('value') } as const;
    const row = { ...emptyRow, columns: [{ kind: 'simple', columnId, cell } as const] };
    const key = rowKey(cluster.logicalPartition(name), clusteringKey);
    return { key, clusteringKey, steps: [[{ kind: 'merge', row }]] };
  };
  const deletion = { timestamp: 50n, second: 1 };
  for (const name of names) {
    const old = Array.from({ length: 9 }, (_, at) => rowOf(name, at, 10n, 1));
    const later = Array.from({ length: 4 }, (_, at) => rowOf(name, at, 90n, 2));
    await write(cluster, name, { rows: [...old] });
    await write(cluster, name, { rows: [...later] });
    if (name === names[0]) await write(cluster, name, { deletion });
    else
      await write(cluster, name, {
        rangeTombstones: [{ from: 'row 2' as ByteString, to: 'row 7' as ByteString, deletion }],
      });
  }
}

async function storedRows({ store, container }: TestCluster): Promise<readonly Row[]> {
  const scan = { ...keyRangeOf(container, wholeRing), maxRows: 1_000, maxBytes: 2 ** 20, reverse: false };
  const outcome = await store.scan({ container, physicalPartition: 0 }, scan);
  assert.ok(outcome.kind === 'read');
  return outcome.page.rows;
}

/** What a client sees. */
async function view(cluster: TestCluster): Promise<unknown[]> {
  let header = emptyHeader;
  let prefix = '';
  const seen: unknown[] = [];
  for (const { key, value } of await storedRows(cluster)) {
    const length = prefixLengthOf(key);
    if (key.slice(0, length) !== prefix) header = emptyHeader;
    prefix = key.slice(0, length);
    if (isHeaderKey(key, length)) {
      header = headerIn(value);
      continue;
    }
    const shown = shadowRow(decodeRow(payloadOf(value)), deletionOf(header, clusteringKeyIn(key, length)));
    const live = liveView(shown, nowSeconds);
    if (live !== undefined) seen.push([key, live]);
  }
  return seen;
}

test('after a crash at any moment of a purge clients see what they saw before', () =>
  TestCluster.use({ operationKinds: cqlOperationKinds }, async (cluster) => {
    await fill(cluster);
    const before = await view(cluster);
    const count = (await storedRows(cluster)).length;
    const pass = new PurgePass({
      store: cluster.store,
      purgeOf: () => new TablePurge(table, nowSeconds, 0),
      isExhausted: () => false,
      clock: {
        now: () => nowSeconds * 1_000,
        microseconds: () => nowSeconds * 1_000_000,
        monotonic: () => 0,
      },
      scheduler: systemScheduler,
      log: silentLog,
      settings: { intervalMs: 0, rowsPerTurn: 30, bytesPerTurn: 2 ** 20, restFactor: 0 },
    });
    const images = await cluster.imagesDuring(pass.run());
    const counts: number[] = [];
    for (const nodes of images) {
      await TestCluster.use({ nodes, operationKinds: cqlOperationKinds }, async (restarted) => {
        assert.deepEqual(await view(restarted), before);
        counts.push((await storedRows(restarted)).length);
      });
    }
    assert.equal(counts.at(-1), before.length, 'only what is seen is left');
    assert.ok(
      counts.some((left) => left < count && left > before.length),
      'some crashes were in the middle',
    );
  }));
