import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { type ByteString, byteStringOf } from '../foundation/byte-string.ts';
import type { CqlCell } from './cql-cell.ts';
import {
  type CqlColumn,
  type CqlRow,
  emptyRow,
  isEmptyRow,
  liveView,
  mergeRows,
  normaliseRow,
  purgeRow,
  shadowRow,
} from './cql-row.ts';
import { decodeRow, encodeRow } from './cql-row-codec.ts';

// Small numbers everywhere, so that ties are common.
const plain = { noNullPrototype: true };
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const timestamp = fc.bigInt({ min: -2n, max: 6n });
const second = fc.integer({ min: 0, max: 20 });
const bytes = fc.uint8Array({ maxLength: 2 }).map((array) => Buffer.from(array));
const expiry = fc.record(
  { ttlSeconds: fc.integer({ min: 1, max: 5 }), second: fc.integer({ min: 5, max: 20 }) },
  plain,
);
const deletion = fc.record({ timestamp, second }, plain);
const cell: fc.Arbitrary<CqlCell> = fc.oneof(
  fc.record({ kind: fc.constant('live' as const), timestamp, expiry: optional(expiry), value: bytes }, plain),
  fc.record({ kind: fc.constant('tombstone' as const), timestamp, second }, plain),
);
const collectionCells = fc
  .uniqueArray(
    fc.record(
      {
        path: fc.constantFrom('a', 'b', 'c').map((text) => byteStringOf(Buffer.from(text))),
        pathAsWritten: optional(bytes),
        cell,
      },
      plain,
    ),
    { selector: (entry) => entry.path, maxLength: 3 },
  )
  .map((cells) => cells.sort((left, right) => (left.path < right.path ? -1 : 1)));
// Columns 1 to 3 are simple and 4 to 5 collections: a column id never changes its kind.
const column: fc.Arbitrary<CqlColumn> = fc.oneof(
  fc.record({ kind: fc.constant('simple' as const), columnId: fc.integer({ min: 1, max: 3 }), cell }, plain),
  fc.record(
    {
      kind: fc.constant('collection' as const),
      columnId: fc.integer({ min: 4, max: 5 }),
      deletion: optional(deletion),
      cells: collectionCells,
    },
    plain,
  ),
);
const row: fc.Arbitrary<CqlRow> = fc
  .record(
    {
      liveness: optional(fc.record({ timestamp, expiry: optional(expiry) }, plain)),
      deletion: optional(deletion),
      clusteringAsWritten: optional(bytes),
      columns: fc
        .uniqueArray(column, { selector: (each) => each.columnId, maxLength: 5 })
        .map((columns) => columns.sort((left, right) => left.columnId - right.columnId)),
    },
    plain,
  )
  .map(normaliseRow);

test('merging is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(row, row, row, (a, b, c) => {
      assert.deepEqual(mergeRows(a, a), a);
      assert.deepEqual(mergeRows(a, b), mergeRows(b, a));
      assert.deepEqual(mergeRows(mergeRows(a, b), c), mergeRows(a, mergeRows(b, c)));
      assert.deepEqual(mergeRows(a, emptyRow), a);
    }),
    { numRuns: 1500 },
  );
});

test('what is merged in again changes nothing', () => {
  fc.assert(
    fc.property(row, row, (a, b) => {
      const merged = mergeRows(a, b);
      assert.deepEqual(mergeRows(merged, a), merged);
    }),
    { numRuns: 500 },
  );
});

test('shadowing before or after a merge comes to the same', () => {
  fc.assert(
    fc.property(row, row, deletion, (a, b, by) => {
      assert.deepEqual(shadowRow(mergeRows(a, b), by), mergeRows(shadowRow(a, by), shadowRow(b, by)));
      assert.deepEqual(shadowRow(shadowRow(a, by), by), shadowRow(a, by));
    }),
    { numRuns: 500 },
  );
});

test('a row is stored and read back unchanged', () => {
  fc.assert(
    fc.property(row, (stored) => assert.deepEqual(decodeRow(encodeRow(stored)), stored)),
    { numRuns: 500 },
  );
});

test('purging changes no view, now or later, and purging again changes nothing', () => {
  fc.assert(
    fc.property(row, second, second, second, (stored, now, gcBefore, later) => {
      const purged = purgeRow(stored, now, gcBefore);
      assert.deepEqual(liveView(purged, now + later), liveView(stored, now + later));
      assert.deepEqual(purgeRow(purged, now, gcBefore), purged);
    }),
    { numRuns: 500 },
  );
});

test('a row whose words are all old or expired is empty after purging', () => {
  fc.assert(
    fc.property(row, (stored) => {
      const purged = purgeRow(stored, 1_000, 1_000);
      assert.equal(isEmptyRow(purged), liveView(stored, 1_000) === undefined);
    }),
  );
});

