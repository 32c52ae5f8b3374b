// One item by its id and partition key: what most requests are. From memory it is answered in the same turn, and its text is not
// looked at.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { nextTurn } from '../../../foundation/scheduler.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { addressAt, movedAgain } from '../../../routing/find-partition.ts';
import type { GovernedPartition, RequestTraits } from '../../../routing/governed-partition.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { requestCharge } from '../../../throughput/request-charge.ts';
import { errorOfRefusal } from '../../../throughput/request-refusal.ts';
import { fromHundredths, type RequestUnits } from '../../../throughput/request-units.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import { decodeStoredItem, type StoredItem } from '../../../values/stored-item.ts';
import { itemKey } from '../item-keys.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { isVisible, visibilityOf } from '../visibility.ts';
import { shownBytesOf } from './item-text.ts';

export interface ItemRequest {
  readonly container: ContainerDefinition;
  readonly logicalPartition: LogicalPartition;
  readonly id: string;
  readonly traits: RequestTraits;
  readonly consistencyMultiplier: ConsistencyMultiplier;
  /** Whether the client has this version already, so that it is not sent. */
  readonly isKnown: (item: StoredItem) => boolean;
  /** Throws where the partition has not come as far as the client has seen. */
  readonly refuseUnreached: (physicalPartition: number, committedLsn: number) => void;
}

export interface FoundOne {
  readonly item: StoredItem | undefined;
  readonly isKnown: boolean;
  readonly chargeRu: RequestUnits;
  readonly physicalPartition: number;
  readonly lsn: number;
}

const noCharge = fromHundredths(0);

export function readItem(parts: NosqlParts, request: ItemRequest): FoundOne | Promise<FoundOne> {
  return new ItemLookup(parts, request).run();
}

class ItemLookup {
  readonly #parts: NosqlParts;
  readonly #request: ItemRequest;
  readonly #key: ByteString;
  /** Where it was admitted; undefined while the map and the governor do not agree. */
  #address: PartitionAddress | undefined;
  #governed: GovernedPartition | undefined;

  constructor(parts: NosqlParts, request: ItemRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#key = itemKey(request.logicalPartition, request.id);
  }

  run(): FoundOne | Promise<FoundOne> {
    this.#enter();
    const address = this.#address;
    const row =
      address === undefined ? undefined : this.#parts.throughput.store.readCached(address, this.#key);
    return address === undefined || row === undefined ? this.#readStored() : this.#answer(address, row);
  }

  /** From the disk, and from wherever the partition is by now. It was looked for once already. */
  async #readStored(): Promise<FoundOne> {
    const { store, clock } = this.#parts.throughput;
    const { traits, logicalPartition, consistencyMultiplier } = this.#request;
    for (let moves = 0; ; moves = movedAgain(moves)) {
      const address = this.#address;
      const outcome = address === undefined ? undefined : await store.read(address, this.#key);
      if (outcome?.kind === 'refused') {
        this.#governed?.spend(
          clock.monotonic(),
          traits,
          outcome.error.code,
          logicalPartition.prefix,
          noCharge,
        );
        throw outcome.error;
      }
      if (address !== undefined && outcome?.kind === 'read') {
        if (consistencyMultiplier === 2 && outcome.certainty !== 'settled')
          throw this.#uncertain(address, outcome.certainty);
        return this.#answer(address, outcome.value);
      }
      await nextTurn(this.#parts.scheduler);
      this.#enter();
    }
  }

  /** One replica was asked in vain: that is charged. */
  #uncertain(address: PartitionAddress, certainty: string): unknown {
    const chargeRu = this.#spend(0, 1, 'too-few-replicas');
    return chargedFailure(new RingfoldError('too-few-replicas', { ...address, certainty }), chargeRu);
  }

  /** Throws where no request units are left. */
  #enter(): void {
    const { store, governor, clock } = this.#parts.throughput;
    const { container, logicalPartition, traits } = this.#request;
    const address = addressAt(store, container.container, logicalPartition.ringPosition);
    this.#governed = governor.partition(container.container, address.physicalPartition);
    this.#address = this.#governed === undefined ? undefined : address;
    const refusal = this.#governed?.admit(clock.monotonic(), traits);
    if (refusal !== undefined) throw errorOfRefusal(refusal);
  }

  #answer({ container, physicalPartition }: PartitionAddress, row: Buffer | null): FoundOne {
    const { consistencyMultiplier, isKnown, refuseUnreached } = this.#request;
    const lsn = this.#parts.throughput.store.committedLsn({ container, physicalPartition }) ?? 0;
    const item = row === null ? undefined : this.#visible(decodeStoredItem(row));
    const isSame = item !== undefined && isKnown(item);
    const bytes = item === undefined || isSame ? 0 : shownBytesOf(item);
    try {
      refuseUnreached(physicalPartition, lsn);
    } catch (error) {
      throw chargedFailure(error, this.#spend(0, consistencyMultiplier, 'session-not-available'));
    }
    const chargeRu = this.#spend(bytes, consistencyMultiplier, item === undefined ? 'item-not-found' : 'ok');
    return { item, isKnown: isSame, chargeRu, physicalPartition, lsn };
  }

  #visible(item: StoredItem): StoredItem | undefined {
    const { container, logicalPartition } = this.#request;
    return isVisible(item, visibilityOf(this.#parts, container, logicalPartition)) ? item : undefined;
  }

  #spend(
    itemBytes: number,
    consistencyMultiplier: ConsistencyMultiplier,
    status: 'ok' | 'item-not-found' | 'session-not-available' | 'too-few-replicas',
  ): RequestUnits {
    const { clock, prices } = this.#parts.throughput;
    const { traits, logicalPartition } = this.#request;
    const charge = requestCharge({ kind: 'read-item', itemBytes, consistencyMultiplier }, prices);
    this.#governed?.spend(clock.monotonic(), traits, status, logicalPartition.prefix, charge);
    return charge;
  }
}
