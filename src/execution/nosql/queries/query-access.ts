// How a query may come by its items other than by looking at all of them. It is data, made from the query alone: which of it an index can
// serve is known where the index is. Everything found this way is looked at again by the query itself.

import type { ByteString } from '../../../foundation/byte-string.ts';
import type { IndexedOrder } from '../indexes/item-index.ts';

/** Value bytes, or what such bytes begin with. */
export interface ValueRange {
  /** Included. */
  readonly from: ByteString;
  /** Excluded; undefined for the end of all values. */
  readonly to: ByteString | undefined;
}

/** Items that have a value in one of the ranges. */
export interface IndexSeek {
  readonly kind: 'seek';
  readonly order: IndexedOrder;
  /** In order; none touches another. */
  readonly ranges: readonly ValueRange[];
}

/** A superset of what a filter lets pass. */
export type FilterAccess =
  | IndexSeek
  /** What is in all of them. Each alone would do. */
  | { readonly kind: 'all'; readonly of: readonly FilterAccess[] }
  /** What is in one of them. All are needed. */
  | { readonly kind: 'any'; readonly of: readonly FilterAccess[] };

/** An order of entries that is the order of the results. */
export interface OrderAccess {
  readonly order: IndexedOrder;
  /** Whether the last value comes first. */
  readonly isReversed: boolean;
  /** Whether of equal values the highest rid comes first: that goes by the results, whichever way the index has its values. */
  readonly hasHighRidsFirst: boolean;
  readonly ranges: readonly ValueRange[];
  /** Items that have no entry, because they have nothing at the path, may be results too. */
  readonly mayLack: boolean;
  /** The bytes that an entry has whose result has these keys. */
  readonly valueOf: (keys: readonly unknown[]) => ByteString;
}

export interface QueryAccess {
  readonly filter: FilterAccess | undefined;
  /** The best first. */
  readonly orders: readonly OrderAccess[];
}

export const scansOnly: QueryAccess = { filter: undefined, orders: [] };

export const allValues: readonly ValueRange[] = [{ from: '' as ByteString, to: undefined }];

/** Sorted, and joined where they touch. */
export function unitedRanges(ranges: readonly ValueRange[]): readonly ValueRange[] {
  const sorted = [...ranges].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const united: ValueRange[] = [];
  for (const range of sorted) {
    if (range.to !== undefined && range.to <= range.from) continue;
    const last = united.at(-1);
    if (last === undefined || (last.to !== undefined && last.to < range.from)) united.push(range);
    else united[united.length - 1] = { from: last.from, to: laterEnd(last.to, range.to) };
  }
  return united;
}

/** What is in both. Each is sorted and without overlap. */
export function commonRanges(
  left: readonly ValueRange[],
  right: readonly ValueRange[],
): readonly ValueRange[] {
  const common: ValueRange[] = [];
  for (let [l, r] = [0, 0]; ; ) {
    const [a, b] = [left[l], right[r]];
    if (a === undefined || b === undefined) return common;
    const from = a.from > b.from ? a.from : b.from;
    const isLeftFirst = b.to === undefined || (a.to !== undefined && a.to <= b.to);
    const to = isLeftFirst ? a.to : b.to;
    if (to === undefined || from < to) common.push({ from, to });
    if (isLeftFirst) l++;
    else r++;
  }
}

/** They are sorted. */
export function isInRanges(value: ByteString, ranges: readonly ValueRange[]): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { to } = ranges[middle] as ValueRange;
    if (to !== undefined && to <= value) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range.from <= value;
}

function laterEnd(a: ByteString | undefined, b: ByteString | undefined): ByteString | undefined {
  if (a === undefined || b === undefined) return undefined;
  return a > b ? a : b;
}
