import { assert } from '../../foundation/assert.ts';
import type { BlockPlace, IndexBlock } from './index-block.ts';

interface CachedBlock {
  readonly block: IndexBlock;
  usedAt: number;
}

/** Index blocks that were used last, each under its place as its run holds it, up to a number of bytes. A run's root is always in memory; one index block tells of half a megabyte of rows. */
export class IndexCache {
  readonly #maxBytes: number;
  readonly #blocks = new Map<BlockPlace, CachedBlock>();
  #lastUse = 0;
  #sizeBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(slot: BlockPlace): IndexBlock | undefined {
    const cached = this.#blocks.get(slot);
    if (cached === undefined) return undefined;
    cached.usedAt = ++this.#lastUse;
    return cached.block;
  }

  put(slot: BlockPlace, block: IndexBlock): void {
    this.drop(slot);
    this.#sizeBytes += block.sizeBytes;
    while (this.#sizeBytes > this.#maxBytes && this.#blocks.size > 0) this.drop(this.#leastLatelyUsed());
    this.#blocks.set(slot, { block, usedAt: ++this.#lastUse });
  }

  drop(slot: BlockPlace): void {
    const cached = this.#blocks.get(slot);
    if (cached === undefined) return;
    this.#blocks.delete(slot);
    this.#sizeBytes -= cached.block.sizeBytes;
  }

  /** Looked for among all: a block is read from disk once for thousands of times that one is used. */
  #leastLatelyUsed(): BlockPlace {
    let least: BlockPlace | undefined;
    let leastAt = Number.POSITIVE_INFINITY;
    for (const [slot, { usedAt }] of this.#blocks) {
      if (usedAt >= leastAt) continue;
      least = slot;
      leastAt = usedAt;
    }
    assert(least !== undefined, 'there are blocks to choose from');
    return least;
  }
}
