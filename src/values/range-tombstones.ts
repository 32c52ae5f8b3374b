import { type ByteString, emptyBytes, endOfPrefix } from '../foundation/byte-string.ts';
import { type Deletion, laterDeletion, supersedes } from './deletion.ts';

/** Deleted rows from `from` (included) to `to` (excluded; undefined is the partition's end), as ordered clustering keys. */
export interface RangeTombstone {
  readonly from: ByteString;
  readonly to: ByteString | undefined;
  readonly deletion: Deletion;
}

/** One end of a DELETE's range: the first clustering values, encoded, and whether rows with these belong to it. */
export interface ClusteringBound {
  readonly prefix: ByteString;
  readonly inclusive: boolean;
}

/**
 * The rows between two bounds; undefined leaves that end open. Keys that begin with a prefix are exactly those from
 * it up to `endOfPrefix`, so included and excluded bounds both become plain places between keys.
 */
export function clusteringRange(
  start: ClusteringBound | undefined,
  end: ClusteringBound | undefined,
): { readonly from: ByteString; readonly to: ByteString | undefined } | undefined {
  const from =
    start === undefined || start.inclusive ? (start?.prefix ?? emptyBytes) : endOfPrefix(start.prefix);
  const to = end?.inclusive ? endOfPrefix(end.prefix) : end?.prefix;
  // No key is greater than one of bytes FF only, so nothing follows it; and a range may be empty from the start.
  if (from === undefined || (to !== undefined && from >= to)) return undefined;
  return { from, to };
}

/**
 * The strongest deletion for every key, as ranges in ascending order that do not overlap and do not touch where they
 * say the same: one form for one meaning, so merges may come in any order. What `around` deletes anyway is left out.
 */
export function mergeRangeTombstones(
  left: readonly RangeTombstone[],
  right: readonly RangeTombstone[],
  around: Deletion | undefined,
): RangeTombstone[] {
  return strongestOf([...left, ...right].filter((range) => supersedes(range.deletion, around)));
}

/** One more to many that are in their form already: only those that it meets or touches are looked at. */
export function addRangeTombstone(
  known: readonly RangeTombstone[],
  added: RangeTombstone,
): readonly RangeTombstone[] {
  const { from, to } = added;
  const start = firstIndex(known, (range) => range.to === undefined || range.to >= from);
  const end = to === undefined ? known.length : firstIndex(known, (range) => range.from > to);
  const met = strongestOf([...known.slice(start, end), added]);
  return [...known.slice(0, start), ...met, ...known.slice(end)];
}

/** Of the first range for which it holds; it holds for all behind that one too. */
function firstIndex(ranges: readonly RangeTombstone[], holds: (range: RangeTombstone) => boolean): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range !== undefined && holds(range)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function strongestOf(all: RangeTombstone[]): RangeTombstone[] {
  const merged: RangeTombstone[] = [];
  const cuts = [...new Set(all.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])))].sort(
    ascending,
  );
  all.sort((one, other) => ascending(one.from, other.from));
  const open: RangeTombstone[] = [];
  let next = 0;
  for (const [at, from] of cuts.entries()) {
    for (let opening = all[next]; opening !== undefined && opening.from === from; opening = all[++next]) {
      open.push(opening);
    }
    removeEnded(open, from);
    const deletion = open.reduce<Deletion | undefined>(
      (strongest, range) => laterDeletion(strongest, range.deletion),
      undefined,
    );
    if (deletion === undefined) continue;
    const last = merged.at(-1);
    const to = cuts[at + 1];
    if (last?.to === from && isSame(last.deletion, deletion)) merged[merged.length - 1] = { ...last, to };
    else merged.push({ from, to, deletion });
  }
  return merged;
}

/** The range a key lies in, by halving. */
export function rangeTombstoneOf(
  ranges: readonly RangeTombstone[],
  key: ByteString,
): RangeTombstone | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range !== undefined && range.from <= key) low = middle + 1;
    else high = middle;
  }
  const candidate = ranges[low - 1];
  return candidate !== undefined && (candidate.to === undefined || key < candidate.to)
    ? candidate
    : undefined;
}

function removeEnded(open: RangeTombstone[], at: ByteString): void {
  for (let index = open.length - 1; index >= 0; index--) {
    const to = open[index]?.to;
    if (to !== undefined && to <= at) open.splice(index, 1);
  }
}

function isSame(left: Deletion, right: Deletion): boolean {
  return left.timestamp === right.timestamp && left.second === right.second;
}

function ascending(left: ByteString, right: ByteString): number {
  return left < right ? -1 : Number(left > right);
}
