import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTable } from '../../../catalog/cql/build-table.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { ReadRow } from '../read-row.ts';
import { noLimit, type PageLimits, type ReadPlan } from './read-plan.ts';
import { type ReadPosition, ResultPage } from './result-page.ts';

const table = buildTable({ keyspace: 'ks', name: 't', partitionKey: [['p', { kind: 'int' }]] });

function planOf(fields: Partial<ReadPlan> = {}): ReadPlan {
  const added: Buffer[] = [];
  return {
    table,
    columns: [],
    target: { kind: 'partitions', keys: [] },
    slices: undefined,
    isReversed: false,
    filter: undefined,
    showsStaticsAlone: true,
    isDistinct: false,
    limit: noLimit,
    perPartitionLimit: noLimit,
    grouping: undefined,
    selection: {
      rowOf: (row) => [nameOf(row)],
      add: (row) => added.push(nameOf(row)),
      takeGroup: () => [Buffer.concat(added.splice(0))],
    },
    plainColumns: undefined,
    sortKeyOf: undefined,
    fingerprint: () => '12345678' as ByteString,
    ...fields,
  };
}

const wide: PageLimits = { rows: 100, bytes: 1_000, examined: 100 };

/** Rows by their names: `a1` is row 1 of partition a, in capitals if it is not live; `a` stands for its static columns alone. */
function fill(plan: ReadPlan, limits: PageLimits, names: string, after?: ReadPosition): string {
  const page = new ResultPage(plan, limits, after);
  let current = '';
  let skipped = '';
  const rows = names.split(' ').filter((name) => name !== '');
  for (const name of rows) {
    const prefix = name.charAt(0).toLowerCase();
    if (prefix === skipped) continue;
    if (current !== '' && current !== prefix && page.endPartition(rowNamed(current), false) === 'end') break;
    current = prefix;
    page.beginPartition(prefix as ByteString);
    const place = { clusteringKey: () => name.slice(1) as ByteString };
    if (name.length === 1) {
      if (page.endPartition(rowNamed(name), true) === 'end') break;
      continue;
    }
    const step = name === name.toLowerCase() ? page.offer(rowNamed(name), place) : page.skip(place);
    if (step === 'end') break;
    if (step === 'next-partition') skipped = prefix;
  }
  if (!page.isEnded && current !== '') page.endPartition(rowNamed(current), false);
  const { rows: given, position } = page.finish();
  const where = position === undefined ? '.' : `> ${position.prefix}${position.clusteringKey ?? '*'}`;
  return `${given.map(([name]) => String(name)).join(' ')} ${where}`.trim();
}

test('a page ends with its rows, its bytes or its work, and says behind which row', () => {
  assert.equal(fill(planOf(), wide, 'a1 a2 b1'), 'a1 a2 b1 .');
  assert.equal(fill(planOf(), { ...wide, rows: 2 }, 'a1 a2 b1'), 'a1 a2 > a2');
  assert.equal(
    fill(planOf(), { ...wide, bytes: 12 }, 'a1 a2 b1'),
    'a1 a2 > a2',
    'four bytes for each length',
  );
  assert.equal(fill(planOf(), { ...wide, examined: 2 }, 'a1 A2 a3'), 'a1 > a2');
});

test('work ends no page that has no row yet, nor one that the client expects to be the only one', () => {
  assert.equal(fill(planOf(), { ...wide, examined: 2 }, 'A1 A2 A3 a4 A5'), 'a4 > a4');
  assert.equal(fill(planOf({ limit: 3 }), { ...wide, rows: 5, examined: 2 }, 'a1 A2 A3 a4'), 'a1 a4 .');
});

test('LIMIT is the end of all pages', () => {
  assert.equal(fill(planOf({ limit: 2 }), wide, 'a1 a2 b1'), 'a1 a2 .');
  assert.equal(fill(planOf({ limit: 2 }), { ...wide, rows: 2 }, 'a1 a2 b1'), 'a1 a2 .');
  const after = position('a', '1', { rowsLeft: 1 });
  assert.equal(fill(planOf({ limit: 2 }), wide, 'a2 b1', after), 'a2 .');
});

