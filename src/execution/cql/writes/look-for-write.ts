import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { whereverItIs } from '../../../routing/find-partition.ts';
import type { RequestTraits } from '../../../routing/governed-partition.ts';
import { runGoverned } from '../../../routing/governed-request.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { RequestMeter } from '../../../throughput/request-meter.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { CqlParts } from '../cql-parts.ts';

/** What was found, and what it cost to look. */
export interface Looked<T> {
  readonly found: T;
  readonly chargeRu: RequestUnits;
}

/**
 * A look at a logical partition on behalf of a write: charged, but not asked for room, since the write was. Undefined from `look` means
 * that the partition was not there any more.
 */
export function lookForWrite<T>(
  { throughput: { store, governor, clock, prices } }: CqlParts,
  partition: LogicalPartition,
  traits: RequestTraits,
  look: (address: PartitionAddress, meter: RequestMeter) => Promise<T | undefined>,
): Promise<Looked<T>> {
  return whereverItIs(store, partition, (address) => {
    const meter = new RequestMeter(prices);
    const work = { address, traits, logicalPartition: partition.prefix, meter, isAdmitted: true };
    return runGoverned(governor, clock, work, async (): Promise<Looked<T> | undefined> => {
      const found = await look(address, meter);
      return found === undefined ? undefined : { found, chargeRu: meter.chargeRu };
    });
  });
}
