// A query as execution knows it: how it takes items and when it gives results. What it means is known to the language that made it.

import type { QueryAccess } from './query-access.ts';

export interface RunnableQuery {
  /** The same for queries that may go on from one another's positions. */
  readonly identity: string;
  /**
   * A stream gives an item's results as it sees the item. A sort gives them after the last item, in an order in which each result has
   * a position; so do groups, in the order of what they go by. Parts are groups of the items of one page, which the client puts together
   * with those of others. Otherwise (what is round a sub-query over all items) results have no position, and are counted.
   */
  readonly shape: 'stream' | 'sort' | 'groups' | 'parts' | 'whole';
  /**
   * Whether of sorted results with equal keys the one of the highest rid comes first: so it does where the first key falls, as when an
   * index is read backwards. Clients go on with a sorted query by that.
   */
  readonly hasHighRidsFirst: boolean;
  /** False for a query without FROM, which has its one row without any item. */
  readonly readsItems: boolean;
  /** Whether each result is the item itself, and may be sent as its text. */
  readonly givesWholeItems: boolean;
  /** False when results do not depend on what is in the item. */
  readonly looksInside: boolean;
  /** The paths that are looked at; undefined for all of the item. */
  readonly paths: readonly (readonly string[])[] | undefined;
  /** The paths that its filter looks at, where items that do not pass it can be told by fewer; see `QueryRun.passes`. */
  readonly filterPaths: () => readonly (readonly string[])[] | undefined;
  /** Every item that has a result has this in one of its strings; undefined where no such text is known. */
  readonly neededText: string | undefined;
  /** Whether what is looked at has to have system properties. */
  readonly needsSystemProperties: boolean;
  /** How an index could bring its items. */
  readonly access: QueryAccess;
  /** What OFFSET leaves out. */
  readonly skipped: number;
  /** What TOP and LIMIT allow after that; perhaps infinite. */
  readonly taken: number;
  /** Of sorted results and groups no more than `capacity` are kept, the first of those that come after the position. */
  start(capacity: number, after: SortPosition | undefined): QueryRun;
}

/** Where a result stands in a sorted query: its keys, its item's number, and its place among the item's own results. */
export interface SortPosition {
  readonly keys: readonly unknown[];
  readonly rid: number;
  readonly ordinal: number;
}

/** One result; a place in an order that has neither value nor text has none. `text` makes that of the whole item, where results are whole items. */
export interface QueryResult {
  readonly value: unknown;
  readonly text: ItemText | undefined;
}

export type ItemText = () => Buffer;

/** Takes a result and answers whether it was enough. */
export type OnResult = (result: QueryResult) => boolean;

export interface QueryRun {
  /** Whether an item may have a result, of which the document has what the filter looks at. */
  passes(document: unknown): boolean;
  /**
   * The item's results, as far as they can be given now. Answers whether there was enough; of parts, whether the item had no room and
   * was left alone.
   */
  add(document: unknown, rid: number, text: ItemText | undefined, onResult: OnResult): boolean;
  /** Of parts: the page has done enough, and the next item that adds to it has no room. */
  closePage(): void;
  /** Results that had to wait for the last item, unsorted. */
  finish(onResult: OnResult): boolean;
  /** Sorted results, first to last. */
  sorted(): readonly (QueryResult & SortPosition)[];
  /** Whether fewer sorted results were kept than asked for, so that others come after them. */
  readonly isTrimmed: boolean;
  /** How many sorted results have room. */
  readonly wanted: number;
  /** Whether what comes after the last row that was added, in the order of the results, has no room any more. */
  isSatisfied(): boolean;
  /** Rows that joins and sub-queries have made out of items so far. */
  readonly joinedRows: number;
}
