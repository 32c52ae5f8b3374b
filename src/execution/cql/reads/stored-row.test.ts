import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyColumn } from '../../../catalog/cql/build-table.ts';
import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import type { CqlCell, Expiry } from '../../../values/cql-cell.ts';
import { type CqlColumn, type CqlRow, liveView, normaliseRow, shadowRow } from '../../../values/cql-row.ts';
import { encodeRow } from '../../../values/cql-row-codec.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import type { Deletion } from '../../../values/deletion.ts';
import { encodeCellPath } from '../../../values/ordered-key.ts';
import { valueOfCells } from './collection-value.ts';
import { rowColumns } from './row-columns.ts';
import { StoredRow } from './stored-row.ts';

const mapType: CqlType = { kind: 'map', key: { kind: 'int' }, value: { kind: 'int' }, frozen: false };

/** One and two have one cell, three has many; four was dropped. */
const columns: readonly ColumnSchema[] = [
  column('one', 1, { kind: 'int' }),
  column('two', 2, { kind: 'text' }),
  column('three', 3, mapType),
];

test('what is shown of a stored row is what merging, shadowing and expiring leave of it', () => {
  const shown = new StoredRow(rowColumns(columns));
  fc.assert(
    fc.property(anyRow(), anyDeletion(), fc.nat(20), (row, around, nowSeconds) => {
      const stored = normaliseRow(row);
      const bytes = Buffer.concat([Buffer.from('xx'), encodeRow(stored), Buffer.from('behind it')]);
      const isLive = shown.load(bytes, 2, bytes.length - 9, around, nowSeconds);
      const view = liveView(shadowRow({ ...stored, columns: known(stored.columns) }, around), nowSeconds);
      assert.equal(isLive, view !== undefined);
      for (const each of columns) {
        const expected = isLive ? valueIn(view, each) : null;
        assert.deepEqual(isLive ? shown.value(each) : null, expected);
      }
    }),
    { numRuns: 500 },
  );
});

test('a row that was let go shows nothing, and can be loaded again', () => {
  const shown = new StoredRow(rowColumns(columns));
  fc.assert(
    fc.property(anyRow(), (row) => {
      const bytes = encodeRow(normaliseRow(row));
      const isLive = shown.load(bytes, 0, bytes.length, undefined, 0);
      const values = columns.map((each) => shown.value(each));
      shown.letGo();
      for (const each of columns) assert.deepEqual([shown.value(each), shown.cells(each)], [null, []]);
      assert.equal(shown.clusteringAsWritten, undefined);
      assert.equal(shown.load(bytes, 0, bytes.length, undefined, 0), isLive);
      assert.deepEqual(
        columns.map((each) => shown.value(each)),
        values,
      );
    }),
  );
});

test('the times of a cell are its own or its row’s, and a lifetime is what is left of it', () => {
  const shown = new StoredRow(rowColumns(columns));
  fc.assert(
    fc.property(anyRow(), fc.nat(20), (row, nowSeconds) => {
      const stored = normaliseRow(row);
      const bytes = encodeRow(stored);
      if (!shown.load(bytes, 0, bytes.length, undefined, nowSeconds)) return;
      const view = liveView(stored, nowSeconds);
      for (const each of columns.slice(0, 2)) {
        const found = view?.columns.find(({ columnId }) => columnId === each.id);
        const cell = found?.kind === 'simple' && found.cell.kind === 'live' ? found.cell : undefined;
        const expected = cell && {
          timestamp: cell.timestamp,
          ttlSeconds: cell.expiry && cell.expiry.second - nowSeconds,
        };
        assert.deepEqual(shown.cell(each), expected);
      }
    }),
  );
});

