// The keys that a WHERE clause comes to once its values are there.

import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { encodeClusteringKey } from '../../../values/ordered-key.ts';
import { type ClusteringBound, clusteringRange } from '../../../values/range-tombstones.ts';
import type { Bindings, TypedTerm } from '../expressions/typed-term.ts';
import { type KeyRestriction, keyValue, type SliceBound } from './key-restriction.ts';

const maxKeyBytes = 65_535;
/** Of each component of a composite partition key: two of length, one of its end. */
const componentOverhead = 3;

export interface ClusteringKeyOfRow {
  readonly values: readonly Buffer[];
  readonly key: ByteString;
}

export interface KeyRange {
  readonly from: ByteString;
  readonly to: ByteString | undefined;
}

/** The values of one key, where every restriction is a column that equals a term. */
export function soleKeyOf(terms: readonly SoleTerm[], bindings: Bindings): Buffer[] {
  const values: Buffer[] = [];
  let length = 0;
  for (const { column, term } of terms) {
    const value = keyValue(term.evaluate(bindings), column);
    length += value.length;
    values.push(value);
  }
  if (length > maxKeyBytes) throw tooLong(length);
  return values;
}

export interface SoleTerm {
  readonly column: ColumnSchema;
  readonly term: TypedTerm;
}

/** Undefined where there may be several keys, or something else than a column is restricted. */
export function soleTermsOf(restrictions: readonly KeyRestriction[]): readonly SoleTerm[] | undefined {
  const terms: SoleTerm[] = [];
  for (const restriction of restrictions) {
    const [column] = restriction.columns;
    if (restriction.kind !== 'eq' || restriction.term === undefined || column === undefined) return undefined;
    terms.push({ column, term: restriction.term });
  }
  return terms;
}

/** Each once, in the order of their values; of two forms of one value the first counts. */
export function partitionKeysOf(
  restrictions: readonly KeyRestriction[],
  columns: readonly ColumnSchema[],
  bindings: Bindings,
): readonly (readonly Buffer[])[] {
  const keys = tuplesOf(restrictions, bindings);
  for (const key of keys) checkPartitionKey(key);
  return keys.length < 2 ? keys : sortedKeys(columns, keys).map(({ values }) => values);
}

export function checkPartitionKey(components: readonly Buffer[]): void {
  checkLength(components);
  const [only] = components;
  if (components.length === 1) {
    if (only?.length === 0) throw invalidRequest('Key may not be empty');
    return;
  }
  const length = components.reduce((sum, component) => sum + component.length + componentOverhead, 0);
  if (length > maxKeyBytes) throw tooLong(length);
}

/** Rows by their whole keys. */
export function clusteringKeysOf(
  restrictions: readonly KeyRestriction[],
  columns: readonly ColumnSchema[],
  bindings: Bindings,
): readonly ClusteringKeyOfRow[] {
  const keys = tuplesOf(restrictions, bindings);
  for (const key of keys) checkLength(key);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) {
    return [{ values: only, key: encodeClusteringKey(columns, only) }];
  }
  return sortedKeys(columns, keys);
}

function sortedKeys(
  columns: readonly ColumnSchema[],
  tuples: readonly (readonly Buffer[])[],
): readonly ClusteringKeyOfRow[] {
  const byKey = new Map<ByteString, ClusteringKeyOfRow>();
  for (const values of tuples) {
    const key = encodeClusteringKey(columns, values);
    if (!byKey.has(key)) byKey.set(key, { values, key });
  }
  return [...byKey.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
}

/** Ranges of rows, for a DELETE that names only the first of the clustering columns or ends with a slice. */
export function clusteringRangesOf(
  restrictions: readonly KeyRestriction[],
  columns: readonly ColumnSchema[],
  bindings: Bindings,
): readonly KeyRange[] {
  const last = restrictions.at(-1);
  const slice = last?.kind === 'slice' ? last : undefined;
  const prefixes = tuplesOf(slice === undefined ? restrictions : restrictions.slice(0, -1), bindings);
  const ranges: KeyRange[] = [];
  for (const prefix of prefixes) {
    if (slice === undefined) {
      ranges.push(...wholePrefix(columns, prefix));
      continue;
    }
    const above = slice.start && beyond(columns, prefix, slice.start, bindings, true);
    const below = slice.end && beyond(columns, prefix, slice.end, bindings, false);
    ranges.push(...(above && below ? intersection(above, below) : (above ?? below ?? [])));
  }
  return ranges;
}

/**
 * The keys on one side of a tuple: those that differ from it first in a column on that side. Written so, it does not matter which
 * columns are in descending order.
 */
function beyond(
  columns: readonly ColumnSchema[],
  prefix: readonly Buffer[],
  bound: SliceBound,
  bindings: Bindings,
  isAbove: boolean,
): KeyRange[] {
  const values = bound.values(bindings);
  const ranges: KeyRange[] = [];
  for (let at = 0; at < values.length; at++) {
    const equal = [...prefix, ...values.slice(0, at)];
    const column = columns[equal.length];
    assert(column !== undefined, 'a slice has a column for each value');
    const isInclusive = bound.isInclusive && at === values.length - 1;
    const edge: ClusteringBound = {
      prefix: encodeClusteringKey(columns, [...equal, ...values.slice(at, at + 1)]),
      inclusive: isInclusive,
    };
    const around = boundOfPrefix(columns, equal);
    const range =
      isAbove === column.descending ? clusteringRange(around, edge) : clusteringRange(edge, around);
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

function wholePrefix(columns: readonly ColumnSchema[], prefix: readonly Buffer[]): KeyRange[] {
  const bound = boundOfPrefix(columns, prefix);
  const range = clusteringRange(bound, bound);
  return range === undefined ? [] : [range];
}

function boundOfPrefix(
  columns: readonly ColumnSchema[],
  prefix: readonly Buffer[],
): ClusteringBound | undefined {
  return prefix.length === 0 ? undefined : { prefix: encodeClusteringKey(columns, prefix), inclusive: true };
}

function intersection(left: readonly KeyRange[], right: readonly KeyRange[]): KeyRange[] {
  return left.flatMap((one) =>
    right.flatMap((other) => {
      const from = one.from > other.from ? one.from : other.from;
      const to = one.to === undefined || (other.to !== undefined && other.to < one.to) ? other.to : one.to;
      return to !== undefined && from >= to ? [] : [{ from, to }];
    }),
  );
}

/** Every way to choose a value of each restriction. */
function tuplesOf(
  restrictions: readonly KeyRestriction[],
  bindings: Bindings,
): readonly (readonly Buffer[])[] {
  let tuples: readonly (readonly Buffer[])[] = [[]];
  for (const restriction of restrictions) {
    assert(restriction.kind !== 'slice', 'a slice has no values');
    if (tuples.length === 0) break;
    const choices = restriction.values(bindings);
    const [only] = choices;
    tuples =
      choices.length === 1 && only !== undefined && tuples.length === 1
        ? [[...(tuples[0] ?? []), ...only]]
        : tuples.flatMap((tuple) => choices.map((choice) => [...tuple, ...choice]));
  }
  return tuples;
}

function checkLength(values: readonly Buffer[]): void {
  let length = 0;
  for (const value of values) length += value.length;
  if (length > maxKeyBytes) throw tooLong(length);
}

function tooLong(length: number): Error {
  return invalidRequest(`Key length of ${length} is longer than maximum of ${maxKeyBytes}`);
}
