// What a read costs, physical partition by physical partition: each is asked for room when the walk enters it, and told what was used
// when the walk leaves.

import type { GovernedPartition, RequestTraits } from '../../../routing/governed-partition.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { explainedText } from '../../../throughput/charge-explanation.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { NO_BUCKET } from '../../../throughput/control-buckets.ts';
import { type PriceList, requestCharge } from '../../../throughput/request-charge.ts';
import { type RequestStatus, statusOfError } from '../../../throughput/request-figures.ts';
import { RequestMeter } from '../../../throughput/request-meter.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { ConsistencyMultiplier, WorkDone } from '../../../throughput/work-done.ts';
import type { CqlParts } from '../cql-parts.ts';
import { refusedRequest } from '../named-partition.ts';
import type { StatementTrace } from '../statement-trace.ts';

export const queryTraits: RequestTraits = { operation: 'query', priority: 'high', bucket: NO_BUCKET };
export const pointReadTraits: RequestTraits = { operation: 'read-item', priority: 'high', bucket: NO_BUCKET };

/** What was gone through, and what was given. */
export interface ReadFigures {
  readonly itemsLoaded: number;
  readonly bytesLoaded: number;
  readonly itemsReturned: number;
  readonly bytesReturned: number;
}

export class ReadCharges {
  readonly #parts: CqlParts;
  readonly #multiplier: ConsistencyMultiplier;
  /** Undefined for what may touch several. */
  readonly #logicalPartition: string | undefined;
  readonly #trace: StatementTrace | undefined;
  readonly #meter: RequestMeter;
  #inside: { readonly id: number; readonly partition: GovernedPartition } | undefined;
  #itemsLoaded = 0;
  #bytesLoaded = 0;
  #itemsReturned = 0;
  #bytesReturned = 0;

  constructor(
    parts: CqlParts,
    multiplier: ConsistencyMultiplier,
    logicalPartition: string | undefined,
    trace: StatementTrace | undefined,
  ) {
    this.#trace = trace;
    this.#parts = parts;
    this.#multiplier = multiplier;
    this.#logicalPartition = logicalPartition;
    this.#meter = new RequestMeter(parts.throughput.prices);
  }

  get chargeRu(): RequestUnits {
    return this.#meter.chargeRu;
  }

  /** False if the partition is not there any more. Throws where it has no request units left. */
  enter({ container, physicalPartition }: PartitionAddress): boolean {
    if (this.#inside?.id === physicalPartition) return true;
    this.leave('ok');
    const { governor, clock } = this.#parts.throughput;
    const partition = governor.partition(container, physicalPartition);
    if (partition === undefined) return false;
    const refusal = partition.admit(clock.monotonic(), queryTraits);
    if (refusal !== undefined) throw refusedRequest(this.#parts, container, refusal);
    this.#inside = { id: physicalPartition, partition };
    return true;
  }

  /** Of the physical partition that the walk is in. */
  get figures(): ReadFigures {
    return {
      itemsLoaded: this.#itemsLoaded,
      bytesLoaded: this.#bytesLoaded,
      itemsReturned: this.#itemsReturned,
      bytesReturned: this.#bytesReturned,
    };
  }

  add({ itemsLoaded, bytesLoaded, itemsReturned, bytesReturned }: ReadFigures): void {
    this.#itemsLoaded += itemsLoaded;
    this.#bytesLoaded += bytesLoaded;
    this.#itemsReturned += itemsReturned;
    this.#bytesReturned += bytesReturned;
  }

  loaded(bytes: number): void {
    this.#itemsLoaded++;
    this.#bytesLoaded += bytes;
  }

  returned(bytes: number): void {
    this.#itemsReturned++;
    this.#bytesReturned += bytes;
  }

  /** Work that fails has used the disks as well. */
  failure(error: unknown): unknown {
    this.leave(statusOfError(error));
    return chargedFailure(error, this.chargeRu);
  }

  leave(status: RequestStatus): void {
    if (this.#inside === undefined) return;
    const work: WorkDone = {
      kind: 'query',
      partitionsVisited: 1,
      itemsLoaded: this.#itemsLoaded,
      bytesLoaded: this.#bytesLoaded,
      itemsReturned: this.#itemsReturned,
      bytesReturned: this.#bytesReturned,
      extraSeeks: 0,
      indexTermsScanned: 0,
      joinTuples: 0,
      udfCalls: 0,
      consistencyMultiplier: this.#multiplier,
    };
    const charge = this.#meter.add(work);
    this.#trace?.event(
      `Read physical partition ${this.#inside.id}: looked at ${this.#itemsLoaded} rows, gave ${this.#itemsReturned}, ${charge} request units${explainedText(work, this.#parts.throughput.prices)}`,
    );
    this.#inside.partition.spend(
      this.#parts.throughput.clock.monotonic(),
      queryTraits,
      status,
      this.#logicalPartition,
      charge,
    );
    this.#inside = undefined;
    this.#itemsLoaded = 0;
    this.#bytesLoaded = 0;
    this.#itemsReturned = 0;
    this.#bytesReturned = 0;
  }
}

/** One row found by its whole key. `storedBytes` is 0 where there is none. */
export function chargeOfPointRead(
  prices: PriceList,
  storedBytes: number,
  consistencyMultiplier: ConsistencyMultiplier,
): RequestUnits {
  return requestCharge({ kind: 'read-item', itemBytes: storedBytes, consistencyMultiplier }, prices);
}
