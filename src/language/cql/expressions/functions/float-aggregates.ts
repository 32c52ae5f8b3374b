// Sums of floats as Cassandra makes them: what each addition loses is carried along (Kahan).

import { add, divideToScale } from './decimal-arithmetic.ts';
import { decimalOfDouble, doubleOf } from './java-numbers.ts';

class CompensatedSum {
  sum = 0;
  #compensation = 0;
  #simpleSum = 0;

  add(value: number): void {
    this.#simpleSum += value;
    const corrected = value - this.#compensation;
    const rounded = this.sum + corrected;
    this.#compensation = rounded - this.sum - corrected;
    this.sum = rounded;
  }

  result(): number {
    const total = this.sum + this.#compensation;
    const isInfinite = Math.abs(this.#simpleSum) === Number.POSITIVE_INFINITY;
    return Number.isNaN(total) && isInfinite ? this.#simpleSum : total;
  }
}

export function floatSum(): CompensatedSum {
  return new CompensatedSum();
}

/** Goes on in decimals when doubles are too small for the sum. */
class CompensatedAverage {
  readonly #total = new CompensatedSum();
  #count = 0;
  #overflown: ReturnType<typeof decimalOfDouble> | undefined;

  add(value: number): void {
    this.#count += 1;
    if (this.#overflown !== undefined) {
      this.#overflown = add(this.#overflown, decimalOfDouble(value));
      return;
    }
    const before = this.#total.sum;
    this.#total.add(value);
    if (Math.abs(this.#total.sum) === Number.POSITIVE_INFINITY && Number.isFinite(value)) {
      this.#overflown = add(decimalOfDouble(before), decimalOfDouble(value));
    }
  }

  result(): number {
    if (this.#count === 0) return 0;
    if (this.#overflown === undefined) return this.#total.result() / this.#count;
    const count = { unscaled: BigInt(this.#count), scale: 0 };
    return doubleOf(divideToScale(this.#overflown, count, this.#overflown.scale, 'half-even'));
  }
}

export function floatAverage(): CompensatedAverage {
  return new CompensatedAverage();
}
