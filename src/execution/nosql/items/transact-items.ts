// Writes to the items of one logical partition: admitted, run, charged; the physical partition is found anew while it moves.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { JsonKeyComponent } from '../../../partitioning/json-key-component.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { addressAt, movedAgain } from '../../../routing/find-partition.ts';
import type { GovernedPartition, RequestTraits } from '../../../routing/governed-partition.ts';
import type { Outcome, PartitionAddress } from '../../../storage/partition-store.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import type { RequestStatus } from '../../../throughput/request-figures.ts';
import { RequestMeter } from '../../../throughput/request-meter.ts';
import { errorOfRefusal } from '../../../throughput/request-refusal.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityOf } from '../visibility.ts';
import { keysOfSteps } from './apply-items.ts';
import { itemsOperation } from './item-operation-kinds.ts';
import type { ItemStep, ItemsAnswer, StepResult } from './item-step.ts';

/** Steps on one logical partition, all or none of which happen. */
export interface ItemsRequest {
  readonly container: ContainerDefinition;
  readonly logicalPartition: LogicalPartition;
  readonly partitionKey: readonly JsonKeyComponent[];
  readonly steps: readonly ItemStep[];
  readonly traits: RequestTraits;
  /** Charged for itself too, once. */
  readonly isBatch: boolean;
}

export interface ChargedStep extends StepResult {
  readonly chargeRu: RequestUnits;
}

export interface ItemsOutcome {
  /** As far as it came; the last one is refused if not all were applied. */
  readonly results: readonly ChargedStep[];
  readonly isApplied: boolean;
  readonly chargeRu: RequestUnits;
  readonly physicalPartition: number;
  /** Where the partition stood then. */
  readonly lsn: number;
}

/** Rejects only for what is no answer of the items themselves: no request units, too few replicas, an outcome that is not known. */
export function transactItems(parts: NosqlParts, request: ItemsRequest): Promise<ItemsOutcome> {
  return new Promise((resolve, reject) => new ItemsWrite(parts, request, resolve, reject).attempt());
}

/** Each is a look at rows that the look before it showed to matter: items that hold a unique key. */
const maxLooks = 20;

class ItemsWrite {
  readonly #parts: NosqlParts;
  readonly #request: ItemsRequest;
  readonly #keys: Set<ByteString>;
  readonly #resolve: (outcome: ItemsOutcome) => void;
  readonly #reject: (error: unknown) => void;
  #moves = 0;
  #looks = 0;
  /** It was admitted once: another look is no other request. */
  #isAdmitted = false;

  constructor(
    parts: NosqlParts,
    request: ItemsRequest,
    resolve: (outcome: ItemsOutcome) => void,
    reject: (error: unknown) => void,
  ) {
    this.#parts = parts;
    this.#request = request;
    this.#keys = keysOfSteps(request.logicalPartition, request.steps);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  attempt(): void {
    const { store, governor, clock } = this.#parts.throughput;
    const { container, logicalPartition } = this.#request;
    for (; ; this.#moves = movedAgain(this.#moves)) {
      const address = addressAt(store, container.container, logicalPartition.ringPosition);
      const partition = governor.partition(container.container, address.physicalPartition);
      if (partition === undefined) continue;
      if (!this.#isAdmitted) this.#admit(partition, clock.monotonic());
      store.transact(address, logicalPartition, itemsOperation(this.#transaction()), (outcome) => {
        try {
          this.#settle(partition, address, outcome);
        } catch (error) {
          this.#reject(error);
        }
      });
      return;
    }
  }

  /** Throws if the logical partition is full, which it may be for what only reads and deletes, or for want of request units. */
  #admit(partition: GovernedPartition, nowMs: number): void {
    const { logicalPartition, steps, traits } = this.#request;
    const { limit } = this.#parts.throughput;
    const isAdding = steps.some(({ kind }) => kind !== 'delete' && kind !== 'read');
    const full = isAdding ? limit.refusal(nowMs, partition, logicalPartition) : undefined;
    if (full !== undefined) throw full;
    const refusal = partition.admit(nowMs, traits);
    if (refusal !== undefined) throw errorOfRefusal(refusal);
    this.#isAdmitted = true;
  }