const live = (columnId: number, at: bigint, value: string): CqlColumn => ({
  kind: 'simple',
  columnId,
  cell: { kind: 'live', timestamp: at, expiry: undefined, value: Buffer.from(value) },
});
const dead = (columnId: number, at: bigint): CqlColumn => ({
  kind: 'simple',
  columnId,
  cell: { kind: 'tombstone', timestamp: at, second: 1 },
});
const path = (text: string): ByteString => byteStringOf(Buffer.from(text));

test('after UPDATE and DELETE of its column a row is gone; after INSERT it stays', () => {
  const updated: CqlRow = { ...emptyRow, columns: [live(1, 10n, 'a')] };
  const deleted: CqlRow = { ...emptyRow, columns: [dead(1, 11n)] };
  const inserted: CqlRow = { ...updated, liveness: { timestamp: 10n, expiry: undefined } };
  assert.equal(liveView(mergeRows(updated, deleted), 0), undefined);
  assert.deepEqual(liveView(mergeRows(inserted, deleted), 0)?.columns, []);
});

test('a row deletion hides what has its timestamp, and shows what is newer', () => {
  const deletedAt: CqlRow = { ...emptyRow, deletion: { timestamp: 100n, second: 1 } };
  const written = (at: bigint): CqlRow => ({
    ...emptyRow,
    liveness: { timestamp: at, expiry: undefined },
    columns: [live(1, at, 'a')],
  });
  assert.equal(liveView(mergeRows(deletedAt, written(100n)), 0), undefined);
  assert.equal(liveView(mergeRows(written(101n), deletedAt), 0)?.columns.length, 1);
});

test('assigning a collection hides its older cells and keeps the new ones', () => {
  const entry = (key: string, at: bigint) => ({
    path: path(key),
    pathAsWritten: undefined,
    cell: { kind: 'live', timestamp: at, expiry: undefined, value: Buffer.from(key) } as const,
  });
  const collection = (at: bigint | undefined, ...cells: ReturnType<typeof entry>[]): CqlRow => ({
    ...emptyRow,
    columns: [
      {
        kind: 'collection',
        columnId: 4,
        deletion: at === undefined ? undefined : { timestamp: at, second: 1 },
        cells,
      },
    ],
  });
  const merged = mergeRows(
    collection(undefined, entry('a', 5n), entry('c', 10n)),
    collection(9n, entry('b', 10n)),
  );
  const [view] = liveView(merged, 0)?.columns ?? [];
  assert.ok(view?.kind === 'collection');
  assert.deepEqual(
    view.cells.map((each) => each.path),
    ['b', 'c'],
  );
});

test('a row written by one INSERT takes few bytes beside its values', () => {
  const inserted: CqlRow = {
    ...emptyRow,
    liveness: { timestamp: 1_790_000_000_000_000n, expiry: { ttlSeconds: 86_400, second: 1_790_086_400 } },
    columns: [1, 2, 3, 4, 5].map((columnId) => ({
      kind: 'simple',
      columnId,
      cell: {
        kind: 'live',
        timestamp: 1_790_000_000_000_000n,
        expiry: { ttlSeconds: 86_400, second: 1_790_086_400 },
        value: Buffer.alloc(4),
      },
    })),
  };
  assert.equal(encodeRow(inserted).length, 1 + 8 + 7 + 1 + 5 * (3 + 4));
});

test('bytes whose columns or paths do not ascend are corrupt data', () => {
  const header = '000000000000000001';
  const isCorrupt = (error: unknown) => error instanceof RingfoldError && error.code === 'corrupt-data';
  const decode = (columns: string) => decodeRow(Buffer.from(header + columns, 'hex'));
  assert.equal(decode('02010000020000').columns.length, 2);
  assert.throws(() => decode('02010000000000'), isCorrupt);
  assert.equal(decode('010180020001610000016200').columns.length, 1);
  assert.throws(() => decode('010180020001620000016100'), isCorrupt);
  assert.throws(() => decode('010180020001610000016100'), isCorrupt);
});

test('random and damaged bytes are a row or corrupt data', () => {
  const check = (damaged: Buffer) => {
    try {
      decodeRow(damaged);
    } catch (error) {
      assert.ok(error instanceof RingfoldError && error.code === 'corrupt-data', String(error));
    }
  };
  fc.assert(fc.property(fc.uint8Array(), (random) => check(Buffer.from(random))));
  fc.assert(
    fc.property(row, fc.nat(), fc.integer({ min: 1, max: 255 }), (stored, at, change) => {
      const damaged = encodeRow(stored);
      damaged[at % damaged.length] = (damaged[at % damaged.length] ?? 0) ^ change;
      check(damaged);
      check(damaged.subarray(0, at % damaged.length));
    }),
    { numRuns: 500 },
  );
});
