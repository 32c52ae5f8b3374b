import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { Certainty, PartitionAddress } from '../../../storage/partition-store.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import type { Consistency } from '../statement-request.ts';

/** As many replicas as are asked are paid for (throughput/work-done.ts). What cannot be asked of a read is refused. */
export function readMultiplier(consistency: Consistency): ConsistencyMultiplier {
  switch (consistency) {
    case 'ANY':
      throw invalidRequest('ANY ConsistencyLevel is only supported for writes');
    case 'NODE_LOCAL':
      throw invalidRequest(
        'NODE_LOCAL consistency level is highly dangerous and should be used only for debugging purposes',
      );
    case 'ONE':
    case 'LOCAL_ONE':
      return 1;
    default:
      return 2;
  }
}

/** What several replicas are asked for must be what a quorum knows; one alone may be behind the others. */
export function refuseUncertain(
  outcome: { readonly certainty: Certainty },
  multiplier: ConsistencyMultiplier,
  address: PartitionAddress,
): void {
  if (multiplier === 1 || outcome.certainty === 'settled') return;
  throw new RingfoldError('too-few-replicas', { ...address, certainty: outcome.certainty });
}
