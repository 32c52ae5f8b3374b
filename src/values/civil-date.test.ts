import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateOfDays, daysInMonth, daysOfDate } from './civil-date.ts';

test('each day of 400 years is the one after the day before, and every such stretch is like the last', () => {
  let expected = { year: 1600, month: 1, day: 1 };
  const first = daysOfDate(expected);
  for (let days = first; days < first + 146_097; days++) {
    assert.deepEqual(dateOfDays(days), expected);
    assert.equal(daysOfDate(expected), days);
    const { year, month, day } = expected;
    if (day < daysInMonth(year, month)) expected = { year, month, day: day + 1 };
    else expected = month < 12 ? { year, month: month + 1, day: 1 } : { year: year + 1, month: 1, day: 1 };
  }
  assert.deepEqual(expected, { year: 2000, month: 1, day: 1 });
});

test('days and dates convert into one another as far as a timestamp reaches', () => {
  fc.assert(
    fc.property(fc.integer({ min: -106_751_991_168, max: 106_751_991_167 }), (days) => {
      const date = dateOfDays(days);
      assert.equal(daysOfDate(date), days);
      assert.ok(date.day >= 1 && date.day <= daysInMonth(date.year, date.month));
    }),
  );
  assert.equal(daysOfDate({ year: 1970, month: 1, day: 1 }), 0);
});
