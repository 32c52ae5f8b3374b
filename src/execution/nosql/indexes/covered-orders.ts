// What an indexing policy has an index make entries of.

import { indexedPathsOf, isIncluded } from '../../../catalog/nosql/indexed-paths.ts';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { eachElement } from '../../../catalog/nosql/property-path.ts';
import { murmur3x86 } from '../../../partitioning/murmur3.ts';
import { isSystemProperty } from '../../../values/json-item.ts';
import { compositeOrder } from './index-paths.ts';
import type { IndexedOrder } from './item-index.ts';

export function hasIndex({ mode, automatic }: IndexingPolicy): boolean {
  return mode !== 'none' && automatic;
}

export function covers(policy: IndexingPolicy, order: IndexedOrder): boolean {
  if (!hasIndex(policy)) return false;
  const indexed = indexedPathsOf(policy);
  if (order.kind === 'composite') {
    const wanted = compositeOrder(order.paths);
    return indexed.composites.some((paths) => compositeOrder(paths) === wanted);
  }
  if (isAlwaysCovered(order)) return true;
  const [first] = order.path;
  if (typeof first === 'string' && isSystemProperty(first)) return false;
  return isIncluded(
    indexed,
    order.path.map((step) => (step === eachElement ? 0 : step)),
  );
}

/** What every item has an entry in, whatever the policy says and however large it is. Composite indexes are among it. */
export function isAlwaysCovered(order: IndexedOrder): boolean {
  if (order.kind === 'composite') return true;
  const [first, second] = order.path;
  return first === undefined || (second === undefined && (first === 'id' || first === '_ts'));
}

/** The same for policies that say the same. */
export function policyTagOf(policy: IndexingPolicy): number {
  return murmur3x86(Buffer.from(textOfPolicy(policy))) >>> 0;
}

export function isSamePolicy(a: IndexingPolicy, b: IndexingPolicy): boolean {
  return a === b || textOfPolicy(a) === textOfPolicy(b);
}

function textOfPolicy(policy: IndexingPolicy): string {
  const { mode, automatic, includedPaths, excludedPaths, compositeIndexes } = policy;
  return JSON.stringify([mode, automatic, includedPaths, excludedPaths, compositeIndexes]);
}
