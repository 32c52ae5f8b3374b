import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import type { Operation, RowWrite } from '../../../storage/partition-store.ts';
import type { Expiry } from '../../../values/cql-cell.ts';
import { type CqlColumn, type CqlRow, emptyRow, liveView, shadowRow } from '../../../values/cql-row.ts';
import { decodeRow } from '../../../values/cql-row-codec.ts';
import { deletionOf } from '../../../values/partition-header.ts';
import { headerKey, rowKey } from '../row-keys.ts';
import { cqlOperationKinds, writeOperation } from '../writes/cql-operation-kinds.ts';
import type { PartitionWrite } from '../writes/partition-write.ts';
import { headerIn, payloadOf } from './apply-purge.ts';
import { TablePurge } from './table-purge.ts';

const graceSeconds = 100;
const table = {
  clustering: [{}],
  droppedColumns: [],
  statics: [],
  regulars: [],
  options: { gcGraceSeconds: graceSeconds },
} as unknown as TableSchema;
const partition = new LogicalPartition(1, cqlPartitionKey([Buffer.from('p')]));
const names = ['a', 'b'] as const;

/** The rows of one logical partition, as a store would keep them, and a clock that writes move on. */
class Stored {
  readonly rows = new Map<ByteString, Buffer>();

  run({ kind, body, reads }: Operation): void {
    const decide = cqlOperationKinds.get(kind);
    assert.ok(decide !== undefined);
    const declared = new Set(reads.keys);
    const get = (key: ByteString) => {
      assert.ok(declared.has(key), 'what is read is declared');
      return this.rows.get(key) ?? null;
    };
    const decision = decide(body, { get, range: () => [] }, 1);
    assert.ok(decision.kind === 'write');
    for (const { key, value } of decision.writes) this.#put(key, value);
  }

  #put(key: ByteString, value: RowWrite['value']): void {
    if (value === null) this.rows.delete(key);
    else this.rows.set(key, Buffer.from(value));
  }

  /** As the pass does it. What is done between, by clients, may be at any of its steps. */
  purge(nowSeconds: number, between: () => void = () => {}): void {
    const purge = new TablePurge(table, nowSeconds, 0);
    const due: ByteString[] = [];
    for (const [key, value] of [...this.rows].sort(([left], [right]) => (left < right ? -1 : 1))) {
      if (purge.dueSecond({ key, value }) <= nowSeconds) due.push(key);
    }
    between();
    if (due.length > 0) this.run(purge.operation(partition, due));
    between();
    const last = purge.lastOperation(partition);
    if (last !== undefined) this.run(last);
  }

  view(nowSeconds: number): unknown {
    const header = headerIn(this.rows.get(headerKey(partition)) ?? null);
    return names.map((name) => {
      const stored = this.rows.get(rowKey(partition, name as ByteString));
      const row = stored && shadowRow(decodeRow(payloadOf(stored)), deletionOf(header, name as ByteString));
      return row && liveView(row, nowSeconds);
    });
  }
}

type Change = Pick<PartitionWrite, 'deletion' | 'rangeTombstones' | 'rows'>;
const nothing: Change = { deletion: undefined, rangeTombstones: [], rows: [] };

function written(name: string, row: Partial<CqlRow>): Change {
  const clusteringKey = name as ByteString;
  const steps = [[{ kind: 'merge', row: { ...emptyRow, ...row } } as const]];
  return { ...nothing, rows: [{ key: rowKey(partition, clusteringKey), clusteringKey, steps }] };
}

function write(stored: Stored, change: Change, nowSeconds: number): void {
  const rest = {
    headerKey: headerKey(partition),
    nowSeconds,
    gcBeforeSecond: 0,
    columnIds: undefined,
    staticSteps: [],
    conditions: undefined,
  };
  stored.run(writeOperation({ ...rest, ...change }));
}

type ChangeAt = (timestamp: bigint, second: number) => Change;

