// How many index terms an item has: what its container's indexing policy says of each path.

import { type CompositePath, indexedPathsOf, type PathRule } from '../../../catalog/nosql/indexed-paths.ts';
import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { eachElement } from '../../../catalog/nosql/property-path.ts';
import { INDEX_TERMS_PER_SCALAR } from '../../../throughput/work-done.ts';
import { isSystemProperty } from '../../../values/json-item.ts';
import { valueAt } from './item-partition-key.ts';
import { invalidPayload, tooDeep } from './item-refusals.ts';

/** The service's limit of nesting. */
const maxDepth = 128;

/** The parsed item must have passed no check yet: too deep a one is refused here, and so is a number that is none. */
export function indexTermsOf(
  container: ContainerDefinition,
  item: Readonly<Record<string, unknown>>,
): number {
  const { indexingPolicy: policy, uniqueKeys } = container;
  const indexed = policy.mode === 'none' || !policy.automatic ? undefined : indexedPathsOf(policy);
  const rule = indexed?.root;
  let scalars = 0;
  for (const name of Object.keys(item)) {
    if (isSystemProperty(name)) continue;
    const found = scalarsIn(item[name], rule?.next.get(name), rule?.below ?? false, 2);
    // `id` is indexed whatever the policy says.
    scalars += name === 'id' ? 1 : found;
  }
  if (indexed === undefined) return uniqueKeys.length;
  const hasPath = ({ names }: CompositePath): boolean => valueAt(item, names) !== undefined;
  const composed = indexed.composites.filter((index) => index.every(hasPath)).length;
  return scalars * INDEX_TERMS_PER_SCALAR + uniqueKeys.length + composed;
}

function scalarsIn(value: unknown, rule: PathRule | undefined, inherited: boolean, depth: number): number {
  const below = rule?.below ?? inherited;
  if (typeof value !== 'object' || value === null) {
    // 1e999 is JSON, and no number that a client could read.
    if (typeof value === 'number' && !Number.isFinite(value)) throw invalidPayload();
    return (rule?.value ?? below) ? 1 : 0;
  }
  if (depth > maxDepth) throw tooDeep();
  let scalars = 0;
  if (Array.isArray(value)) {
    const next = rule?.next.get(eachElement);
    for (const element of value) scalars += scalarsIn(element, next, below, depth + 1);
    return scalars;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members))
    scalars += scalarsIn(members[name], rule?.next.get(name), below, depth + 1);
  return scalars;
}
