import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { BatchStatement } from '../statements/batch.ts';
import type { Modification } from './modification.ts';
import type { WriteAttributes } from './write-attributes.ts';

/** What may not stand together, in the order in which Cassandra looks (BatchStatement.validate). */
export function checkBatch(
  type: BatchStatement['type'],
  modifications: readonly Modification[],
  { timestamp, ttl }: WriteAttributes,
): void {
  if (ttl !== undefined) throw invalidRequest('Global TTL on the BATCH statement is not supported.');
  const isConditional = modifications.some((one) => one.isConditional);
  const hasCounters = modifications.some(({ table }) => table.isCounter);
  if (timestamp !== undefined) {
    if (isConditional) throw invalidRequest('Cannot provide custom timestamp for conditional BATCH');
    if (type === 'counter') throw invalidRequest('Cannot provide custom timestamp for counter BATCH');
    if (modifications.some(({ attributes }) => attributes.timestamp !== undefined)) {
      throw invalidRequest('Timestamp must be set either on BATCH or individual statements');
    }
    if (hasCounters) {
      throw invalidRequest('Cannot provide custom timestamp for a BATCH containing counters');
    }
  }
  checkCounters(type, modifications, hasCounters);
  checkVirtual(type, modifications, isConditional);
  const [first] = modifications;
  if (isConditional && modifications.some(({ table }) => table !== first?.table)) {
    throw invalidRequest('Batch with conditions cannot span multiple tables');
  }
}

function checkCounters(
  type: BatchStatement['type'],
  modifications: readonly Modification[],
  hasCounters: boolean,
): void {
  const hasOthers = modifications.some(({ table }) => !table.isCounter);
  if (type === 'counter' && hasOthers) {
    throw invalidRequest('Cannot include non-counter statement in a counter batch');
  }
  if (hasCounters && hasOthers) {
    throw invalidRequest('Counter and non-counter mutations cannot exist in the same batch');
  }
  if (type === 'logged' && hasCounters) {
    throw invalidRequest('Cannot include a counter statement in a logged batch');
  }
}

function checkVirtual(
  type: BatchStatement['type'],
  modifications: readonly Modification[],
  isConditional: boolean,
): void {
  const virtual = modifications.filter(({ table }) => table.container === undefined);
  if (virtual.length === 0) return;
  if (type === 'logged') throw invalidRequest('Cannot include a virtual table statement in a logged batch');
  if (virtual.length < modifications.length) {
    throw invalidRequest('Mutations for virtual and regular tables cannot exist in the same batch');
  }
  if (isConditional) {
    throw invalidRequest('Conditional BATCH statements cannot include mutations for virtual tables');
  }
}
