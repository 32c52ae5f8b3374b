import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { DeclaredRows } from '../../../storage/partition-store.ts';
import { counterTotal, type Expiry } from '../../../values/cql-cell.ts';
import { type CqlRow, emptyRow, liveView } from '../../../values/cql-row.ts';
import { decodeRow } from '../../../values/cql-row-codec.ts';
import { decodeHeader } from '../../../values/partition-header.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { applyPartitionWrite } from './apply-partition-write.ts';
import type { PartitionWrite, RowCondition, RowEdit, RowStep, WriteAnswer } from './partition-write.ts';

const headerKey = 'h' as ByteString;
const nowSeconds = 1_000_000;
const nothing: PartitionWrite = {
  headerKey,
  nowSeconds,
  gcBeforeSecond: nowSeconds - 100,
  columnIds: undefined,
  deletion: undefined,
  rangeTombstones: [],
  staticSteps: [],
  rows: [],
  conditions: undefined,
};

/** The rows of one logical partition, as a store would keep them. */
class Partition {
  readonly stored = new Map<ByteString, Buffer>();

  apply(write: Partial<PartitionWrite>): WriteAnswer {
    const rows: DeclaredRows = { get: (key) => this.stored.get(key) ?? null, range: () => [] };
    const decision = applyPartitionWrite({ ...nothing, ...write }, rows);
    if (decision.kind === 'refuse') throw decision.error;
    for (const { key, value } of decision.writes) {
      if (value === null) this.stored.delete(key);
      else this.stored.set(key, Buffer.from(value));
    }
    return decision.answer as WriteAnswer;
  }

  row(name: string): CqlRow | undefined {
    const bytes = this.stored.get(name as ByteString);
    return bytes && decodeRow(decodeStoredItem(bytes).payload);
  }

  live(name: string, at = nowSeconds): CqlRow | undefined {
    const row = this.row(name);
    return row && liveView(row, at);
  }
}

function rowWrites(name: string, ...steps: RowStep[]): PartitionWrite['rows'] {
  return [{ key: name as ByteString, clusteringKey: name as ByteString, steps }];
}

function said(row: Partial<CqlRow>): RowEdit {
  return { kind: 'merge', row: { ...emptyRow, ...row } };
}

function inserted(timestamp: bigint, value: string, expiry?: Expiry): RowEdit {
  const cell = { kind: 'live', timestamp, expiry, value: Buffer.from(value) } as const;
  return said({
    liveness: { timestamp, expiry },
    columns: [{ kind: 'simple', columnId: 1, cell }],
  });
}

function valueIn(row: CqlRow | undefined): string | undefined {
  const column = row?.columns[0];
  return column?.kind === 'simple' && column.cell.kind === 'live' ? column.cell.value.toString() : undefined;
}

test('of two writes the later timestamp stays, whichever comes first', () => {
  for (const order of [
    [5n, 9n],
    [9n, 5n],
  ]) {
    const partition = new Partition();
    for (const timestamp of order)
      partition.apply({ rows: rowWrites('r', [inserted(timestamp, `at ${timestamp}`)]) });
    assert.equal(valueIn(partition.live('r')), 'at 9');
  }
});

test('a deletion of a range or of the partition is written to the header alone, and hides what is older', () => {
  const partition = new Partition();
  partition.apply({ rows: rowWrites('r', [inserted(5n, 'old')]) });
  const before = partition.stored.get('r' as ByteString);
  const deletion = { timestamp: 7n, second: nowSeconds };
  partition.apply({ rangeTombstones: [{ from: 'q' as ByteString, to: 's' as ByteString, deletion }] });
  assert.deepEqual(partition.stored.get('r' as ByteString), before);
  partition.apply({ rows: rowWrites('r', [said({ columns: [] })], [inserted(6n, 'hidden')]) });
  assert.equal(partition.row('r'), undefined, 'a row that becomes empty is removed');
  partition.apply({ rows: rowWrites('r', [inserted(8n, 'shown')]) });
  assert.equal(valueIn(partition.live('r')), 'shown');
  partition.apply({ deletion: { timestamp: 20n, second: nowSeconds } });
  const header = decodeHeader(decodeStoredItem(partition.stored.get(headerKey) ?? Buffer.alloc(0)).payload);
  assert.deepEqual(header.rangeTombstones, [], 'what the partition’s deletion says too is left out');
});

