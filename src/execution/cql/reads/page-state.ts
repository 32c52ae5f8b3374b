import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';
import { decodePageToken, encodePageToken } from '../../page-token.ts';
import type { ReadPlan } from './read-plan.ts';
import type { ReadPosition } from './result-page.ts';
import { partitionKeyIn, ringPositionIn } from './stored-key.ts';

/** What CQL calls the paging state. */
export function encodePageState(plan: ReadPlan, position: ReadPosition): Buffer {
  const { prefix, clusteringKey, rowsLeft, rowsLeftInPartition } = position;
  const partitionKey = partitionKeyIn(prefix);
  return encodePageToken({
    planFingerprint: plan.fingerprint(),
    ringPosition: ringPositionIn(prefix),
    after:
      clusteringKey === undefined
        ? { kind: 'partition', partitionKey }
        : { kind: 'row', partitionKey, clusteringKey },
    rowsLeft: rowsLeft === plan.limit ? undefined : rowsLeft,
    // Also without a limit: whether any row of the partition was given decides if its static columns stand alone.
    rowsLeftInPartition: rowsLeftInPartition === plan.perPartitionLimit ? undefined : rowsLeftInPartition,
  });
}

/** Throws 'bad-page-token' for anything but a state that this statement gave with these values. */
export function decodePageState(plan: ReadPlan, container: number, state: Buffer): ReadPosition {
  const { ringPosition, after, rowsLeft, rowsLeftInPartition } = decodePageToken(state, plan.fingerprint());
  if (after.kind === 'item') throw new RingfoldError('bad-page-token', { reason: 'it is of an item' });
  const { prefix } = new LogicalPartition(container, {
    ringPosition: ringPosition as RingPosition,
    bytes: after.partitionKey,
  });
  return {
    prefix,
    clusteringKey: after.kind === 'row' ? after.clusteringKey : undefined,
    rowsLeft: rowsLeft ?? plan.limit,
    rowsLeftInPartition: rowsLeftInPartition ?? plan.perPartitionLimit,
  };
}
