import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { addressAt } from '../../../routing/find-partition.ts';
import type { RequestTraits } from '../../../routing/governed-partition.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { requestCharge } from '../../../throughput/request-charge.ts';
import type { NosqlParts } from '../nosql-parts.ts';

/** A request that was read and found to be wrong is paid for by the partition that it named. The error with its charge. */
export function chargeRejection(
  { throughput }: NosqlParts,
  { container, ringPosition, prefix }: LogicalPartition,
  traits: RequestTraits,
  error: unknown,
): unknown {
  if (!(error instanceof RingfoldError)) return error;
  const { store, governor, clock, prices } = throughput;
  const { physicalPartition } = addressAt(store, container, ringPosition);
  const charge = requestCharge({ kind: 'rejected-request' }, prices);
  governor
    .partition(container, physicalPartition)
    ?.spend(clock.monotonic(), traits, error.code, prefix, charge);
  return chargedFailure(error, charge);
}
