import type { Consistency } from '../../execution/cql/statement-request.ts';
import { ProtocolError } from './protocol-error.ts';

// In the order of their codes.
const consistencies: readonly Consistency[] = [
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
];

export function consistencyOfCode(code: number): Consistency {
  const consistency = consistencies[code];
  if (consistency === undefined) throw new ProtocolError(`Unknown code ${code} for a consistency level`);
  return consistency;
}

export function codeOfConsistency(consistency: Consistency): number {
  return consistencies.indexOf(consistency);
}
