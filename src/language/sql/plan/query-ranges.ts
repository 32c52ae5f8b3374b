import { assert } from '../../../foundation/assert.ts';
import { hexOf } from '../../../foundation/byte-string.ts';
import {
  effectivePartitionKey,
  epkBoundaryToHex,
  hierarchicalRange,
} from '../../../partitioning/effective-partition-key.ts';
import type { PartitionKeyDefinition } from '../../../partitioning/partition-key.ts';
import type { KeyTarget } from './key-targets.ts';

/** As clients of the service read it: hexadecimal effective partition keys. */
export interface QueryRange {
  readonly min: string;
  readonly max: string;
  readonly isMinInclusive: boolean;
  readonly isMaxInclusive: boolean;
}

const wholeRange: QueryRange = { min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false };
/** What a query that nothing can fulfil, or that looks at no item, is said to look at: a point, since Java cannot do with no range at all. */
const emptyRange: QueryRange = { min: '', max: '', isMinInclusive: true, isMaxInclusive: true };

/** In ring order, without overlaps. A whole key is a point; leading levels of a hierarchical one are a stretch. */
export function queryRangesOf(
  targets: readonly KeyTarget[] | undefined,
  definition: PartitionKeyDefinition,
): readonly QueryRange[] {
  if (targets === undefined) return [wholeRange];
  if (targets.length === 0) return [emptyRange];
  const levels = definition.paths.length;
  if (definition.kind !== 'hierarchical' && targets.some(({ components }) => components.length < levels)) {
    return [wholeRange];
  }
  const ranges = targets.map((target) => rangeOf(target, definition));
  const sorted = ranges.toSorted((a, b) =>
    a.min < b.min ? -1 : a.min > b.min ? 1 : b.max.length - a.max.length,
  );
  const kept: QueryRange[] = [];
  for (const range of sorted) {
    const last = kept.at(-1);
    // One that lies in the one before it, such as a key under its own prefix.
    if (last !== undefined && (range.min === last.min || range.min < last.max)) continue;
    kept.push(range);
  }
  return kept;
}

function rangeOf({ components }: KeyTarget, { hashKind, paths }: PartitionKeyDefinition): QueryRange {
  assert(hashKind !== 'cql', 'a NoSQL container has a NoSQL ring');
  if (components.length < paths.length) {
    const { min } = hierarchicalRange(paths.length, components);
    const start = epkBoundaryToHex(hashKind, min);
    return { min: start, max: `${start}FF`, isMinInclusive: true, isMaxInclusive: false };
  }
  const point = hexOf(effectivePartitionKey(hashKind, components));
  return { min: point, max: point, isMinInclusive: true, isMaxInclusive: true };
}
