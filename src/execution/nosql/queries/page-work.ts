import type { ConsistencyMultiplier, QueryWork } from '../../../throughput/work-done.ts';
import type { IndexWork } from './stretch-reader.ts';

/** What a page did, for whoever asks for metrics. */
export interface QueryFigures {
  readonly itemsLoaded: number;
  readonly bytesLoaded: number;
  readonly itemsReturned: number;
  readonly bytesReturned: number;
  /** Lookups in indexes, and different values that were passed there. */
  readonly seeks: number;
  readonly terms: number;
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

  lookUp({ seeks, terms }: IndexWork): void {
    this.#page.seeks += seeks;
    this.#page.terms += terms;
    this.#visit.seeks += seeks;
    this.#visit.terms += terms;
  }

  /** Rows that joins have made out of all items of the page so far. */
  join(rows: number): void {
    this.#visit.joinTuples += rows - this.#page.joinTuples;
    this.#page.joinTuples = rows;
  }

  /** What was done in the partition that is being left. */
  takeVisit(): QueryWork {
    const { seeks, terms, ...counts } = this.#visit;
    const work: QueryWork = {
      kind: 'query',
      partitionsVisited: 1,
      ...counts,
      // The first lookup, and the one value of each, are in the price of a visit.
      extraSeeks: Math.max(seeks - 1, 0),
      indexTermsScanned: Math.max(terms - seeks, 0),
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
  seeks = 0;
  terms = 0;
}