test('PER PARTITION LIMIT and DISTINCT leave the rest of a partition out, also where a page ended in it', () => {
  assert.equal(fill(planOf({ perPartitionLimit: 2 }), wide, 'a1 a2 a3 b1'), 'a1 a2 b1 .');
  assert.equal(fill(planOf({ perPartitionLimit: 2 }), { ...wide, rows: 2 }, 'a1 a2 a3 b1'), 'a1 a2 > a*');
  const after = position('a', '1', { rowsLeftInPartition: 1 });
  assert.equal(fill(planOf({ perPartitionLimit: 2 }), wide, 'a2 a3 b1', after), 'a2 b1 .');
  assert.equal(fill(planOf({ isDistinct: true }), { ...wide, rows: 1 }, 'a1 a2 b1'), 'a1 > a*');
});

test('static columns stand alone only where no row of the partition was given, on this page or before it', () => {
  assert.equal(fill(planOf(), wide, 'a1 a b'), 'a1 b .');
  assert.equal(fill(planOf(), wide, 'A1 a b'), 'a b .');
  const given = position('a', '1', { rowsLeftInPartition: noLimit - 1 });
  assert.equal(fill(planOf(), wide, 'a b', given), 'b .');
  assert.equal(fill(planOf(), wide, 'a b', position('a', '1', {})), 'a b .', 'the row there was a dead one');
  assert.equal(fill(planOf({ showsStaticsAlone: false }), wide, 'a b'), '.');
});

test('a group is never cut, and a page ends behind its last row', () => {
  const grouping = (row: ReadRow) => nameOf(row).toString().charAt(1) as ByteString;
  const plan = () => planOf({ grouping });
  assert.equal(fill(plan(), wide, 'a11 a12 a21 b11'), 'a11a12 a21 b11 .');
  assert.equal(fill(plan(), { ...wide, examined: 1 }, 'a11 a12 a21 b11'), 'a11a12 > a12');
  assert.equal(fill(plan(), { ...wide, rows: 2 }, 'a11 a12 a21 b11'), 'a11a12 a21 > a*');
  assert.equal(fill(planOf({ grouping, limit: 1 }), wide, 'a11 a21'), 'a11 .');
});

test('what comes together into one row is one page, whatever its limits', () => {
  const plan = planOf({ grouping: 'everything' });
  assert.equal(fill(plan, { rows: 1, bytes: 1, examined: 1 }, 'a1 a2 b1'), 'a1a2b1 .');
  assert.equal(fill(planOf({ grouping: 'everything' }), wide, ''), '.', 'also of no rows');
});

test('rows that are sorted are limited after that', () => {
  const sortKeyOf = (row: ReadRow) => nameOf(row).toString().slice(1) as ByteString;
  assert.equal(fill(planOf({ sortKeyOf, limit: 3 }), { ...wide, rows: 1 }, 'a1 a4 b2 b3'), 'a1 b2 b3 .');
  const reversed = planOf({ sortKeyOf, isReversed: true });
  assert.equal(fill(reversed, wide, 'a4 a1 b3 b2'), 'a4 b3 b2 a1 .');
});

function position(prefix: string, key: string, fields: Partial<ReadPosition>): ReadPosition {
  return {
    prefix: prefix as ByteString,
    clusteringKey: key as ByteString,
    rowsLeft: noLimit,
    rowsLeftInPartition: noLimit,
    ...fields,
  };
}

function rowNamed(name: string): ReadRow {
  return { value: () => Buffer.from(name), cell: () => undefined, cells: () => [] };
}

function nameOf(row: ReadRow): Buffer {
  const column = table.partitionKey[0];
  assert.ok(column !== undefined);
  return row.value(column) ?? Buffer.alloc(0);
}
