// One page of a query. A page ends with the first result too many: whoever reads the next one begins right before that, and the last
// page is known to be the last.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { Clock } from '../../../foundation/clock.ts';
import type { RequestTraits } from '../../../routing/governed-partition.ts';
import type { ChargeExplanation } from '../../../throughput/charge-explanation.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { type RequestStatus, statusOfError } from '../../../throughput/request-figures.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import { exactJsonText, hasLongInteger, parseExactJson } from '../../../values/exact-json.ts';
import { JsonExcerpt } from '../../../values/json-excerpt.ts';
import { type ReadTurn, readTurnsOf } from '../../read-turns.ts';
import { MAX_ANSWER_BYTES } from '../answer-limit.ts';
import type { ScannedItem } from '../feeds/scanned-item.ts';
import { shownBytesOf, textOfItem } from '../items/item-text.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { VisitedPartitions } from '../visited-partitions.ts';
import { FirstLook } from './first-look.ts';
import { positionBefore } from './item-position.ts';
import type { IndexUsed, ItemSource, QueryChunk } from './item-source.ts';
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
  /** Filled as the work is charged, where somebody asked. */
  readonly explanation?: ChargeExplanation | undefined;
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
  readonly used: IndexUsed;
  readonly times: QueryTimes;
}

/** Where the time of a page went, in milliseconds. */
export interface QueryTimes {
  /** Finding and loading items. */
  readonly sourceMs: number;
  /** Of that, the index alone. */
  readonly indexMs: number;
}

/** A stream that finds little ends its page after so much looking. */
const maxExaminedItems = 20_000;
const maxExaminedBytes = 64 * 2 ** 20;
/** Sorted results are kept in memory, and so no more of them than this at a time. */
const maxSortedPage = 10_000;
/** Who asks for parts of groups reads all of them before it gives any, so small pages are of use to nobody. */
const leastPartsOfPage = 1_000;
/** A group may have no result: with no more kept than are asked for, pages would be empty, and each sees all items. */
const leastGroupsKept = 1_000;

/** A turn on the event loop; looked at now and then, since asking the time costs about as much as a small item. */
const longestTurnMs = 4;
const itemsBetweenLooks = 16;

const throttled: ReadonlySet<RingfoldError['code']> = new Set([
  'throughput-exceeded',
  'throughput-bucket-exceeded',
]);

const backslash = 0x5c;

