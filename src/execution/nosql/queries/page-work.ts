import type { ConsistencyMultiplier, QueryWork } from '../../../throughput/work-done.ts';

/** What a page did, for whoever asks for metrics. */
export interface QueryFigures {
  readonly itemsLoaded: number;
  readonly bytesLoaded: number;
  readonly itemsReturned: number;
  readonly bytesReturned: number;
}

/** Counts the work of a page, and that of the physical partition it is in, which is charged by itself. */
export class PageWork {
  readonly #consistencyMultiplier: ConsistencyMultiplier;
  readonly #page = new Counts();
  #visit = new Counts();

  constructor(consistencyMultiplier: ConsistencyMultiplier) {
    this.#consistencyMultiplier = consistencyMultiplier;
  }

  get examined(): number {
    return this.#page.itemsLoaded;
  }

  get examinedBytes(): number {
    return this.#page.bytesLoaded;
  }

  load(bytes: number): void {
    this.#page.itemsLoaded++;
    this.#page.bytesLoaded += bytes;
    this.#visit.itemsLoaded++;
    this.#visit.bytesLoaded += bytes;
  }

  give(bytes: number): void {
    this.#page.itemsReturned++;
    this.#page.bytesReturned += bytes;
    this.#visit.itemsReturned++;
    this.#visit.bytesReturned += bytes;
  }

  /** Rows that joins have made out of all items of the page so far. */
  join(rows: number): void {
    this.#visit.joinTuples += rows - this.#page.joinTuples;
    this.#page.joinTuples = rows;
  }

  /** What was done in the partition that is being left. */
  takeVisit(): QueryWork {
    const work: QueryWork = {
      kind: 'query',
      partitionsVisited: 1,
      ...this.#visit,
      extraSeeks: 0,
      indexTermsScanned: 0,
      udfCalls: 0,
      consistencyMultiplier: this.#consistencyMultiplier,
    };
    this.#visit = new Counts();
    return work;
  }

  figures(): QueryFigures {
    return this.#page;
  }
}

class Counts {
  itemsLoaded = 0;
  bytesLoaded = 0;
  itemsReturned = 0;
  bytesReturned = 0;
  joinTuples = 0;
}