test('bytes that end too early are corrupt, wherever they end', () => {
  const shown = new StoredRow(rowColumns(columns));
  const cell: CqlCell = { kind: 'live', timestamp: 5n, expiry: undefined, value: Buffer.from('value') };
  const bytes = encodeRow({
    liveness: { timestamp: 5n, expiry: undefined },
    deletion: undefined,
    clusteringAsWritten: undefined,
    columns: [{ kind: 'simple', columnId: 2, cell }],
  });
  for (let length = 9; length < bytes.length; length++) {
    const cut = bytes.subarray(0, length);
    assert.throws(() => shown.load(cut, 0, length, undefined, 1), { code: 'corrupt-data' });
    assert.throws(() => shown.load(bytes, 0, length, undefined, 1), { code: 'corrupt-data' });
  }
});

function column(name: string, id: number, type: CqlType): ColumnSchema {
  return { ...keyColumn(name, type, 'clustering', -1, false), id, kind: 'regular' };
}

function known(all: readonly CqlColumn[]): readonly CqlColumn[] {
  return all.filter(({ columnId }) => columns.some(({ id }) => id === columnId));
}

function valueIn(view: CqlRow | undefined, { id, type }: ColumnSchema): Buffer | null {
  const found = view?.columns.find(({ columnId }) => columnId === id);
  if (found === undefined) return null;
  if (found.kind === 'simple') return found.cell.kind === 'live' ? found.cell.value : null;
  const cells = found.cells.map(({ path, pathAsWritten, cell }) => ({
    path,
    pathAsWritten,
    value: cell.kind === 'live' ? cell.value : Buffer.alloc(0),
    timestamp: cell.timestamp,
    ttlSeconds: undefined,
  }));
  return valueOfCells(type, cells);
}

function anyRow(): fc.Arbitrary<CqlRow> {
  return fc.record({
    liveness: fc.option(fc.record({ timestamp: anyTimestamp(), expiry: anyExpiry() }), { nil: undefined }),
    deletion: anyDeletion(),
    clusteringAsWritten: fc.option(fc.constant(Buffer.from('written')), { nil: undefined }),
    columns: fc
      .tuple(
        fc.option(anySimple(1), { nil: undefined }),
        fc.option(anySimple(2), { nil: undefined }),
        fc.option(anyCollection(3), { nil: undefined }),
        fc.option(anySimple(4), { nil: undefined }),
      )
      .map((all) => all.filter((one) => one !== undefined)),
  });
}

function anySimple(columnId: number): fc.Arbitrary<CqlColumn> {
  return anyCell().map((cell) => ({ kind: 'simple', columnId, cell }));
}

function anyCollection(columnId: number): fc.Arbitrary<CqlColumn> {
  const keys = fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 4 });
  return fc
    .tuple(anyDeletion(), keys, fc.array(anyCell(), { minLength: 4, maxLength: 4 }))
    .map(([deletion, numbers, cells]) => ({
      kind: 'collection',
      columnId,
      deletion,
      cells: numbers
        .sort((left, right) => left - right)
        .flatMap((number, at) => {
          const key = Buffer.alloc(4);
          key.writeInt32BE(number);
          const cell = cells[at];
          const path = encodeCellPath({ kind: 'int' }, key);
          return cell === undefined ? [] : [{ path, pathAsWritten: at === 2 ? key : undefined, cell }];
        }),
    }));
}

function anyCell(): fc.Arbitrary<CqlCell> {
  return fc.oneof(
    fc.record({
      kind: fc.constant('live' as const),
      timestamp: anyTimestamp(),
      expiry: anyExpiry(),
      value: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    }),
    fc.record({ kind: fc.constant('tombstone' as const), timestamp: anyTimestamp(), second: fc.nat(20) }),
  );
}

function anyTimestamp(): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: -3n, max: 6n });
}

function anyExpiry(): fc.Arbitrary<Expiry | undefined> {
  return fc.option(fc.record({ ttlSeconds: fc.constantFrom(1, 500), second: fc.nat(20) }), {
    nil: undefined,
  });
}

function anyDeletion(): fc.Arbitrary<Deletion | undefined> {
  return fc.option(fc.record({ timestamp: anyTimestamp(), second: fc.nat(20) }), { nil: undefined });
}