test('tombstones older than gc_grace are gone when their row is written again', () => {
  const partition = new Partition();
  const second = nowSeconds - 500;
  partition.apply({
    gcBeforeSecond: 0,
    rows: rowWrites('r', [
      said({
        deletion: { timestamp: 1n, second },
        columns: [{ kind: 'simple', columnId: 2, cell: { kind: 'tombstone', timestamp: 3n, second } }],
      }),
    ]),
  });
  assert.notEqual(partition.row('r')?.deletion, undefined);
  partition.apply({ rows: rowWrites('r', [inserted(9n, 'new')]) });
  assert.equal(partition.row('r')?.deletion, undefined);
  assert.deepEqual(
    partition.row('r')?.columns.map(({ columnId }) => columnId),
    [1],
  );
});

test('what has expired is not seen, and is charged as if it were not there', () => {
  const partition = new Partition();
  partition.apply({
    rows: rowWrites('r', [inserted(5n, 'brief', { ttlSeconds: 10, second: nowSeconds + 10 })]),
  });
  assert.equal(valueIn(partition.live('r')), 'brief');
  assert.equal(partition.live('r', nowSeconds + 10), undefined);
  const { works } = partition.apply({
    nowSeconds: nowSeconds + 10,
    rows: rowWrites('r', [inserted(6n, 'next')]),
  });
  assert.deepEqual(
    works.map(({ bytesBefore }) => bytesBefore),
    [0],
  );
});

test('counters add up whatever the timestamps are, and a later deletion hides an increment', () => {
  const partition = new Partition();
  const add = (increment: bigint, timestamp: bigint): void => {
    const edit: RowEdit = { kind: 'add-counter', columnId: 1, increment, timestamp };
    partition.apply({ rows: rowWrites('r', [edit]) });
  };
  const total = (): bigint | undefined => {
    const column = partition.live('r')?.columns[0];
    return column?.kind === 'simple' && column.cell.kind === 'live' ? counterTotal(column.cell) : undefined;
  };
  add(5n, 100n);
  add(3n, 50n);
  add(-1n, 100n);
  assert.equal(total(), 7n);
  partition.apply({ rows: rowWrites('r', [said({ deletion: { timestamp: 60n, second: nowSeconds } })]) });
  assert.equal(total(), 7n, 'a counter is as late as its latest increment');
  partition.apply({ rows: rowWrites('r', [said({ deletion: { timestamp: 200n, second: nowSeconds } })]) });
  assert.equal(total(), undefined);
  add(9n, 150n);
  assert.equal(total(), undefined);
  add(2n, 300n);
  assert.equal(total(), 2n);
});

test('a condition that does not hold leaves everything as it was and shows what is there', () => {
  const partition = new Partition();
  partition.apply({ rows: rowWrites('r', [inserted(5n, 'first')]) });
  const place = { key: 'r' as ByteString, clusteringKey: 'r' as ByteString };
  const before = new Map(partition.stored);
  const condition: RowCondition = { row: place, test: 'not-exists' };
  const answer = partition.apply({
    rows: rowWrites('r', [inserted(9n, 'second')]),
    conditions: [condition],
  });
  assert.equal(answer.isApplied, false);
  assert.equal(valueIn(answer.current?.rows[0]?.row), 'first');
  assert.deepEqual(partition.stored, before);
  const met = partition.apply({
    rows: rowWrites('r', [inserted(9n, 'second')]),
    conditions: [{ ...condition, test: 'exists' }],
  });
  assert.equal(met.isApplied, true);
  assert.equal(valueIn(partition.live('r')), 'second');
});

test('a row of more than 2 MB is refused', () => {
  const rows = rowWrites('r', [inserted(1n, 'x'.repeat(2 * 2 ** 20))]);
  assert.throws(
    () => new Partition().apply({ rows }),
    (error) => error instanceof RingfoldError && error.code === 'transaction-too-large',
  );
});

test('static columns of more than 2 MB are refused, with their size and the limit', () => {
  const staticSteps = [[inserted(1n, 'x'.repeat(2 * 2 ** 20))]];
  assert.throws(
    () => new Partition().apply({ staticSteps }),
    (error) =>
      error instanceof RingfoldError &&
      error.code === 'transaction-too-large' &&
      error.details['limitBytes'] === 2_097_152 &&
      Number(error.details['rowBytes']) > 2_097_152,
  );
});

