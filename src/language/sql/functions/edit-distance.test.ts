import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { areWithinEdits } from './edit-distance.ts';

/** The usual table, whole. */
function editsBetween(first: string, second: string): number {
  let edits = Array.from({ length: second.length + 1 }, (_, at) => at);
  for (let read = 1; read <= first.length; read++) {
    const next = [read];
    for (let at = 1; at <= second.length; at++) {
      const kept = (edits[at - 1] ?? 0) + (first[read - 1] === second[at - 1] ? 0 : 1);
      next.push(Math.min(kept, (edits[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    edits = next;
  }
  return edits[second.length] ?? 0;
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

test('words are as near as the letters that have to be put in, left out or changed', () => {
  fc.assert(
    fc.property(word, word, fc.nat({ max: 2 }), (first, second, most) => {
      assert.equal(areWithinEdits(first, second, most), editsBetween(first, second) <= most);
    }),
    { numRuns: 5_000 },
  );
});

test('words as long as an item can hold are compared in no time', () => {
  const long = 'ab'.repeat(500_000);
  assert.equal(areWithinEdits(long, `${long}c`, 1), true);
  assert.equal(areWithinEdits(long, `c${long.slice(1)}d`, 1), false);
});
