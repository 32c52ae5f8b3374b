// One page of a query. A page ends with the first result too many: whoever reads the next one begins right before that, and the last
// page is known to be the last.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { Clock } from '../../../foundation/clock.ts';
import type { RequestTraits } from '../../../routing/governed-partition.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { type RequestStatus, statusOfError } from '../../../throughput/request-figures.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import { type ReadTurn, readTurnsOf } from '../../read-turns.ts';
import { MAX_ANSWER_BYTES } from '../answer-limit.ts';
import type { FeedPosition } from '../feeds/feed-position.ts';
import type { ScannedItem } from '../feeds/scanned-item.ts';
import { shownBytesOf, textOfItem } from '../items/item-text.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { VisitedPartitions } from '../visited-partitions.ts';
import type { ItemSource } from './item-source.ts';
import { PageWork, type QueryFigures } from './page-work.ts';
import type { QueryPosition } from './query-token.ts';
import type { QueryResult, QueryRun, RunnableQuery } from './runnable-query.ts';

export interface QueryRequest {
  readonly container: ContainerDefinition;
  readonly query: RunnableQuery;
  readonly source: ItemSource;
  readonly from: QueryPosition;
  readonly maxItems: number;
  readonly traits: RequestTraits;
  readonly consistencyMultiplier: ConsistencyMultiplier;
  /** Of the only one that is looked at, for naming who spends what; undefined for several. */
  readonly logicalPartition: string | undefined;
  /** Throws where the partition has not come as far as the client has seen. */
  readonly refuseUnreached: (physicalPartition: number) => void;
}

export interface QueryPage {
  /** JSON texts. */
  readonly results: readonly (Buffer | string)[];
  /** Undefined when nothing is left. */
  readonly next: QueryPosition | undefined;
  readonly chargeRu: RequestUnits;
  /** The last one that was looked at. */
  readonly physicalPartition: number | undefined;
  readonly figures: QueryFigures;
}

/** A stream that finds little ends its page after so much looking. */
const maxExaminedItems = 20_000;
const maxExaminedBytes = 64 * 2 ** 20;
/** Sorted results are kept in memory, and so no more of them than this at a time. */
const maxSortedPage = 10_000;

/** A turn on the event loop; looked at now and then, since asking the time costs about as much as a small item. */
const longestTurnMs = 4;
const itemsBetweenLooks = 16;

const throttled: ReadonlySet<RingfoldError['code']> = new Set([
  'throughput-exceeded',
  'throughput-bucket-exceeded',
]);

export async function runQuery(parts: NosqlParts, request: QueryRequest): Promise<QueryPage> {
  const turn = await readTurnsOf(parts.scheduler).begin();
  try {
    return await new PageRun(parts, request, turn).run();
  } finally {
    turn.end();
  }
}

class PageRun {
  readonly #request: QueryRequest;
  readonly #turn: ReadTurn;
  readonly #clock: Clock;
  #turnBeganAt: number;
  readonly #visited: VisitedPartitions;
  readonly #work: PageWork;
  readonly #run: QueryRun;
  readonly #results: (Buffer | string)[] = [];
  readonly #maxItems: number;
  /** Where the next page begins, as far as it is known. */
  #items: FeedPosition | undefined;
  #skipped: number;
  #bytes = 0;
  /** There is more than the page has room for. */
  #isCut = false;

