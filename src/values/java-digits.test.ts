import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printDouble, printFloat } from './java-number-text.ts';

test('floats have the digits that Cassandra 5.0 prints, which are not always the fewest', () => {
  const printed = [
    [2147483648, '2.14748365E9'],
    [123456792, '1.23456792E8'],
    [2 ** 83, '9.6714065E24'],
    [-4.387093681149761e25, '-4.3870936E25'],
    [0.1, '0.1'],
    [3.25, '3.25'],
    [1e10, '1.0E10'],
    [1.4e-45, '1.4E-45'],
    [-0, '-0.0'],
  ] as const;
  for (const [value, text] of printed) assert.equal(printFloat(Math.fround(value)), text);
});

test('doubles have the digits that Cassandra 5.0 prints, which are not always the fewest', () => {
  const printed = [
    [6.906646763815986e18, '6.9066467638159862E18'],
    [2e-3, '0.002'],
    [1e7, '1.0E7'],
    [9999999, '9999999.0'],
    [1e-7, '1.0E-7'],
    [1e100, '1.0E100'],
    [5e-324, '4.9E-324'],
    [2 ** 53 + 2, '9.007199254740994E15'],
    [123456789.123, '1.23456789123E8'],
  ] as const;
  for (const [value, text] of printed) assert.equal(printDouble(value), text);
});

test('what is printed is read back as the same number', () => {
  fc.assert(fc.property(fc.double({ noNaN: true }), (value) => Object.is(Number(printDouble(value)), value)));
  fc.assert(
    fc.property(fc.float({ noNaN: true }), (value) =>
      Object.is(Math.fround(Number(printFloat(value))), value),
    ),
  );
});
