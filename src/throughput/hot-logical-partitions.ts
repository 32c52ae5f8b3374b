// Which logical partitions of a physical one spend most, in bounded memory: the space-saving sketch of Metwally, Agrawal and
// El Abbadi (2005), with weights that halve every half minute. It counts as many logical partitions as it has places; one
// that has none takes that of the smallest and its count, and remembers how much of the count was not its own.
//
// Of all request units of late, each counted share is too high by at most 1/64 and never too low, and a logical partition
// with more than 1/64 of them is counted. Adding takes time that does not grow with the number of logical partitions.

import { NO_SLOT, TextSlots } from './text-slots.ts';

/** Each keeps a partition key in memory, at most 2 KB. */
export const COUNTED_LOGICAL_PARTITIONS: number = 64;

export const HEAT_HALF_LIFE_SECONDS: number = 30;

/** Above one half a split is no help: the side with this key stays as hot as it was (cosmos-partitioning.md §7, rule 13). */
export const HOT_SHARE: number = 0.5;

export interface LogicalPartitionHeat {
  /** As `spend` was told: any text that is one logical partition's own. */
  readonly logicalPartition: string;
  /** Of the physical partition's request units of late; at most so much. */
  readonly share: number;
  readonly shareAtLeast: number;
}

/** Weights are counted in request units of the landmark's second; powers of two beyond this would soon be no numbers. */
const MAX_HALF_LIVES_FROM_LANDMARK = 500;

export class HotLogicalPartitions {
  readonly #slots = new TextSlots(COUNTED_LOGICAL_PARTITIONS);
  /** By slot: how much of its weight may be of those who had the slot before. */
  readonly #foreignWeights = new Float64Array(COUNTED_LOGICAL_PARTITIONS);
  readonly #places: Uint8Array = Uint8Array.from({ length: COUNTED_LOGICAL_PARTITIONS }, (_, slot) => slot);
  // A heap by place, in flat arrays because with many partitions the cost is in cache lines: the smallest weight first, and
  // below each place p the places 2p + 1 and 2p + 2. Slots that nobody has taken yet are in it, with no weight.
  readonly #weights = new Float64Array(COUNTED_LOGICAL_PARTITIONS);
  readonly #slotsByPlace: Uint8Array = this.#places.slice();
  #hottestSlot = 0;
  #totalWeight = 0;
  #landmarkSecond = 0;
  #second = 0;
  #weightOfOneRu = 1;

  spend(nowMs: number, logicalPartition: string, chargeRu: number): void {
    const second = Math.floor(nowMs / 1_000);
    if (second > this.#second) this.#moveTo(second);
    const added = chargeRu * this.#weightOfOneRu;
    this.#totalWeight += added;
    const known = this.#slots.find(logicalPartition);
    const slot = known === NO_SLOT ? this.#takeSmallest(logicalPartition) : known;
    const weight = this.#weightOf(slot) + added;
    this.#sinkDown(slot, weight);
    // Weights only grow, and all halve together, so the greatest stays so until another one passes it.
    if (weight > this.#weightOf(this.#hottestSlot)) this.#hottestSlot = slot;
  }

  /** Undefined while nothing was spent. */
  hottest(): LogicalPartitionHeat | undefined {
    return this.#heatOf(this.#hottestSlot);
  }

  /** The one that has at least half of all for certain. One that has 1/64 more than half is never missed. */
  hotOne(): LogicalPartitionHeat | undefined {
    const hottest = this.hottest();
    return hottest !== undefined && hottest.shareAtLeast >= HOT_SHARE ? hottest : undefined;
  }

  /** All that are counted, the hottest first. */
  ranking(): LogicalPartitionHeat[] {
    return Array.from({ length: COUNTED_LOGICAL_PARTITIONS }, (_, slot) => this.#heatOf(slot))
      .filter((heat) => heat !== undefined)
      .sort((a, b) => b.share - a.share);
  }

  #heatOf(slot: number): LogicalPartitionHeat | undefined {
    const logicalPartition = this.#slots.textOf(slot);
    if (logicalPartition === undefined || this.#totalWeight === 0) return undefined;
    const weight = this.#weightOf(slot);
    return {
      logicalPartition,
      share: weight / this.#totalWeight,
      shareAtLeast: (weight - (this.#foreignWeights[slot] as number)) / this.#totalWeight,
    };
  }

  #weightOf(slot: number): number {
    return this.#weights[this.#places[slot] as number] as number;
  }

  /** Later request units weigh more, which is the same as earlier ones weighing less and touches none of them. */
  #moveTo(second: number): void {
    let halfLives = (second - this.#landmarkSecond) / HEAT_HALF_LIFE_SECONDS;
    if (halfLives > MAX_HALF_LIVES_FROM_LANDMARK) {
      const factor = 2 ** -halfLives;
      this.#totalWeight *= factor;
      for (let at = 0; at < COUNTED_LOGICAL_PARTITIONS; at++) {
        this.#weights[at] = (this.#weights[at] as number) * factor;
        this.#foreignWeights[at] = (this.#foreignWeights[at] as number) * factor;
      }
      this.#landmarkSecond = second;
      halfLives = 0;
    }
    this.#second = second;
    this.#weightOfOneRu = 2 ** halfLives;
  }

  #takeSmallest(logicalPartition: string): number {
    const slot = this.#slotsByPlace[0] as number;
    this.#slots.give(slot, logicalPartition);
    this.#foreignWeights[slot] = this.#weights[0] as number;
    return slot;
  }

  #sinkDown(slot: number, weight: number): void {
    const weights = this.#weights;
    let place = this.#places[slot] as number;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= weights.length) break;
      if (child + 1 < weights.length && (weights[child + 1] as number) < (weights[child] as number)) child++;
      if ((weights[child] as number) >= weight) break;
      this.#put(this.#slotsByPlace[child] as number, weights[child] as number, place);
      place = child;
    }
    this.#put(slot, weight, place);
  }

  #put(slot: number, weight: number, place: number): void {
    this.#weights[place] = weight;
    this.#slotsByPlace[place] = slot;
    this.#places[slot] = place;
  }
}
