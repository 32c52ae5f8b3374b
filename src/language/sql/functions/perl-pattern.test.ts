import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linearRegex } from './linear-regex.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  'C',
  '7',
  '-',
  'é',
  '\\d',
  '\\w',
  '\\.',
  '[ab]',
  '[^aC]',
  '[a-c7]',
  '[\\d_]',
);
const quantified = fc
  .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '*?'))
  .map((pair) => pair.join(''));
const sequence = fc.array(quantified, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const pattern = fc
  .tuple(
    fc.constantFrom('', '^'),
    sequence,
    fc.constantFrom('|', '(?:', '('),
    sequence,
    fc.constantFrom('', '$'),
  )
  .map(([start, first, joint, second, end]) =>
    joint === '|' ? `${start}${first}|${second}${end}` : `${start}${first}${joint}${second})?${end}`,
  );
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'C', 'A', '7', '-', '.', 'é', 'É'),
  maxLength: 8,
});

test('a pattern that means the same to Perl and JavaScript finds what it finds in JavaScript', () => {
  fc.assert(
    fc.property(pattern, text, fc.constantFrom('', 'i', 's', 'm', 'is'), (written, searched, modifiers) => {
      // How long a match is, is not compared: of an optional group that matched nothing the two engines think differently.
      assert.equal(
        linearRegex(written, modifiers)?.test(searched),
        new RegExp(written, modifiers).test(searched),
      );
    }),
    { numRuns: 2_000 },
  );
});

test('free spacing and comments change nothing in what a pattern finds', () => {
  fc.assert(
    fc.property(fc.array(quantified, { minLength: 1, maxLength: 4 }), text, (pieces, searched) => {
      const spaced = linearRegex(pieces.join(' # so far\n '), 'x');
      assert.equal(spaced?.exec(searched)?.[0], linearRegex(pieces.join(''), '')?.exec(searched)?.[0]);
    }),
    { numRuns: 500 },
  );
});
