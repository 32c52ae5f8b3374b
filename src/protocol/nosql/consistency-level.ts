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

/** What `x-ms-cosmos-read-consistency-strategy` asks for, by the level that reads so; `Default` is the level of whoever sets none. */
export const levelOfStrategy: ReadonlyMap<string, ConsistencyLevel | undefined> = new Map([
  ['Default', undefined],
  ['Eventual', 'Eventual'],
  ['Session', 'Session'],
  // Of its region: a quorum is asked, whatever the account has.
  ['LatestCommitted', 'BoundedStaleness'],
  ['GlobalStrong', 'Strong'],
]);
