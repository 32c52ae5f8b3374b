// Partitions of a table (p int, c int, s int static, v int, PRIMARY KEY (p, c)) for tests, written in the forms in which rows are stored.

import assert from 'node:assert/strict';
import { findTable } from '../../src/catalog/cql/cql-schema.ts';
import { headerKey, rowKey } from '../../src/execution/cql/row-keys.ts';
import type { StatementAnswer } from '../../src/execution/cql/statement-request.ts';
import { LogicalPartition } from '../../src/partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../src/partitioning/partition-key.ts';
import { putRows } from '../../src/storage/operation-kinds.ts';
import type { Outcome, RowWrite } from '../../src/storage/partition-store.ts';
import type { CqlCell } from '../../src/values/cql-cell.ts';
import { emptyRow } from '../../src/values/cql-row.ts';
import { encodeRow } from '../../src/values/cql-row-codec.ts';
import { encodeClusteringKey } from '../../src/values/ordered-key.ts';
import { emptyHeader, encodeHeader } from '../../src/values/partition-header.ts';
import { encodeStoredItem, type StoredKind } from '../../src/values/stored-item.ts';
import { rowsOfAnswer } from './answer-rows.ts';
import type { DefinedCql } from './defined-cql.ts';

export interface ModelPartition {
  readonly p: number;
  readonly s: number | null;
  /** Rows up to here are deleted, though they are stored. */
  readonly deletedBelow: number;
  readonly rows: readonly { readonly c: number; readonly v: number | null; readonly isDead: boolean }[];
}

const before = 1n;
/** The second in which tests read. */
export const now = 100;

export function tableOf(cql: DefinedCql): {
  readonly container: number;
  readonly columnIds: Map<string, number>;
} {
  const table = findTable(cql.schema, 'ks', 't');
  assert.ok(table?.container !== undefined);
  const columnIds = new Map(Array.from(table.columns.values(), ({ name, id }) => [name, id]));
  return { container: table.container, columnIds };
}

/** Replaces the partitions by what the model says, in the forms in which rows are stored. */
export async function store(cql: DefinedCql, partitions: readonly ModelPartition[]): Promise<void> {
  const { container, columnIds } = tableOf(cql);
  for (const { p, s, deletedBelow, rows: stored } of partitions) {
    const partition = new LogicalPartition(container, cqlPartitionKey([intBytes(p)]));
    const staticRow = s === null ? undefined : { ...emptyRow, columns: [simple(columnIds.get('s') ?? 0, s)] };
    const deletion = { timestamp: before, second: 1 };
    const rangeTombstones =
      deletedBelow === 0 ? [] : [{ from: clusteringKey(0), to: clusteringKey(deletedBelow), deletion }];
    const header = encodeHeader({ ...emptyHeader, staticRow, rangeTombstones });
    const writes: RowWrite[] = Array.from({ length: 8 }, (_, c) => ({
      key: rowKey(partition, clusteringKey(c)),
      value: null,
    }));
    writes.push({ key: headerKey(partition), value: envelope('partition-header', header) });
    for (const { c, v, isDead } of stored) {
      const timestamp = c < deletedBelow ? before : 2n;
      const liveness = isDead ? undefined : { timestamp, expiry: undefined };
      const row = {
        ...emptyRow,
        liveness: isDead && c % 2 === 0 ? { timestamp, expiry: { ttlSeconds: 9, second: now } } : liveness,
        deletion: isDead && c % 2 === 1 ? { timestamp, second: 1 } : undefined,
        columns: isDead || v === null ? [] : [simple(columnIds.get('v') ?? 0, v, timestamp)],
      };
      writes.push({ key: rowKey(partition, clusteringKey(c)), value: envelope('cql-row', encodeRow(row)) });
    }
    await commit(cql, partition, lastOfEach(writes));
  }
}

export async function commit(
  cql: DefinedCql,
  partition: LogicalPartition,
  writes: readonly RowWrite[],
): Promise<void> {
  const { store: rows } = cql.throughput;
  const { container, ringPosition } = partition;
  const address = { container, physicalPartition: rows.mapOf(container)?.ownerOf(ringPosition).id ?? 0 };
  const outcome = await new Promise<Outcome>((done) =>
    rows.transact(address, partition, putRows(writes), done),
  );
  assert.equal(outcome.kind, 'committed');
}

function lastOfEach(writes: readonly RowWrite[]): RowWrite[] {
  return [...new Map(writes.map((write) => [write.key, write])).values()];
}

function simple(
  columnId: number,
  value: number,
  timestamp = 2n,
): {
  readonly kind: 'simple';
  readonly columnId: number;
  readonly cell: CqlCell;
} {
  return {
    kind: 'simple',
    columnId,
    cell: { kind: 'live', timestamp, expiry: undefined, value: intBytes(value) },
  };
}

export function envelope(kind: StoredKind, payload: Buffer): Buffer {
  return encodeStoredItem({ kind, timestamp: undefined, ttlSeconds: undefined, rid: undefined, payload });
}

export function clusteringKey(c: number): ReturnType<typeof encodeClusteringKey> {
  return encodeClusteringKey([{ type: { kind: 'int' }, descending: false }], [intBytes(c)]);
}

export function intBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function shown(answer: StatementAnswer): (number | null)[][] {
  return rowsOfAnswer(answer).map((row) => row.map((value) => (value === null ? null : value.readInt32BE())));
}
