import { type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';
import type { SqlValue } from '../sql-value.ts';

/** Arithmetic on integers of 64 bits. A result beyond 2^53 is the nearest number that JSON readers know. */
export const integerFunctions: SqlFunctions = {
  INTADD: ofTwo((a, b) => a + b),
  INTSUB: ofTwo((a, b) => a - b),
  INTMUL: ofTwo((a, b) => a * b),
  INTDIV: ofTwo((a, b) => (b === 0n ? undefined : a / b)),
  INTMOD: ofTwo((a, b) => (b === 0n ? undefined : a % b)),
  INTBITAND: ofTwo((a, b) => a & b),
  INTBITOR: ofTwo((a, b) => a | b),
  INTBITXOR: ofTwo((a, b) => a ^ b),
  INTBITLEFTSHIFT: ofTwo((a, b) => a << (b & 63n)),
  INTBITRIGHTSHIFT: ofTwo((a, b) => a >> (b & 63n)),
  INTBITNOT: strict(1, 1, ([a]) => {
    const integer = integerOf(a);
    return integer === undefined ? undefined : shown(~integer);
  }),
};

function ofTwo(compute: (a: bigint, b: bigint) => bigint | undefined): SqlFunction {
  return strict(2, 2, ([first, second]) => {
    const a = integerOf(first);
    const b = integerOf(second);
    if (a === undefined || b === undefined) return undefined;
    const result = compute(a, b);
    return result === undefined ? undefined : shown(result);
  });
}

function integerOf(value: SqlValue): bigint | undefined {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 2 ** 63
    ? BigInt.asIntN(64, BigInt(value))
    : undefined;
}

function shown(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}
