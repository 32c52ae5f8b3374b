// Which paths of an item an indexing policy speaks of, ready to be asked. Deeper rules win over shallower ones, and a rule for the value
// itself (`/?`) over one for all below it (`/*`).

import { assert } from '../../foundation/assert.ts';
import type { IndexingPolicy } from './nosql-definitions.ts';
import { eachElement, type PathStep, type PropertyPath, readPropertyPath } from './property-path.ts';

export interface PathRule {
  /** For scalars that stand here. */
  readonly value: boolean | undefined;
  /** For everything at and below. */
  readonly below: boolean | undefined;
  readonly next: ReadonlyMap<PathStep, PathRule>;
}

export interface CompositePath {
  readonly names: readonly string[];
  readonly order: 'ascending' | 'descending';
}

export interface IndexedPaths {
  readonly root: PathRule;
  readonly composites: readonly (readonly CompositePath[])[];
}

const known = new WeakMap<IndexingPolicy, IndexedPaths>();

export function indexedPathsOf(policy: IndexingPolicy): IndexedPaths {
  let paths = known.get(policy);
  if (paths === undefined) {
    const root = new GrowingRule();
    for (const path of policy.excludedPaths) root.add(pathIn(path), false);
    for (const path of policy.includedPaths) root.add(pathIn(path), true);
    const composites = policy.compositeIndexes.map((index) =>
      index.map(({ path, order }) => ({ names: namesIn(path), order })),
    );
    paths = { root, composites };
    known.set(policy, paths);
  }
  return paths;
}

/** Names, and numbers for elements of arrays. */
export function isIncluded({ root }: IndexedPaths, path: readonly (string | number)[]): boolean {
  let rule = root;
  let below = root.below ?? false;
  for (const step of path) {
    const next = rule.next.get(typeof step === 'number' ? eachElement : step);
    if (next === undefined) return below;
    below = next.below ?? below;
    rule = next;
  }
  return rule.value ?? below;
}

class GrowingRule implements PathRule {
  value: boolean | undefined;
  below: boolean | undefined;
  readonly next = new Map<PathStep, GrowingRule>();

  add({ steps, ending }: PropertyPath, isIncluded: boolean): void {
    let rule: GrowingRule = this;
    for (const step of steps) {
      let next = rule.next.get(step);
      if (next === undefined) {
        next = new GrowingRule();
        rule.next.set(step, next);
      }
      rule = next;
    }
    if (ending === '*') rule.below = isIncluded;
    else rule.value = isIncluded;
  }
}

function pathIn(text: string): PropertyPath {
  const read = readPropertyPath(text);
  assert(read.kind === 'path', 'a policy was checked when it was set');
  return read.path;
}

/** Paths of composite indexes lead through no arrays. */
function namesIn(text: string): readonly string[] {
  return pathIn(text).steps.filter((step) => step !== eachElement);
}