test('an element of a list that is not there is refused in Cassandra’s words', () => {
  const tombstone = { kind: 'tombstone', timestamp: 1n, second: nowSeconds } as const;
  const edit: RowEdit = { kind: 'list-remove', columnId: 1, index: 3, tombstone };
  assert.throws(
    () => new Partition().apply({ rows: rowWrites('r', [edit]) }),
    (error) =>
      error instanceof RingfoldError &&
      error.details['reason'] === 'Attempted to delete an element from a list which is null',
  );
});

// Any write of one cell, row deletion, range deletion or static cell, at one of few timestamps so that they meet.
const anyTimestamp = fc.bigInt({ min: 1n, max: 6n });
const anyName = fc.constantFrom('a', 'b', 'c');
const anyWrite: fc.Arbitrary<Partial<PartitionWrite>> = fc.oneof(
  fc
    .tuple(anyName, anyTimestamp, fc.constantFrom('x', 'y'))
    .map(([name, timestamp, value]) => ({ rows: rowWrites(name, [inserted(timestamp, value)]) })),
  fc.tuple(anyName, anyTimestamp).map(([name, timestamp]) => ({
    rows: rowWrites(name, [said({ deletion: { timestamp, second: nowSeconds } })]),
  })),
  fc.tuple(anyName, anyTimestamp).map(([name, timestamp]) => {
    const cell = { kind: 'tombstone', timestamp, second: nowSeconds } as const;
    return { rows: rowWrites(name, [said({ columns: [{ kind: 'simple', columnId: 1, cell }] })]) };
  }),
  fc.tuple(anyName, fc.constantFrom('b', 'd', undefined), anyTimestamp).map(([from, to, timestamp]) => ({
    rangeTombstones:
      to !== undefined && from >= to
        ? []
        : [
            {
              from: from as ByteString,
              to: to as ByteString | undefined,
              deletion: { timestamp, second: nowSeconds },
            },
          ],
  })),
  anyTimestamp.map((timestamp) => ({ deletion: { timestamp, second: nowSeconds } })),
  fc.tuple(anyTimestamp, fc.constantFrom('x', 'y')).map(([timestamp, value]) => {
    const cell = { kind: 'live', timestamp, expiry: undefined, value: Buffer.from(value) } as const;
    return { staticSteps: [[said({ columns: [{ kind: 'simple', columnId: 2, cell }] })]] };
  }),
);

/** What a reader sees of all rows: live cells that no deletion in the header hides. */
function seen(partition: Partition): unknown {
  // A write that says nothing new makes the stored rows shed what the header hides.
  for (const name of ['a', 'b', 'c']) {
    const old = { kind: 'tombstone', timestamp: 0n, second: 0 } as const;
    partition.apply({
      rows: rowWrites(name, [said({ columns: [{ kind: 'simple', columnId: 9, cell: old }] })]),
    });
  }
  return [...partition.stored].sort().map(([key, value]) => [key, value.toString('hex')]);
}

test('the order of writes changes nothing, nor does doing one twice', () => {
  fc.assert(
    fc.property(
      fc
        .array(anyWrite, { maxLength: 8 })
        .chain((writes) =>
          fc.tuple(
            fc.constant(writes),
            fc.shuffledSubarray([...writes, ...writes], { minLength: 2 * writes.length }),
          ),
        ),
      ([writes, again]) => {
        const one = new Partition();
        for (const write of writes) one.apply(write);
        const other = new Partition();
        for (const write of again) other.apply(write);
        assert.deepEqual(seen(other), seen(one));
      },
    ),
  );
});

test('what cannot be written is refused where the conditions hold, and nobody is told where they do not', () => {
  const partition = new Partition();
  const refusal = new RingfoldError('bad-request', { reason: 'it cannot be' });
  const row = { key: 'a' as ByteString, clusteringKey: 'a' as ByteString };
  const held = partition.apply({ refusal, conditions: [{ row, test: 'exists' }] });
  assert.equal(held.isApplied, false);
  assert.throws(() => partition.apply({ refusal, conditions: [{ row, test: 'not-exists' }] }), refusal);
});
