import type { BudgetRest } from '../throughput/throughput-budget.ts';
import type { GovernedPartition } from './governed-partition.ts';

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
  known: ReadonlyMap<number, GovernedPartition>,
  { parents, ruPerSecond }: Child,
  all: readonly Child[],
): BudgetRest | undefined {
  let balanceRu = 0;
  let bankRu = 0;
  for (const parent of parents.map((id) => known.get(id)).filter((parent) => parent !== undefined)) {
    const rest = parent.measure.budget?.rest(nowMs);
    if (rest === undefined) return undefined;
    const siblings = all.filter((child) => child.parents.includes(parent.id));
    const part = ruPerSecond / siblings.reduce((sum, sibling) => sum + sibling.ruPerSecond, 0);
    balanceRu += rest.balanceRu * part;
    bankRu += rest.bankRu * part;
  }
  return { balanceRu, bankRu };
}