  constructor(parts: NosqlParts, request: QueryRequest, turn: ReadTurn) {
    const { container, query, from } = request;
    this.#request = request;
    this.#turn = turn;
    this.#clock = parts.throughput.clock;
    this.#turnBeganAt = this.#clock.monotonic();
    this.#visited = new VisitedPartitions(
      parts.throughput,
      container.container,
      request.traits,
      request.logicalPartition,
    );
    this.#work = new PageWork(request.consistencyMultiplier);
    const most = query.shape === 'sort' ? maxSortedPage : Number.POSITIVE_INFINITY;
    this.#maxItems = Math.min(request.maxItems, from.left, most);
    this.#items = from.items;
    this.#skipped = from.skipped;
    this.#run = query.start(from.skipped + this.#maxItems + 1, from.sorted);
  }

  async run(): Promise<QueryPage> {
    const { query } = this.#request;
    let physicalPartition: number | undefined;
    if (query.readsItems) physicalPartition = await this.#readItems();
    else this.#run.add(undefined, 0, undefined, (result) => this.#take(result));
    let next: QueryPosition | undefined;
    if (query.shape === 'sort') next = this.#takeSorted();
    else if (query.shape === 'whole') next = this.#takeWhole();
    else next = this.#isCut ? this.#position() : undefined;
    return {
      results: this.#results,
      next,
      chargeRu: this.#visited.chargeRu,
      physicalPartition,
      figures: this.#work.figures(),
    };
  }

  async #readItems(): Promise<number | undefined> {
    const { source } = this.#request;
    let last: number | undefined;
    try {
      for (;;) {
        const id = source.next();
        if (id === undefined || this.#isOver()) break;
        if (id !== this.#visited.inside && !this.#enter(id)) break;
        last = id;
        const chunk = await source.chunk();
        if (chunk === undefined) break;
        for (const [index, item] of chunk.items.entries()) {
          this.#examine(item);
          if (this.#isOver()) break;
          this.#items = chunk.positionAfter(index);
          this.#cutByWork();
          if (this.#isCut) break;
          await this.#giveWay();
        }
        if (!this.#isOver()) await this.#nextTurn();
      }
      this.#leave('ok');
    } catch (error) {
      this.#leave(statusOfError(error));
      throw chargedFailure(error, this.#visited.chargeRu);
    }
    return last;
  }

  /**
   * False when the partition has no request units left and the page has come some way already: it then ends here, rather than be
   * thrown away and done again.
   */
  #enter(id: number): boolean {
    this.#leave('ok');
    this.#request.refuseUnreached(id);
    try {
      // One that has gone away since is found anew by the source.
      this.#visited.enter(id);
      return true;
    } catch (error) {
      const { query, from } = this.#request;
      const isUnderWay = query.shape === 'stream' && this.#items !== from.items;
      if (!isUnderWay || !(error instanceof RingfoldError) || !throttled.has(error.code)) throw error;
      this.#isCut = true;
      return false;
    }
  }

  /** Items differ in size and queries in what they do with one, so others have their turn by time. That changes no result. */
  async #giveWay(): Promise<void> {
    if (this.#work.examined % itemsBetweenLooks !== 0) return;
    if (this.#clock.monotonic() - this.#turnBeganAt < longestTurnMs) return;
    await this.#nextTurn();
  }

  async #nextTurn(): Promise<void> {
    await this.#turn.next(this.#work.examined);
    this.#turnBeganAt = this.#clock.monotonic();
  }

  #examine({ item }: ScannedItem): void {
    const { container, query } = this.#request;
    this.#work.load(shownBytesOf(item));
    const text = (): Buffer => textOfItem(container, item);
    const document = query.looksInside
      ? documentOf(query.needsSystemProperties ? text() : item.payload)
      : undefined;
    const skippedBefore = this.#skipped;
    const takenBefore = this.#results.length;
    this.#run.add(document, item.rid ?? 0, query.givesWholeItems ? text : undefined, (result) =>
      this.#take(result),
    );
    this.#work.join(this.#run.joinedRows);
    if (!this.#isCut || query.shape !== 'stream') return;
    // The page ends inside this item: the next one reads it again, and leaves out what was left out or given of it.
    this.#skipped = skippedBefore - this.#skipped + (this.#results.length - takenBefore);
  }

  /** Whatever gives results one by one. Answers true for the first that has no room. */
  #take(result: QueryResult): boolean {
    if (this.#skipped > 0) {
      this.#skipped--;
      return false;
    }
    if (this.#isFull()) {
      this.#isCut = true;
      return true;
    }
    const text = result.text?.() ?? JSON.stringify(result.value);
    this.#results.push(text);
    const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    this.#bytes += bytes;
    this.#work.give(bytes);
    return this.#left() === 0;
  }

  /** Nothing more is wanted, for this page or for any. */
  #isOver(): boolean {
    return this.#isCut || this.#left() === 0;
  }

  #isFull(): boolean {
    return this.#results.length >= this.#maxItems || this.#bytes >= MAX_ANSWER_BYTES;
  }

  #takeSorted(): QueryPosition | undefined {
    let { sorted } = this.#request.from;
    for (const row of this.#run.sorted()) {
      if (this.#isOver()) break;
      this.#take(row);
      if (!this.#isCut) sorted = { keys: row.keys, rid: row.rid, ordinal: row.ordinal };
    }
    if (!this.#isCut && !this.#run.isTrimmed) return undefined;
    return { items: undefined, sorted, skipped: this.#skipped, left: this.#left() };
  }

  /** The next page does all of it again, and leaves out what was given. */
  #takeWhole(): QueryPosition | undefined {
    const onResult = (result: QueryResult) => this.#take(result);
    if (!this.#isCut && !this.#run.finish(onResult)) this.#run.sorted().some(onResult);
    if (!this.#isCut) return undefined;
    const { skipped } = this.#request.from;
    return {
      items: undefined,
      sorted: undefined,
      skipped: skipped + this.#results.length,
      left: this.#left(),
    };
  }

  #position(): QueryPosition {
    return { items: this.#items, sorted: undefined, skipped: this.#skipped, left: this.#left() };
  }

  #left(): number {
    return this.#request.from.left - this.#results.length;
  }

  /** Work, not time, ends a page, so that the same request ends at the same place and costs the same. */
  #cutByWork(): void {
    const { examined, examinedBytes } = this.#work;
    const isMuch = examined >= maxExaminedItems || examinedBytes >= maxExaminedBytes;
    if (this.#request.query.shape === 'stream' && isMuch) this.#isCut = true;
  }

  #leave(status: RequestStatus): void {
    this.#visited.leave(this.#work.takeVisit(), status);
  }
}

function documentOf(text: Buffer): unknown {
  return JSON.parse(text.toString());
}
