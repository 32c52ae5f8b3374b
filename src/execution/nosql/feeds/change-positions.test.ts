import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changePositionsFrom, textOfChangePositions } from './change-positions.ts';

test('positions are what they were after a way through text', () => {
  const start = fc.oneof(
    fc.nat().map((lsn) => ({ kind: 'after' as const, lsn })),
    fc.nat().map((seconds) => ({ kind: 'time' as const, seconds })),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.nat(1e6), start), { selector: ([id]) => id, minLength: 1 }),
      (entries) => {
        const positions = new Map(entries);
        assert.deepEqual(changePositionsFrom(textOfChangePositions(positions)), positions);
      },
    ),
  );
});

test('what is no position is refused', () => {
  for (const text of [
    '',
    '1',
    '1=',
    '=1',
    '1=2,',
    '1=2;2=3',
    'a=1',
    '1=1@2',
    '1=-1',
    `1=${'9'.repeat(16)}`,
  ]) {
    assert.equal(changePositionsFrom(text), undefined, text);
  }
});
