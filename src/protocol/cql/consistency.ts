import { ProtocolError } from './protocol-error.ts';

// In the order of their codes. NODE_LOCAL is read, as Cassandra reads it, and refused by whoever executes.
const consistencies = [
  'ANY',
  'ONE',
  'TWO',
  'THREE',
  'QUORUM',
  'ALL',
  'LOCAL_QUORUM',
  'EACH_QUORUM',
  'SERIAL',
  'LOCAL_SERIAL',
  'LOCAL_ONE',
  'NODE_LOCAL',
] as const;

export type Consistency = (typeof consistencies)[number];

export function consistencyOfCode(code: number): Consistency {
  const consistency = consistencies[code];
  if (consistency === undefined) throw new ProtocolError(`Unknown code ${code} for a consistency level`);
  return consistency;
}

export function codeOfConsistency(consistency: Consistency): number {
  return consistencies.indexOf(consistency);
}
