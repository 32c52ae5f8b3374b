import type { QueryPlan } from './plan-query.ts';

/** As JSON. Java reads weights as floating-point numbers, and breaks at one without a point. */
export function textOfPlan(plan: QueryPlan): string {
  return JSON.stringify(plan).replace(/"componentWeights":\[[^\]]*\]/, (weights) =>
    weights.replace(/(?<=[[,])-?\d+(?=[,\]])/g, '$&.0'),
  );
}
