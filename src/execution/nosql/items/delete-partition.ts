import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { whereverItIs } from '../../../routing/find-partition.ts';
import type { RequestTraits } from '../../../routing/governed-partition.ts';
import { runGoverned } from '../../../routing/governed-request.ts';
import { RequestMeter } from '../../../throughput/request-meter.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { notApplied } from './apply-items.ts';

/** All items with the key are gone when this resolves; what removes them works behind. */
export async function deletePartition(
  parts: NosqlParts,
  container: ContainerDefinition,
  logicalPartition: LogicalPartition,
  traits: RequestTraits,
): Promise<{ readonly chargeRu: RequestUnits; readonly physicalPartition: number }> {
  const { store, governor, clock, prices } = parts.throughput;
  const meter = new RequestMeter(prices);
  const physicalPartition = await whereverItIs(store, logicalPartition, (address) =>
    runGoverned(
      governor,
      clock,
      { address, traits, logicalPartition: logicalPartition.prefix, meter },
      async () => {
        const through = parts.timestamps.next(clock.microseconds());
        await parts.deletions.delete(container, logicalPartition, through);
        // A mark, with nothing known of what it covers.
        meter.add({ ...notApplied('delete-range', undefined), isApplied: true });
        return address.physicalPartition;
      },
    ),
  );
  return { chargeRu: meter.chargeRu, physicalPartition };
}
