import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { Decision } from '../../../storage/partition-store.ts';
import { decodeRow } from '../../../values/cql-row-codec.ts';
import { encodeHeader } from '../../../values/partition-header.ts';
import { encodePlainRow } from '../../../values/plain-row-codec.ts';
import { decodeStoredItem, encodeStoredItem } from '../../../values/stored-item.ts';
import { applyPartitionWrite } from './apply-partition-write.ts';
import type { PartitionWrite, RowWrites } from './partition-write.ts';

const headerKey = 'h' as ByteString;
const key = 'r' as ByteString;
const nowSeconds = 1_000_000;

const value = fc.option(fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)));
/** One INSERT or UPDATE of columns among four, which shows a row; done in one of the seconds. */
const writeIn = (...seconds: readonly number[]) =>
  fc
    .record({
      timestamp: fc.bigInt(1n, 4n),
      isMarked: fc.boolean(),
      ttlSeconds: fc.option(fc.constantFrom(10, 20), { nil: undefined }),
      second: fc.constantFrom(...seconds),
      columns: fc.dictionary(fc.constantFrom('1', '2', '3', '300'), value),
    })
    .map(({ timestamp, isMarked, ttlSeconds, second, columns }) => {
      const expiry = ttlSeconds === undefined ? undefined : { ttlSeconds, second: second + ttlSeconds };
      const columnIds = Object.keys(columns).map(Number);
      const stored = encodePlainRow(
        { timestamp, expiry, second, isMarked },
        columnIds,
        Object.values(columns),
      );
      const isLive = isMarked || Object.values(columns).some((one) => one !== null);
      return { stored, columnIds, isLive };
    })
    .filter(({ isLive }) => isLive);
const header = fc.option(
  fc.record({
    deletion: fc.option(fc.record({ timestamp: fc.bigInt(0n, 3n), second: fc.constant(nowSeconds) }), {
      nil: undefined,
    }),
    rangeTombstones: fc.constant([]),
    staticRow: fc.constant(undefined),
    byteCount: fc.constant(0),
  }),
);

function decided(
  row: Partial<RowWrites>,
  rows: ReadonlyMap<ByteString, Buffer>,
  more: Partial<PartitionWrite>,
): Decision {
  return applyPartitionWrite(
    {
      headerKey,
      nowSeconds,
      gcBeforeSecond: nowSeconds - 5,
      columnIds: undefined,
      deletion: undefined,
      rangeTombstones: [],
      staticSteps: [],
      rows: [{ key, clusteringKey: key, steps: [], ...row }],
      conditions: undefined,
      ...more,
    },
    { get: (one) => rows.get(one) ?? null, range: () => [] },
  );
}

test('a plain write does, bytes and charge alike, what its row would do as a step', () => {
  const dropped = fc.constantFrom<PartitionWrite['columnIds']>(
    undefined,
    [1, 2, 300].map((id) => ({ id, droppedAt: id === 1 ? 2n : undefined })),
  );
  fc.assert(
    fc.property(
      fc.option(writeIn(nowSeconds - 15, nowSeconds)),
      writeIn(nowSeconds),
      header,
      dropped,
      (before, plain, around, columnIds) => {
        const rows = new Map<ByteString, Buffer>();
        if (before !== null) rows.set(key, before.stored);
        if (around !== null) {
          const none = { timestamp: undefined, ttlSeconds: undefined, rid: undefined };
          rows.set(
            headerKey,
            encodeStoredItem({ kind: 'partition-header', ...none, payload: encodeHeader(around) }),
          );
        }
        const row = decodeRow(decodeStoredItem(plain.stored).payload);
        const asStep = decided({ steps: [[{ kind: 'merge', row }]] }, rows, { columnIds });
        assert.deepEqual(decided({ plain }, rows, { columnIds }), asStep);
        if (around !== null) return;
        assert.deepEqual(decided({ plain }, rows, { columnIds, headerKey: undefined }), asStep);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a row above the limit is refused', () => {
  const times = { timestamp: 1n, expiry: undefined, second: nowSeconds, isMarked: true };
  const stored = encodePlainRow(times, [1], [Buffer.alloc(2 * 2 ** 20)]);
  const decision = decided({ plain: { stored, columnIds: [1] } }, new Map(), {});
  assert.equal(decision.kind === 'refuse' && decision.error.code, 'transaction-too-large');
});
