// What a feed or a query costs, physical partition by physical partition: each is asked for room when the walk enters it, and told what
// was used when the walk leaves it, however it leaves.

import type { GovernedPartition, RequestTraits } from '../../routing/governed-partition.ts';
import type { ChargeExplanation } from '../../throughput/charge-explanation.ts';
import type { RequestStatus } from '../../throughput/request-figures.ts';
import { RequestMeter } from '../../throughput/request-meter.ts';
import { errorOfRefusal } from '../../throughput/request-refusal.ts';
import type { RequestUnits } from '../../throughput/request-units.ts';
import type { WorkDone } from '../../throughput/work-done.ts';
import type { ThroughputParts } from '../throughput-parts.ts';

export class VisitedPartitions {
  readonly #throughput: ThroughputParts;
  readonly #container: number;
  readonly #traits: RequestTraits;
  /** Undefined for what may touch several. */
  readonly #logicalPartition: string | undefined;
  readonly #meter: RequestMeter;
  #inside: GovernedPartition | undefined;

  constructor(
    throughput: ThroughputParts,
    container: number,
    traits: RequestTraits,
    logicalPartition: string | undefined,
    explanation?: ChargeExplanation,
  ) {
    this.#throughput = throughput;
    this.#container = container;
    this.#traits = traits;
    this.#logicalPartition = logicalPartition;
    this.#meter = new RequestMeter(throughput.prices, explanation);
  }

  get chargeRu(): RequestUnits {
    return this.#meter.chargeRu;
  }

  /** Where the walk is; undefined between partitions. */
  get inside(): number | undefined {
    return this.#inside?.id;
  }

  /** False if the partition is not there any more. Throws where it has no request units left. */
  enter(physicalPartition: number): boolean {
    const { governor, clock } = this.#throughput;
    const partition = governor.partition(this.#container, physicalPartition);
    if (partition === undefined) return false;
    const refusal = partition.admit(clock.monotonic(), this.#traits);
    if (refusal !== undefined) throw errorOfRefusal(refusal);
    this.#inside = partition;
    return true;
  }

  leave(work: WorkDone, status: RequestStatus): void {
    if (this.#inside === undefined) return;
    const charge = this.#meter.add(work);
    const { clock } = this.#throughput;
    this.#inside.spend(clock.monotonic(), this.#traits, status, this.#logicalPartition, charge);
    this.#inside = undefined;
  }
}
