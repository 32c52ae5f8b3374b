import type { BlockPlace, IndexBlock } from './index-block.ts';

/** Index blocks that were used last, each under its place as its run holds it, up to a number of bytes. A run's root is always in memory; one index block tells of half a megabyte of rows. */
export class IndexCache {
  readonly #maxBytes: number;
  /** Least recently used first, as a Map keeps what was put in last at its end. */
  readonly #blocks = new Map<BlockPlace, IndexBlock>();
  #sizeBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(slot: BlockPlace): IndexBlock | undefined {
    const block = this.#blocks.get(slot);
    if (block !== undefined) {
      this.#blocks.delete(slot);
      this.#blocks.set(slot, block);
    }
    return block;
  }

  put(slot: BlockPlace, block: IndexBlock): void {
    this.drop(slot);
    this.#blocks.set(slot, block);
    this.#sizeBytes += block.sizeBytes;
    for (const oldest of this.#blocks.keys()) {
      if (this.#sizeBytes <= this.#maxBytes || oldest === slot) break;
      this.drop(oldest);
    }
  }

  drop(slot: BlockPlace): void {
    const block = this.#blocks.get(slot);
    if (block === undefined) return;
    this.#blocks.delete(slot);
    this.#sizeBytes -= block.sizeBytes;
  }
}
