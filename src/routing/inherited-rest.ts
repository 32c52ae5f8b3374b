import type { BudgetRest, ThroughputBudget } from '../throughput/throughput-budget.ts';

interface Child {
  readonly parents: readonly number[];
  readonly ruPerSecond: number;
}

/**
 * What a new partition's budget begins with. Children go on with what their parents had, balance, bank and debt, divided by
 * their rates, so no split or merge makes request units; one whose parents are not known begins with nothing for the same
 * reason. Undefined, a full second, for children of partitions that were only metered.
 */
export function inheritedRest(
  nowMs: number,
  /** Undefined for one that is only metered. */
  known: ReadonlyMap<number, ThroughputBudget | undefined>,
  { parents, ruPerSecond }: Child,
  all: readonly Child[],
): BudgetRest | undefined {
  let balanceRu = 0;
  let bankRu = 0;
  for (const parent of parents.filter((id) => known.has(id))) {
    const rest = known.get(parent)?.rest(nowMs);
    if (rest === undefined) return undefined;
    const siblings = all.filter((child) => child.parents.includes(parent));
    const part = ruPerSecond / siblings.reduce((sum, sibling) => sum + sibling.ruPerSecond, 0);
    balanceRu += rest.balanceRu * part;
    bankRu += rest.bankRu * part;
  }
  return { balanceRu, bankRu };
}
