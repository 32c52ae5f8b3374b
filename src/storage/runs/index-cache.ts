import { assert } from '../../foundation/assert.ts';
import type { BlockPlace, IndexBlock } from './index-block.ts';

/** Where an index block stands, and the block while it is in memory: a look-up asks every run, and a map would have to be asked each time. */
export class IndexSlot {
  readonly place: BlockPlace;
  /** The cache's own, as is the next. */
  block: IndexBlock | undefined;
  usedAt = 0;

  constructor(place: BlockPlace) {
    this.place = place;
  }
}

/** Index blocks that were used last, each in the slot of its run, up to a number of bytes. A run's root is always in memory; one index block tells of half a megabyte of rows. */
export class IndexCache {
  readonly #maxBytes: number;
  readonly #filled = new Set<IndexSlot>();
  #lastUse = 0;
  #sizeBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(slot: IndexSlot): IndexBlock | undefined {
    slot.usedAt = ++this.#lastUse;
    return slot.block;
  }

  put(slot: IndexSlot, block: IndexBlock): void {
    this.drop(slot);
    this.#sizeBytes += block.sizeBytes;
    while (this.#sizeBytes > this.#maxBytes && this.#filled.size > 0) this.drop(this.#leastLatelyUsed());
    slot.block = block;
    slot.usedAt = ++this.#lastUse;
    this.#filled.add(slot);
  }

  drop(slot: IndexSlot): void {
    if (slot.block === undefined) return;
    this.#sizeBytes -= slot.block.sizeBytes;
    slot.block = undefined;
    this.#filled.delete(slot);
  }

  /** Looked for among all: a block is read from disk once for thousands of times that one is used. */
  #leastLatelyUsed(): IndexSlot {
    let least: IndexSlot | undefined;
    for (const slot of this.#filled) if (least === undefined || slot.usedAt < least.usedAt) least = slot;
    assert(least !== undefined, 'there are blocks to choose from');
    return least;
  }
}
