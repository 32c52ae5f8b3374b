import { createHash } from 'node:crypto';
import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { type ByteString, byteStringOf, bytesOf } from '../../../foundation/byte-string.ts';
import type { JsonComponent } from '../../../values/key-component.ts';
import { encodeJsonKey } from '../../../values/ordered-key.ts';
import { valueAt } from './item-partition-key.ts';

const none: readonly ByteString[] = [];
/** Longer values are told apart by their hash, so that no key is as long as an item. */
const longestBytes = 256;

// The first byte of a hash is of no component, so a hash is never taken for a value.
const hashMarks = { long: '\xff', composed: '\xfe' } as const;

/** Of each constraint the values of its paths: equal exactly if the service calls them equal. A missing path counts as null. */
export function uniqueKeysOf(
  { uniqueKeys }: ContainerDefinition,
  item: Readonly<Record<string, unknown>>,
): readonly ByteString[] {
  if (uniqueKeys.length === 0) return none;
  return uniqueKeys.map((paths) => {
    const values: unknown[] = paths.map((path) => valueAt(item, path) ?? null);
    // Objects and arrays are as unique as their text.
    if (!areScalars(values)) return hashOf(hashMarks.composed, Buffer.from(JSON.stringify(values)));
    const ascending = values.map(() => ({ descending: false }));
    const bytes = encodeJsonKey(ascending, values);
    return bytes.length <= longestBytes ? bytes : hashOf(hashMarks.long, bytesOf(bytes));
  });
}

function areScalars(values: readonly unknown[]): values is readonly JsonComponent[] {
  return values.every((value) => typeof value !== 'object' || value === null);
}

function hashOf(mark: string, bytes: Buffer): ByteString {
  return `${mark}${byteStringOf(createHash('sha256').update(bytes).digest())}` as ByteString;
}
