// Which rows of its partitions a run of a SELECT reads, as ranges of clustering keys.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ClusteringSlice } from '../../../execution/cql/reads/read-plan.ts';
import { type ByteString, emptyBytes, endOfPrefix } from '../../../foundation/byte-string.ts';
import { encodeClusteringKey } from '../../../values/ordered-key.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import { extendByEach } from './bind-values.ts';
import type { Restriction, SliceBound, SliceRestriction } from './restriction.ts';

interface KeyRange {
  readonly from: ByteString;
  /** Excluded; undefined is the end of all keys. */
  readonly to: ByteString | undefined;
}

/** Undefined for all rows. `restrictions` are those that narrow the range (`sliceableClustering`). */
export function bindClustering(
  restrictions: readonly Restriction[],
  { clustering }: TableSchema,
  bindings: Bindings,
): readonly ClusteringSlice[] | undefined {
  if (restrictions.length === 0) return undefined;
  let prefixes: readonly (readonly Buffer[])[] = [[]];
  let slice: SliceRestriction | undefined;
  for (const restriction of restrictions) {
    if (prefixes.length === 0) return [];
    if (restriction.kind === 'slice') slice = restriction;
    else if (restriction.kind !== 'contains') prefixes = extendByEach(prefixes, restriction, bindings);
  }
  if (slice === undefined) {
    const isOneRow = prefixes[0]?.length === clustering.length;
    const ranges = prefixes.map((prefix) => rangeOf(encodeClusteringKey(clustering, prefix)));
    return inOrder(ranges, isOneRow).map((range) => ({ isOneRow, ...range }));
  }
  const { start, end } = slice;
  const restriction = slice;
  const ranges = prefixes.flatMap((prefix) => {
    const whole = rangeOf(encodeClusteringKey(clustering, prefix));
    const above =
      start === undefined ? [whole] : beyond(clustering, prefix, restriction, start, bindings, 'above');
    const below =
      end === undefined ? [whole] : beyond(clustering, prefix, restriction, end, bindings, 'below');
    return above.flatMap((one) => below.flatMap((other) => intersection(one, other) ?? []));
  });
  return inOrder(ranges, false).map((range) => ({ isOneRow: false, ...range }));
}

/**
 * Keys with the prefix whose next values are above or below a tuple's: for each column those that are equal before it and differ there,
 * and where the bound is included those that are equal throughout. With clustering orders that differ these may lie apart.
 */
function beyond(
  clustering: readonly ColumnSchema[],
  prefix: readonly Buffer[],
  { columns, isTuple }: SliceRestriction,
  { isInclusive, value }: SliceBound,
  bindings: Bindings,
  side: 'above' | 'below',
): KeyRange[] {
  const ranges: KeyRange[] = [];
  let equal = prefix;
  for (const [at, bound] of value(bindings).entries()) {
    const column = columns[at];
    if (column === undefined) break;
    if (bound === undefined) throw invalidRequest(`Invalid unset value for column ${column.name}`);
    // Null comes before all rows, whichever their order, and no row has it. Cassandra refuses it only in tuples.
    if (bound === null && !isTuple) {
      const isAll = (side === 'above') !== column.descending;
      return isAll ? [rangeOf(encodeClusteringKey(clustering, prefix))] : [];
    }
    if (bound === null) throw invalidRequest(`Invalid null value in condition for column ${column.name}`);
    const around = rangeOf(encodeClusteringKey(clustering, equal));
    equal = [...equal, bound];
    const middle = rangeOf(encodeClusteringKey(clustering, equal));
    const isBehind = (side === 'above') !== column.descending;
    if (!isBehind) ranges.push({ from: around.from, to: middle.from });
    else if (middle.to !== undefined) ranges.push({ from: middle.to, to: around.to });
  }
  if (isInclusive) ranges.push(rangeOf(encodeClusteringKey(clustering, equal)));
  return ranges;
}

function rangeOf(prefix: ByteString): KeyRange {
  return { from: prefix, to: prefix === emptyBytes ? undefined : endOfPrefix(prefix) };
}

function intersection(one: KeyRange, other: KeyRange): KeyRange | undefined {
  const from = one.from > other.from ? one.from : other.from;
  const to = one.to === undefined || (other.to !== undefined && other.to < one.to) ? other.to : one.to;
  return to === undefined || from < to ? { from, to } : undefined;
}

/** Ascending and, unless each is one row, joined where they touch. */
function inOrder(ranges: readonly KeyRange[], areRows: boolean): KeyRange[] {
  const sorted = ranges
    .filter(({ from, to }) => to === undefined || from < to)
    .sort((left, right) => (left.from < right.from ? -1 : Number(left.from > right.from)));
  const joined: KeyRange[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && last.from === range.from && last.to === range.to) continue;
    if (areRows || last === undefined || (last.to !== undefined && last.to < range.from)) joined.push(range);
    else joined[joined.length - 1] = { from: last.from, to: furthest(last.to, range.to) };
  }
  return joined;
}

function furthest(one: ByteString | undefined, other: ByteString | undefined): ByteString | undefined {
  if (one === undefined || other === undefined) return undefined;
  return one > other ? one : other;
}
