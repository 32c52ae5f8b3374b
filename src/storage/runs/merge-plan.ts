// Which runs are merged, and when. Runs are told apart by class, from small to large, each class several times the one before. When
// there are enough runs of a class side by side in age, they become one run, mostly of the next class: a row is thus written about once
// for each class, and a store of n bytes has as many classes as log n.

import type { RunRecord } from './run.ts';

export interface MergePolicy {
  /** So many runs of one class are merged, and a class is so many times the one before. */
  readonly fanIn: number;
  /** Runs below this are all of the lowest class. */
  readonly smallBytes: number;
}

export interface MergePlan {
  /** Newest first, with no other run between them in age. */
  readonly inputs: readonly RunRecord[];
  /** There is no older run. */
  readonly isOldest: boolean;
}

/**
 * Of `runs`, newest first, without those that are being merged, and one merge of a class at a time. The cheapest merge, and of that class the
 * oldest runs: so nodes that were given the same rows merge the same runs, whichever is a little ahead. Undefined when there is nothing to do.
 */
export function planMerge(
  runs: readonly RunRecord[],
  policy: MergePolicy,
  running: Iterable<MergePlan>,
): MergePlan | undefined {
  const plans = [...running];
  const busy = new Set(plans.flatMap(({ inputs }) => inputs));
  const busyClasses = new Set(plans.map(({ inputs }) => largestClass(inputs, policy)));
  const classes = runs.map((run) =>
    busy.has(run) ? Number.POSITIVE_INFINITY : classOf(run.sizeBytes, policy),
  );
  const present = [...new Set(classes)].filter((found) => Number.isFinite(found) && !busyClasses.has(found));
  for (const wanted of present.sort((left, right) => left - right)) {
    for (let end = runs.length; end > 0; ) {
      // Smaller runs that stand between go along: they cost little, and order must be kept.
      let start = end;
      let count = 0;
      while (start > 0 && (classes[start - 1] as number) <= wanted && count < policy.fanIn) {
        start--;
        if (classes[start] === wanted) count++;
      }
      if (count === policy.fanIn) return { inputs: runs.slice(start, end), isOldest: end === runs.length };
      end = start - 1;
    }
  }
  return undefined;
}

function largestClass(runs: readonly RunRecord[], policy: MergePolicy): number {
  return Math.max(...runs.map((run) => classOf(run.sizeBytes, policy)));
}

function classOf(sizeBytes: number, { fanIn, smallBytes }: MergePolicy): number {
  let limit = smallBytes;
  let found = 0;
  for (; sizeBytes >= limit; found++) limit *= fanIn;
  return found;
}
