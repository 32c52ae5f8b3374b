import type { Clock } from '../foundation/clock.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import { chargedFailure } from '../throughput/charged-failure.ts';
import { type RequestStatus, statusOfError } from '../throughput/request-figures.ts';
import type { RequestMeter } from '../throughput/request-meter.ts';
import { errorOfRefusal } from '../throughput/request-refusal.ts';
import type { RequestTraits } from './governed-partition.ts';
import type { ThroughputGovernor } from './throughput-governor.ts';

/** A stretch of work in one physical partition. */
export interface GovernedWork {
  readonly address: PartitionAddress;
  readonly traits: RequestTraits;
  /** A text for people that is this logical partition's own; undefined for what touches several. */
  readonly logicalPartition: string | undefined;
  /** What it adds up by the time `run` has ended, well or not, is spent. */
  readonly meter: RequestMeter;
  /** Of a request that the partition has admitted before: it runs to its end, and is not refused on the way. */
  readonly isAdmitted?: boolean;
}

/**
 * Runs the work if the partition has request units left, and spends what it cost however it ended: work that fails has used the disks
 * as well. Undefined, from here or from `run`, when the partition is not there any more: then nothing was done.
 */
export async function runGoverned<T>(
  governor: ThroughputGovernor,
  clock: Clock,
  { address, traits, logicalPartition, meter, isAdmitted = false }: GovernedWork,
  run: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const partition = governor.partition(address.container, address.physicalPartition);
  if (partition === undefined) return undefined;
  const refusal = isAdmitted ? undefined : partition.admit(clock.monotonic(), traits);
  if (refusal !== undefined) throw errorOfRefusal(refusal);
  const spend = (status: RequestStatus): void =>
    partition.spend(clock.monotonic(), traits, status, logicalPartition, meter.chargeRu);
  let result: T | undefined;
  try {
    result = await run();
  } catch (error) {
    spend(statusOfError(error));
    throw chargedFailure(error, meter.chargeRu);
  }
  if (result !== undefined) spend('ok');
  return result;
}