  /** Its timestamps are taken when it is handed over, so that they rise in the order in which the store runs what it is given. */
  #transaction() {
    const { container, logicalPartition, partitionKey, steps } = this.#request;
    const { timestamps, throughput } = this.#parts;
    const timestamp = timestamps.next(throughput.clock.microseconds());
    timestamps.raiseTo(timestamp + steps.length - 1);
    return {
      container,
      prefix: logicalPartition.prefix,
      partitionKey,
      steps,
      timestamp,
      visibility: visibilityOf(this.#parts, container, logicalPartition),
      keys: this.#keys,
    };
  }

  #settle(partition: GovernedPartition, { physicalPartition }: PartitionAddress, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'committed': {
        const answer = outcome.answer as ItemsAnswer;
        if (answer.missing.length > 0) {
          this.#lookAgain(answer.missing);
          return;
        }
        const { isApplied } = answer;
        const failure = answer.results.at(-1)?.error;
        const { results, chargeRu } = this.#spend(partition, answer, failure?.code ?? 'ok');
        this.#resolve({ results, isApplied, chargeRu, physicalPartition, lsn: outcome.lsn });
        return;
      }
      case 'refused': {
        const { chargeRu } = this.#spend(partition, nothingDone, outcome.error.code);
        this.#reject(chargedFailure(outcome.error, chargeRu));
        return;
      }
      case 'unknown': {
        const { transactionId } = outcome;
        // It was handed to replicas, so it is charged; what was there before nobody told.
        const { chargeRu } = this.#spend(partition, this.#supposed(), 'outcome-unknown');
        this.#reject(new RingfoldError('outcome-unknown', { transactionId, chargeRu }));
        return;
      }
      case 'moved':
        this.#moves = movedAgain(this.#moves);
        this.#isAdmitted = false;
        this.attempt();
        return;
    }
  }

  #lookAgain(missing: readonly ByteString[]): void {
    this.#looks++;
    if (this.#looks > maxLooks) throw new RingfoldError('write-contention', { looks: this.#looks });
    for (const key of missing) this.#keys.add(key);
    this.attempt();
  }

  #spend(
    partition: GovernedPartition,
    { results, isApplied }: ItemsAnswer,
    status: RequestStatus,
  ): { readonly results: readonly ChargedStep[]; readonly chargeRu: RequestUnits } {
    const { clock, prices } = this.#parts.throughput;
    const { traits, isBatch, logicalPartition } = this.#request;
    const meter = new RequestMeter(prices);
    if (isBatch && results.length > 0) meter.add({ kind: 'batch' });
    const charged = results.map((result) => {
      const { work } = result;
      const done = 'isApplied' in work && !isApplied ? { ...work, isApplied: false } : work;
      return { chargeRu: meter.add(done), ...result };
    });
    const { chargeRu } = meter;
    partition.spend(clock.monotonic(), traits, status, logicalPartition.prefix, chargeRu);
    return { results: charged, chargeRu };
  }

  #supposed(): ItemsAnswer {
    const results = this.#request.steps.map((step): StepResult => {
      const bytesAfter = 'draft' in step ? step.draft.text.length : 1;
      const work = {
        kind: 'upsert-item',
        bytesBefore: 0,
        bytesAfter,
        indexTermsRemoved: 0,
        indexTermsAdded: 'draft' in step ? step.draft.indexTerms : 0,
        properties: 0,
        patchOperations: 0,
        isLightweightTransaction: false,
        isApplied: true,
      } as const;
      return { outcome: 'replaced', error: undefined, item: undefined, work };
    });
    return { results, isApplied: true, missing: [] };
  }
}

const nothingDone: ItemsAnswer = { results: [], isApplied: false, missing: [] };
