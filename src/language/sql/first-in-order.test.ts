import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { FirstInOrder, placeOfValues } from './first-in-order.ts';
import { canonicalText, compareValues, type SqlValue } from './sql-value.ts';

interface Count {
  n: number;
}

function addTo(groups: FirstInOrder<Count>, value: SqlValue, bytes = 0): void {
  const text = canonicalText(value);
  const found = groups.find(
    text,
    () => placeOfValues([value], text),
    () => ({ n: 0 }),
  );
  if (found === undefined) return;
  found.n++;
  groups.grow(text, bytes);
}

/** JavaScript puts undefined last, whatever it is told. */
function inOrder(values: readonly SqlValue[]): readonly SqlValue[] {
  return values
    .map((one) => [one])
    .sort(compareValues)
    .map(([one]) => one);
}

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<SqlValue>(undefined, null, true, 'a', 'b', [1], { a: 1 }, { a: 2 }),
) as fc.Arbitrary<SqlValue>;

test('the first groups behind a position are kept with all their rows, whatever the order of the rows', () => {
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 300 }),
      fc.integer({ min: 1, max: 6 }),
      fc.option(fc.tuple(value)),
      (rows, capacity, after) => {
        const position = after === null ? undefined : placeOfValues(after, canonicalText(after[0]));
        const groups = new FirstInOrder<Count>([], capacity, position);
        for (const row of rows) addTo(groups, row);
        const behind = rows.filter((row) => after === null || compareValues(row, after[0]) > 0);
        const texts = [...new Set(inOrder(behind).map(canonicalText))];
        const expected = texts
          .slice(0, capacity)
          .map((text) => [text, behind.filter((row) => canonicalText(row) === text).length]);
        const kept = groups.inOrder().map(({ keys, content }) => [canonicalText(keys[1]), content?.n]);
        assert.deepEqual(kept, expected);
        assert.equal(groups.isTrimmed, texts.length > capacity);
      },
    ),
    { numRuns: 300 },
  );
});

test('what is kept is bounded in bytes, and says that more comes after it', () => {
  const groups = new FirstInOrder<Count>([], Number.POSITIVE_INFINITY, undefined);
  for (let n = 0; n < 2_000; n++) addTo(groups, (n * 7_919) % 2_000, 1024 * 1024);
  const kept = groups.inOrder();
  assert.ok(kept.length >= 16 && kept.length <= 64, String(kept.length));
  assert.deepEqual(
    kept.map(({ keys }) => keys[1]),
    Array.from({ length: kept.length }, (_, n) => n),
  );
  assert.equal(groups.isTrimmed, true);
});

test('one group that is too large by itself is refused', () => {
  const groups = new FirstInOrder<Count>([], 10, undefined);
  assert.throws(() => {
    for (let n = 0; n < 200; n++) addTo(groups, 'one', 1024 * 1024);
  }, RingfoldError);
});

test('what is met at several places stands at the first, and not at all where that is before the position', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(9), value), { maxLength: 100 }),
      fc.integer({ min: 1, max: 6 }),
      fc.option(fc.tuple(fc.nat(9), value)),
      fc.boolean(),
      (rows, capacity, after, isDescending) => {
        const placeOf = ([at, one]: readonly [number, SqlValue]): readonly SqlValue[] => [
          at,
          ...placeOfValues([one], canonicalText(one)),
        ];
        const kept = after === null ? capacity : Number.POSITIVE_INFINITY;
        const values = new FirstInOrder<string>(
          [isDescending],
          kept,
          after === null ? undefined : placeOf(after),
        );
        for (const row of rows) values.place(canonicalText(row[1]), placeOf(row), canonicalText(row[1]), 10);
        const compare = (a: readonly [number, SqlValue], b: readonly [number, SqlValue]): number =>
          (isDescending ? b[0] - a[0] : a[0] - b[0]) || compareValues(a[1], b[1]);
        const firsts = new Map<string, readonly [number, SqlValue]>();
        for (const row of rows.toSorted(compare)) {
          const text = canonicalText(row[1]);
          if (!firsts.has(text)) firsts.set(text, row);
        }
        const behind = [...firsts].filter(([, row]) => after === null || compare(row, after) > 0);
        const expected = behind.map(([text]) => text).slice(0, kept);
        const found = values.inOrder().flatMap(({ content }) => content ?? []);
        assert.deepEqual(found, expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('values that were given on earlier pages are remembered within bounds', () => {
  const values = new FirstInOrder<number>([], Number.POSITIVE_INFINITY, [5]);
  assert.throws(() => {
    for (let n = 0; n < 2_000_000; n++) values.place(`"${n}"`, [1, n], n, 10);
  }, RingfoldError);
});