const name = fc.constantFrom(...names);
const columnId = fc.integer({ min: 1, max: 2 });
const ttl = fc.constantFrom(undefined, undefined, 1, 120);
const cellWrite = fc.record({ name, columnId, ttl, isMarked: fc.boolean() }).map(
  ({ name: row, columnId: id, ttl: ttlSeconds, isMarked }): ChangeAt =>
    (timestamp, second) => {
      const expiry: Expiry | undefined =
        ttlSeconds === undefined ? undefined : { ttlSeconds, second: second + ttlSeconds };
      const cell = { kind: 'live', timestamp, expiry, value: Buffer.from(`${timestamp}`) } as const;
      const columns: CqlColumn[] = [{ kind: 'simple', columnId: id, cell }];
      return written(row, { liveness: isMarked ? { timestamp, expiry } : undefined, columns });
    },
);
const cellDeletion = fc.record({ name, columnId }).map(
  ({ name: row, columnId: id }): ChangeAt =>
    (timestamp, second) => {
      const cell = { kind: 'tombstone', timestamp, second } as const;
      return written(row, { columns: [{ kind: 'simple', columnId: id, cell }] });
    },
);
const rowDeletion = name.map(
  (row): ChangeAt =>
    (timestamp, second) =>
      written(row, { deletion: { timestamp, second } }),
);
const rangeDeletion = fc.constantFrom(['a', undefined], ['a', 'b'], ['b', undefined]).map(
  ([from, to]): ChangeAt =>
    (timestamp, second) => {
      const range = { from: from as ByteString, to: to as ByteString | undefined };
      return { ...nothing, rangeTombstones: [{ ...range, deletion: { timestamp, second } }] };
    },
);
const partitionDeletion = fc.constant<ChangeAt>((timestamp, second) => ({
  ...nothing,
  deletion: { timestamp, second },
}));
const change: fc.Arbitrary<ChangeAt> = fc.oneof(
  { arbitrary: cellWrite, weight: 5 },
  { arbitrary: rangeDeletion, weight: 3 },
  cellDeletion,
  rowDeletion,
  partitionDeletion,
);
// Clocks of clients differ, though by less than gc_grace: the tombstone of one may be earlier than what was written before it.
const aheadTicks = fc.constantFrom(0n, 300n, 600n, 900n);
const ticksPerSecond = 10n;
const waitSeconds = fc.constantFrom(0, 0, 0, 50, 101);
const step = fc.record({ change, aheadTicks, waitSeconds, purges: fc.boolean() });

test('nobody can tell a partition that is purged from one that never is, whatever is written before, while and after', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const purged = new Stored();
      const whole = new Stored();
      let second = 1_000;
      for (const { change: changeAt, aheadTicks: ahead, waitSeconds: wait, purges } of steps) {
        second += wait;
        const both = (): void => {
          const timestamp = BigInt(second) * ticksPerSecond + ahead;
          for (const one of [purged, whole]) write(one, changeAt(timestamp, second), second);
        };
        if (purges) purged.purge(second, both);
        else both();
        for (const later of [0, 200]) {
          assert.deepEqual(purged.view(second + later), whole.view(second + later));
        }
      }
    }),
    { numRuns: 700 },
  );
});

test('when all has expired or was deleted, and gc_grace is over, nothing is left', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const stored = new Stored();
      changes.forEach((changeAt, at) => {
        write(stored, changeAt(BigInt(at), 1_000), 1_000);
      });
      write(stored, { ...nothing, deletion: { timestamp: 1_000n, second: 1_000 } }, 1_000);
      stored.purge(1_000 + graceSeconds);
      assert.notEqual(stored.rows.size, 0, 'gc_grace is not over');
      stored.purge(1_000 + graceSeconds + 1);
      assert.equal(stored.rows.size, 0);
    }),
  );
});

test('what a tombstone shadows goes at once, and the tombstone stays for writes with an older time', () => {
  const stored = new Stored();
  const cell = { kind: 'live', timestamp: 5n, expiry: undefined, value: Buffer.from('x') } as const;
  const insert = written('b', { columns: [{ kind: 'simple', columnId: 1, cell }] });
  write(stored, insert, 1_000);
  const deletion = { timestamp: 7n, second: 1_000 };
  write(
    stored,
    { ...nothing, rangeTombstones: [{ from: 'a' as ByteString, to: undefined, deletion }] },
    1_000,
  );
  assert.equal(stored.rows.size, 2);
  stored.purge(1_001);
  assert.deepEqual([...stored.rows.keys()], [headerKey(partition)]);
  write(stored, insert, 1_002);
  assert.deepEqual([...stored.rows.keys()], [headerKey(partition)]);
});

test('rows say when something of them is due', () => {
  const key = rowKey(partition, 'a' as ByteString);
  const dueOf = (row: Partial<CqlRow>): number => {
    const stored = new Stored();
    write(stored, written('a', row), 1_000);
    const value = stored.rows.get(key);
    assert.ok(value !== undefined);
    return new TablePurge(table, 1_000, 0).dueSecond({ key, value });
  };
  const cell = { kind: 'live', timestamp: 1n, expiry: undefined, value: Buffer.alloc(1) } as const;
  const liveness = { timestamp: 1n, expiry: undefined };
  assert.equal(
    dueOf({ liveness, columns: [{ kind: 'simple', columnId: 1, cell }] }),
    Number.POSITIVE_INFINITY,
  );
  const expiry = { ttlSeconds: 10, second: 1_010 };
  assert.equal(dueOf({ columns: [{ kind: 'simple', columnId: 1, cell: { ...cell, expiry } }] }), 1_010);
  assert.equal(dueOf({ deletion: { timestamp: 1n, second: 1_000 } }), 1_101);
});
