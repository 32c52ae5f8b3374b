import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CqlCell, isExpiredAt, isLiveCell } from './cql-cell.ts';
import { type CqlRow, mergeRows, purgeRow } from './cql-row.ts';
import { encodeRow } from './cql-row-codec.ts';
import { encodePlainRow, replacedByPlain } from './plain-row-codec.ts';
import { encodeStoredItem } from './stored-item.ts';

const nowSeconds = 1_000_000;

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const timestamp = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(-2n, 2n) },
  { weight: 1, arbitrary: fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n) },
);
const ttl = fc.integer({ min: 1, max: 630_720_000 });

/** Of the kinds that one INSERT or UPDATE writes: ids ascend, and all share their time. */
const plain = fc
  .record({
    timestamp,
    ttlSeconds: optional(ttl),
    isMarked: fc.boolean(),
    columns: fc.uniqueArray(
      fc.record({
        id: fc.constantFrom(1, 2, 3, 4, 300),
        value: fc.option(bytes),
      }),
      { selector: ({ id }) => id, maxLength: 5 },
    ),
  })
  .map(({ ttlSeconds, columns, ...rest }) => ({
    ...rest,
    expiry: ttlSeconds === undefined ? undefined : { ttlSeconds, second: nowSeconds + ttlSeconds },
    second: nowSeconds,
    columns: columns.toSorted((left, right) => left.id - right.id),
  }))
  .filter(({ isMarked, columns }) => isMarked || columns.length > 0);

const expiry = optional(
  fc.record({
    ttlSeconds: fc.integer({ min: 1, max: 9 }),
    second: fc.integer({ min: nowSeconds - 3, max: nowSeconds + 3 }),
  }),
);
const cell: fc.Arbitrary<CqlCell> = fc.oneof(
  fc.record({ kind: fc.constant('live' as const), timestamp, expiry, value: bytes }),
  fc.record({
    kind: fc.constant('tombstone' as const),
    timestamp,
    second: fc.integer({ min: 0, max: nowSeconds }),
  }),
);
/** Anything that may stand in a store, though mostly what another plain write left there. */
const storedRow: fc.Arbitrary<CqlRow> = fc.oneof(
  { weight: 3, arbitrary: plain.map(rowOf) },
  {
    weight: 1,
    arbitrary: fc.record({
      liveness: optional(fc.record({ timestamp, expiry })),
      deletion: optional(fc.record({ timestamp, second: fc.constant(nowSeconds) })),
      clusteringAsWritten: optional(bytes),
      columns: fc
        .uniqueArray(
          fc.oneof(
            fc.record({
              kind: fc.constant('simple' as const),
              columnId: fc.integer({ min: 1, max: 4 }),
              cell,
            }),
            fc.record({
              kind: fc.constant('collection' as const),
              columnId: fc.integer({ min: 5, max: 6 }),
              deletion: fc.constant({ timestamp: 1n, second: 1 }),
              cells: fc.constant([]),
            }),
          ),
          { selector: ({ columnId }) => columnId },
        )
        .map((columns) => columns.toSorted((left, right) => left.columnId - right.columnId)),
    }),
  },
);

function rowOf(write: typeof plain extends fc.Arbitrary<infer T> ? T : never): CqlRow {
  const { timestamp: time, expiry: end, second } = write;
  return {
    liveness: write.isMarked ? { timestamp: time, expiry: end } : undefined,
    deletion: undefined,
    clusteringAsWritten: undefined,
    columns: write.columns.map(({ id, value }) => ({
      kind: 'simple',
      columnId: id,
      cell:
        value === null
          ? { kind: 'tombstone', timestamp: time, second }
          : { kind: 'live', timestamp: time, expiry: end, value },
    })),
  };
}

function encoded(write: Parameters<typeof rowOf>[0]): { readonly stored: Buffer; readonly ids: number[] } {
  const ids = write.columns.map(({ id }) => id);
  return {
    stored: encodePlainRow(
      write,
      ids,
      write.columns.map(({ value }) => value),
    ),
    ids,
  };
}

function storedForm(row: CqlRow): Buffer {
  const payload = encodeRow(row);
  return encodeStoredItem({
    kind: 'cql-row',
    timestamp: undefined,
    ttlSeconds: undefined,
    rid: undefined,
    payload,
  });
}

function isSeen({ liveness, columns }: CqlRow): boolean {
  if (liveness !== undefined && !isExpiredAt(liveness.expiry, nowSeconds)) return true;
  return columns.some((column) => column.kind === 'simple' && isLiveCell(column.cell, nowSeconds));
}

test('a plain row has the bytes that the row it stands for has', () => {
  fc.assert(
    fc.property(plain, (write) => assert.deepEqual(encoded(write).stored, storedForm(rowOf(write)))),
    { numRuns: 500 },
  );
});

test('values that are not set are left out', () => {
  const times = { timestamp: 5n, expiry: undefined, second: 7, isMarked: true };
  assert.deepEqual(
    encodePlainRow(times, [1, 2, 900], [undefined, null, Buffer.from('x')]),
    encodePlainRow(times, [2, 900], [null, Buffer.from('x')]),
  );
});

test('where a stored row is replaced by a plain one, nothing of it would have stayed', () => {
  let replaced = 0;
  fc.assert(
    fc.property(storedRow, plain, (before, write) => {
      const { stored, ids } = encoded(write);
      const verdict = replacedByPlain(storedForm(before), stored, ids, nowSeconds);
      if (verdict === undefined) return;
      replaced += 1;
      const merged = purgeRow(mergeRows(before, rowOf(write)), nowSeconds, nowSeconds);
      assert.deepEqual(stored, storedForm(merged));
      assert.equal(verdict, isSeen(before) ? 'live' : 'dead');
    }),
    { numRuns: 3_000 },
  );
  assert.ok(replaced > 50, `only ${replaced} rows were replaced`);
});

test('an INSERT over the row of an older INSERT replaces it', () => {
  const values = [Buffer.from('a'), null];
  const times = { expiry: undefined, second: nowSeconds, isMarked: true };
  const before = encodePlainRow({ ...times, timestamp: 1n }, [1, 2], values);
  const after = encodePlainRow({ ...times, timestamp: 2n }, [1, 2, 3], [...values, values[0]]);
  assert.equal(replacedByPlain(before, after, [1, 2, 3], nowSeconds), 'live');
  assert.equal(replacedByPlain(after, before, [1, 2], nowSeconds), undefined);
  assert.equal(replacedByPlain(before, before, [1, 2], nowSeconds), undefined);
});

test('bytes that are no row are left to a decoder', () => {
  const times = {
    timestamp: 1n,
    expiry: { ttlSeconds: 300, second: nowSeconds + 300 },
    second: 1,
    isMarked: true,
  };
  const after = encodePlainRow({ ...times, timestamp: 2n }, [1], [Buffer.from('abc')]);
  const before = encodePlainRow(times, [1], [Buffer.from('abc')]);
  assert.equal(replacedByPlain(before, after, [1], nowSeconds), 'live');
  for (let length = 0; length < before.length; length++) {
    assert.equal(replacedByPlain(before.subarray(0, length), after, [1], nowSeconds), undefined);
  }
  assert.equal(replacedByPlain(Buffer.concat([before, Buffer.of(0)]), after, [1], nowSeconds), undefined);
});
