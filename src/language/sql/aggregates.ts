import { asNumber, canonicalText, compareValues, isPrimitive, type SqlValue } from './sql-value.ts';

/** One group's running value of one aggregate. Inputs that are undefined are not given to it. */
export interface Accumulator {
  add(value: SqlValue): void;
  result(): SqlValue;
  /** How much it keeps, roughly; most keep next to nothing. */
  readonly sizeBytes: number;
}

export const aggregates: Readonly<Record<string, () => Accumulator>> = {
  COUNT: () => new CountAccumulator(() => true),
  COUNTIF: () => new CountAccumulator((value) => value === true),
  SUM: () => new SumAccumulator((sum) => sum),
  AVG: () => new SumAccumulator((sum, count) => (count === 0 ? undefined : sum / count)),
  MIN: () => new ExtremeAccumulator((order) => order < 0),
  MAX: () => new ExtremeAccumulator((order) => order > 0),
  MAKELIST: () => new ListAccumulator(false),
  MAKESET: () => new ListAccumulator(true),
  // Of no query that clients write; see distinct-count.ts.
  _COUNTDISTINCT: () => new DistinctAccumulator(),
};

export function isAggregate(name: string): boolean {
  return Object.hasOwn(aggregates, name.toUpperCase());
}

class CountAccumulator implements Accumulator {
  readonly sizeBytes = 8;
  readonly #counts: (value: SqlValue) => boolean;
  #count = 0;

  constructor(counts: (value: SqlValue) => boolean) {
    this.#counts = counts;
  }

  add(value: SqlValue): void {
    if (this.#counts(value)) this.#count++;
  }

  result(): SqlValue {
    return this.#count;
  }
}

/** Undefined once something was no number. */
class SumAccumulator implements Accumulator {
  readonly sizeBytes = 24;
  readonly #finish: (sum: number, count: number) => number | undefined;
  #sum = 0;
  #count = 0;
  #isBroken = false;

  constructor(finish: (sum: number, count: number) => number | undefined) {
    this.#finish = finish;
  }

  add(value: SqlValue): void {
    this.#count++;
    const number = asNumber(value);
    if (typeof number === 'number') this.#sum += number;
    else this.#isBroken = true;
  }

  result(): SqlValue {
    const result = this.#isBroken ? undefined : this.#finish(this.#sum, this.#count);
    return Number.isFinite(result) ? result : undefined;
  }
}

/** Undefined once something was an array or an object. */
class ExtremeAccumulator implements Accumulator {
  readonly #wins: (order: number) => boolean;
  #best: SqlValue;
  #isBroken = false;

  constructor(wins: (order: number) => boolean) {
    this.#wins = wins;
  }

  get sizeBytes(): number {
    return 16 + (typeof this.#best === 'string' ? this.#best.length * 2 : 0);
  }

  add(value: SqlValue): void {
    if (!isPrimitive(value)) this.#isBroken = true;
    else if (this.#best === undefined || this.#wins(compareValues(value, this.#best))) this.#best = value;
  }

  result(): SqlValue {
    return this.#isBroken ? undefined : this.#best;
  }
}

class DistinctAccumulator implements Accumulator {
  readonly #seen = new Set<string>();
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(value: SqlValue): void {
    const text = canonicalText(value);
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    this.#sizeBytes += 32 + text.length * 2;
  }

  result(): SqlValue {
    return this.#seen.size;
  }
}

class ListAccumulator implements Accumulator {
  readonly #seen: Set<string> | undefined;
  readonly #list: SqlValue[] = [];
  #sizeBytes = 0;

  constructor(isSet: boolean) {
    this.#seen = isSet ? new Set() : undefined;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(value: SqlValue): void {
    const text = canonicalText(value);
    if (this.#seen?.has(text) === true) return;
    this.#seen?.add(text);
    this.#list.push(value);
    this.#sizeBytes += 32 + text.length * 2;
  }

  /** In the order of all types, as the service gives them. */
  result(): SqlValue {
    return this.#list.toSorted(compareValues);
  }
}
