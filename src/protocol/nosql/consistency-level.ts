/** From the weakest to the strongest, as `x-ms-consistency-level` and the account spell them. */
export const consistencyLevels = [
  'Eventual',
  'ConsistentPrefix',
  'Session',
  'BoundedStaleness',
  'Strong',
] as const;

export type ConsistencyLevel = (typeof consistencyLevels)[number];

export function isConsistencyLevel(text: string): text is ConsistencyLevel {
  return (consistencyLevels as readonly string[]).includes(text);
}

export function isStronger(a: ConsistencyLevel, b: ConsistencyLevel): boolean {
  return consistencyLevels.indexOf(a) > consistencyLevels.indexOf(b);
}
