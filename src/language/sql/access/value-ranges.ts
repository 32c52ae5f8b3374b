// Which bytes of an index the values have that a comparison lets pass. A cut value stands for many: its range has all of them.

import type { ValueRange } from '../../../execution/nosql/queries/query-access.ts';
import { type ByteString, endOfPrefix } from '../../../foundation/byte-string.ts';
import {
  type IndexValueType,
  indexRangeOfPrefix,
  indexTypePrefix,
  indexValueOf,
  isCutValue,
} from '../../../values/index-value.ts';
import type { SqlValue } from '../sql-value.ts';

/** Nothing is equal to undefined. */
export function rangesOfEqual(value: SqlValue): readonly ValueRange[] {
  return value === undefined ? [] : [rangeUnder(bytesOfValue(value))];
}

export type Comparison = '<' | '<=' | '>' | '>=';

/** Of the same type; arrays and objects have no order. */
export function rangesOfComparison(comparison: Comparison, value: SqlValue): readonly ValueRange[] {
  const types = typesLike(value);
  if (types === undefined) return [];
  const [first, last] = types;
  const bytes = bytesOfValue(value);
  const behind = endOfPrefix(bytes);
  const isCut = isCutValue(bytes);
  switch (comparison) {
    case '<':
      return nonEmpty(indexTypePrefix(first), isCut ? behind : bytes);
    case '<=':
      return nonEmpty(indexTypePrefix(first), behind);
    case '>':
      return nonEmpty(isCut || behind === undefined ? bytes : behind, endOfType(last));
    case '>=':
      return nonEmpty(bytes, endOfType(last));
  }
}

export function rangesOfTypes(...types: readonly IndexValueType[]): readonly ValueRange[] {
  return types.map((type) => rangeUnder(indexTypePrefix(type)));
}

/** Half a letter at the end has no bytes that those of the whole letter begin with. */
export function rangesOfPrefix(text: string): readonly ValueRange[] {
  return [indexRangeOfPrefix(text.replace(/[\ud800-\udbff]$/, ''))];
}

/** Every value but undefined. */
export const definedValues: readonly ValueRange[] = [{ from: indexTypePrefix('null'), to: undefined }];

/** Long integers are compared as doubles. */
function bytesOfValue(value: unknown): ByteString {
  return indexValueOf(typeof value === 'bigint' ? Number(value) : value);
}

function typesLike(value: SqlValue): readonly [IndexValueType, IndexValueType] | undefined {
  switch (typeof value) {
    case 'string':
      return ['string', 'string'];
    case 'number':
      return ['number', 'number'];
    case 'boolean':
      return ['false', 'true'];
    default:
      return value === null ? ['null', 'null'] : undefined;
  }
}

function rangeUnder(prefix: ByteString): ValueRange {
  return { from: prefix, to: endOfPrefix(prefix) };
}

function endOfType(type: IndexValueType): ByteString | undefined {
  return endOfPrefix(indexTypePrefix(type));
}

function nonEmpty(from: ByteString, to: ByteString | undefined): readonly ValueRange[] {
  return to === undefined || from < to ? [{ from, to }] : [];
}

/** Whether a range holds one value, or several that are cut alike. */
export function isOneValue({ from, to }: ValueRange): boolean {
  if (to !== endOfPrefix(from)) return false;
  if (from.startsWith(indexTypePrefix('number'))) return from.length === bytesOfValue(0).length;
  if (from.startsWith(indexTypePrefix('string'))) return from.endsWith('\0\0') || from.endsWith('\0\x01');
  return scalars.has(from);
}

const scalars: ReadonlySet<ByteString> = new Set([null, false, true].map((value) => indexValueOf(value)));
