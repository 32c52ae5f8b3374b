// Unlike any list or map that can be stored, those that are only selected may have nulls as values.

import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { writeFields } from '../../../../values/cql-elements.ts';
import { compareCqlValues } from '../../../../values/cql-order.ts';
import type { CqlType } from '../../../../values/cql-type.ts';

export function writeListWithNulls(elements: readonly (Buffer | null)[]): Buffer {
  return withCount(elements.length, elements);
}

function withCount(count: number, parts: readonly (Buffer | null)[]): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(count);
  return Buffer.concat([bytes, writeFields(parts)]);
}

/** Keys and values in turn; of equal keys the last stays. */
export function sortedMapWithNulls(keyType: CqlType, parts: readonly (Buffer | null)[]): Buffer {
  const entries: (readonly [key: Buffer, value: Buffer | null])[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const key = parts[at] ?? null;
    if (key === null) throw invalidRequest('null is not supported inside collections');
    entries.push([key, parts[at + 1] ?? null]);
  }
  const sorted = entries.toSorted(([left], [right]) => compareCqlValues(keyType, left, right));
  const once = sorted.filter(([key], at) => {
    const next = sorted[at + 1];
    return next === undefined || compareCqlValues(keyType, key, next[0]) !== 0;
  });
  return withCount(once.length, once.flat());
}