/** Whether no string of the JSON text has the other in it. With escapes, letters may be spelt in other ways. */
function isWithout(text: Buffer, needed: Buffer): boolean {
  return text.indexOf(needed) < 0 && text.indexOf(backslash) < 0;
}

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
  readonly #capacity: number;
  readonly #isSorted: boolean;
  readonly #excerpt: JsonExcerpt | undefined;
  readonly #neededText: Buffer | undefined;
  readonly #firstLook: FirstLook;
  // Made once, and not for each item.
  readonly #onResult = (result: QueryResult): boolean => this.#take(result);
  /** The last item that is done with; a position of each would be made for nothing. */
  #lastChunk: QueryChunk | undefined;
  #lastIndex = 0;
  #skipped: number;
  /** The item inside which the page before this one ended; from the first item on, the one inside which this one ends. */
  #within: number | undefined;
  #bytes = 0;
  #sourceMs = 0;
  /** Of an item that was looked at; JavaScript's own JSON knows none. */
  #hasLongIntegers = false;
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
      request.explanation,
    );
    this.#work = new PageWork(request.consistencyMultiplier);
    this.#excerpt = query.paths === undefined ? undefined : new JsonExcerpt(query.paths);
    this.#neededText = query.neededText === undefined ? undefined : Buffer.from(query.neededText);
    this.#isSorted = query.shape === 'sort' || query.shape === 'groups';
    const most = this.#isSorted || query.shape === 'parts' ? maxSortedPage : Number.POSITIVE_INFINITY;
    const asked = query.shape === 'parts' ? Math.max(request.maxItems, leastPartsOfPage) : request.maxItems;
    this.#maxItems = Math.min(asked, from.left, most);
    this.#skipped = from.skipped;
    this.#within = from.within;
    // One more tells that there is more, unless nobody could want it. Parts end with the first that has no room.
    const isOneMore = this.#maxItems < from.left && query.shape !== 'parts';
    const asMany = from.skipped + this.#maxItems + (isOneMore ? 1 : 0);
    this.#capacity = query.shape === 'groups' ? Math.max(asMany, leastGroupsKept) : asMany;
    this.#run = query.start(this.#capacity, from.sorted);
    this.#firstLook = new FirstLook(query, this.#run);
  }

  async run(): Promise<QueryPage> {
    const { query } = this.#request;
    let physicalPartition: number | undefined;
    if (query.readsItems) physicalPartition = await this.#readItems();
    else this.#run.add(undefined, 0, undefined, this.#onResult);
    let next: QueryPosition | undefined;
    if (this.#isSorted) next = this.#takeSorted();
    else if (query.shape === 'whole') next = this.#takeWhole();
    else if (query.shape === 'parts') next = this.#takeParts();
    else next = this.#isCut ? this.#position() : undefined;
    return {
      results: this.#results,
      next,
      chargeRu: this.#visited.chargeRu,
      physicalPartition,
      figures: this.#work.figures(),
      used: this.#request.source.used,
      times: { sourceMs: this.#sourceMs, indexMs: this.#request.source.used.indexMs },
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
        const askedAt = this.#clock.monotonic();
        const chunk = await source.chunk(this.#wanted());
        this.#sourceMs += this.#clock.monotonic() - askedAt;
        if (chunk === undefined) break;
        if (chunk.index !== undefined) this.#work.lookUp(chunk.index);
        const { items } = chunk;
        for (let index = 0; index < items.length; index++) {
          this.#examine(items[index] as ScannedItem);
          if (this.#isOver() && this.#within === undefined) break;
          this.#lastChunk = chunk;
          this.#lastIndex = index;
          this.#cutByWork();
          if (this.#isCut) break;
          if (chunk.isSettledAfter?.(index) === true && this.#run.isSatisfied()) {
            source.leaveStretch();
            break;
          }
          if (this.#isTurnOver()) await this.#nextTurn();
        }
        if (!this.#isOver() && source.next() !== undefined) await this.#nextTurn();
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
      const { query } = this.#request;
      const isUnderWay = query.shape === 'stream' && this.#lastChunk !== undefined;
      if (!isUnderWay || !(error instanceof RingfoldError) || !throttled.has(error.code)) throw error;
      this.#isCut = true;
      return false;
    }
  }

  /** Items differ in size and queries in what they do with one, so others have their turn by time. That changes no result. */
  #isTurnOver(): boolean {
    if (this.#work.examined % itemsBetweenLooks !== 0) return false;
    return this.#clock.monotonic() - this.#turnBeganAt >= longestTurnMs;
  }

  async #nextTurn(): Promise<void> {
    await this.#turn.next(this.#work.examined);
    this.#turnBeganAt = this.#clock.monotonic();
  }

  #examine({ item }: ScannedItem): void {
    const { container, query } = this.#request;
    this.#work.load(shownBytesOf(item));
    if (this.#neededText !== undefined && isWithout(item.payload, this.#neededText)) return;
    // What was found by an index passes, mostly.
    if (this.#request.source.used.isScanned && this.#firstLook.isInVain(item.payload)) return;
    const document = query.looksInside
      ? this.#documentOf(query.needsSystemProperties ? textOfItem(container, item) : item.payload)
      : undefined;
    const text = query.givesWholeItems ? (): Buffer => textOfItem(container, item) : undefined;
    // The item that the last page ended in comes first, unless it is gone.
    if (this.#within !== undefined && this.#within !== item.rid) this.#skipped = 0;
    this.#within = undefined;
    const skippedBefore = this.#skipped;
    const takenBefore = this.#results.length;
    const isEnough = this.#run.add(document, item.rid ?? 0, text, this.#onResult);
    this.#work.join(this.#run.joinedRows);
    if (query.shape === 'parts' && isEnough) this.#isCut = true;
    if (!this.#isCut || query.shape !== 'stream') return;
    // The page ends inside this item: the next one reads it again, and leaves out what was left out or given of it.
    this.#skipped = skippedBefore - this.#skipped + (this.#results.length - takenBefore);
    if (this.#skipped > 0) this.#within = item.rid;
  }

  #documentOf(text: Buffer): unknown {
    if (this.#excerpt !== undefined) return this.#excerpt.read(text);
    if (!hasLongInteger(text)) return JSON.parse(text.toString());
    this.#hasLongIntegers = true;
    return parseExactJson(text.toString());
  }

  #textOf(value: unknown): string {
    return this.#hasLongIntegers || this.#excerpt?.hasLongIntegers === true
      ? exactJsonText(value)
      : JSON.stringify(value);
  }

  /** Items that are worth looking up at once: as many as results have room, where each item may be one. */
  #wanted(): number {
    const { shape } = this.#request.query;
    if (shape === 'sort') return this.#run.wanted;
    return shape === 'stream' ? Math.max(this.#capacity - this.#results.length, 1) : Number.POSITIVE_INFINITY;
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
    this.#give(result);
    return this.#left() === 0;
  }

  #give(result: QueryResult): void {
    const text = result.text?.() ?? this.#textOf(result.value);
    this.#results.push(text);
    const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    this.#bytes += bytes;
    this.#work.give(bytes);
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
    // Rows of a sub-query over all items are only there now; what they come to is kept in order, too.
    this.#run.finish(() => false);
    for (const row of this.#run.sorted()) {
      if (this.#isOver()) break;
      const hasResult = row.value !== undefined || row.text !== undefined;
      if (hasResult) this.#take(row);
      if (!this.#isCut) sorted = { keys: row.keys, rid: row.rid, ordinal: row.ordinal };
    }
    if (this.#left() === 0 || (!this.#isCut && !this.#run.isTrimmed)) return undefined;
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

  /** A page is over by its items: what they came to is given, however much it is. */
  #takeParts(): QueryPosition | undefined {
    const next = this.#isCut ? this.#position() : undefined;
    this.#run.finish((result) => {
      this.#give(result);
      return false;
    });
    return next;
  }

  #position(): QueryPosition {
    const last = this.#lastChunk?.positionAfter(this.#lastIndex) ?? this.#request.from.items;
    const within = this.#within;
    const place = { sorted: undefined, skipped: this.#skipped, left: this.#left() };
    if (within === undefined || last === undefined) return { items: last, ...place };
    // Behind the item before it would be elsewhere after a split, if that one is in another stretch, or there is none.
    return { items: positionBefore(last), within, ...place };
  }

  #left(): number {
    return this.#request.from.left - this.#results.length;
  }

  /** Work, not time, ends a page, so that the same request ends at the same place and costs the same. */
  #cutByWork(): void {
    const { examined, examinedBytes } = this.#work;
    if (examined < maxExaminedItems && examinedBytes < maxExaminedBytes) return;
    const { shape } = this.#request.query;
    if (shape === 'stream') this.#isCut = true;
    else if (shape === 'parts') this.#run.closePage();
  }

  #leave(status: RequestStatus): void {
    this.#visited.leave(this.#work.takeVisit(), status);
  }
}
