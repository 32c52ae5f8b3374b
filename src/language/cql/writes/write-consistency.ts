import type { KeyspaceSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { StatementRequest } from '../../../execution/cql/statement-request.ts';
import type { Modification } from './modification.ts';

/** What a consistency level cannot do, in Cassandra's words; what it can do is all the same here. */
export function checkConsistency(
  { consistency }: StatementRequest,
  { table, requiresRead }: Pick<Modification, 'table' | 'requiresRead'>,
): void {
  refuseNodeLocal(consistency);
  if (table.isCounter) {
    if (consistency === 'ANY') {
      throw invalidRequest(`Consistency level ANY is not yet supported for counter table ${table.name}`);
    }
    if (isSerial(consistency)) throw invalidRequest('Counter operations are inherently non-serializable');
  }
  if (isSerial(consistency)) throw invalidRequest('You must use conditional updates for serializable writes');
  checkReadBeforeWrite({ consistency }, { requiresRead });
}

/** All that is asked of a batch without conditions. */
export function checkReadBeforeWrite(
  { consistency }: Pick<StatementRequest, 'consistency'>,
  { requiresRead }: Pick<Modification, 'requiresRead'>,
): void {
  refuseNodeLocal(consistency);
  if (requiresRead && consistency === 'ANY') {
    throw invalidRequest('Write operation require a read but consistency ANY is not supported on reads');
  }
}

export function checkConditionalConsistency(
  { consistency, serialConsistency }: StatementRequest,
  keyspace: KeyspaceSchema | undefined,
): void {
  refuseNodeLocal(consistency);
  if (!isSerial(serialConsistency)) {
    throw invalidRequest('Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL');
  }
  if (isSerial(consistency)) {
    throw invalidRequest(
      `${consistency} is not supported as conditional update commit consistency. Use ANY if you mean "make sure it is accepted but I don't care how many replicas commit it for non-SERIAL reads"`,
    );
  }
  const strategy = keyspace?.replication.get('class');
  if (consistency === 'EACH_QUORUM' && strategy !== 'org.apache.cassandra.locator.NetworkTopologyStrategy') {
    throw invalidRequest(
      `consistency level EACH_QUORUM not compatible with replication strategy (${strategy})`,
    );
  }
}

function refuseNodeLocal(consistency: StatementRequest['consistency']): void {
  if (consistency !== 'NODE_LOCAL') return;
  throw invalidRequest(
    'NODE_LOCAL consistency level is highly dangerous and should be used only for debugging purposes',
  );
}

function isSerial(consistency: StatementRequest['consistency']): boolean {
  return consistency === 'SERIAL' || consistency === 'LOCAL_SERIAL';
}
