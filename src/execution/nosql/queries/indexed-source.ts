// The items of a query, stretch after stretch of the ring, each in the way that its index and what is stored in it allow. The choice
// depends on the query and on entries that were met, never on time: the same query over the same items does the same and costs the same.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { PathStep } from '../../../catalog/nosql/property-path.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { positionInKey } from '../../../partitioning/logical-partition.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';
import { intersect, ringRange } from '../../../partitioning/ring-range.ts';
import { currentMap, movedAgain } from '../../../routing/find-partition.ts';
import type { StoredItem } from '../../../values/stored-item.ts';
import { type FeedScope, partsOfScope } from '../feeds/feed-scope.ts';
import { ItemWalk } from '../feeds/item-walk.ts';
import type { IndexPosition } from '../indexes/item-index.ts';
import { itemsOf } from '../item-keys.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityIn } from '../visibility.ts';
import { AccessProbe, driversOf, type ProbeSteps, probeSteps } from './access-probe.ts';
import { EntryFilter } from './entry-filter.ts';
import { EntryReader, markOf, RestReader } from './entry-reader.ts';
import type { IndexSide } from './index-cursor.ts';
import type { EntryPosition, ItemPosition } from './item-position.ts';
import { IndexUsed, type ItemSource, placeOf, type QueryChunk } from './item-source.ts';
import { ItemLoader } from './load-items.ts';
import { entryBefore, OrderReader, orderedArms } from './order-reader.ts';
import type { FilterAccess, IndexSeek, OrderAccess } from './query-access.ts';
import type { RunnableQuery, SortPosition } from './runnable-query.ts';
import {
  type IndexWork,
  ListReader,
  type ReaderParts,
  type ReadItems,
  ScanReader,
  type StretchReader,
} from './stretch-reader.ts';

/** Entries beside the order that are worth looking at for each result that is wanted. */
const probedPerResult = 16;
/** Of less than a physical partition, an index is walked where at least this share of its entries is wanted. */
const leastShare = 1 / 8;

const nothingDone: IndexWork = { seeks: 0, terms: 0 };

export interface IndexedQuery {
  readonly query: Pick<RunnableQuery, 'access' | 'shape'>;
  readonly after: ItemPosition | undefined;
  readonly sortedAfter: SortPosition | undefined;
}

export class IndexedSource implements ItemSource {
  readonly used: IndexUsed = new IndexUsed();
  readonly #parts: NosqlParts;
  readonly #container: ContainerDefinition;
  readonly #scopes: readonly FeedScope[];
  readonly #asked: IndexedQuery;
  readonly #steps: ProbeSteps;
  readonly #isVisible: (key: ByteString, item: StoredItem) => boolean;
  readonly #loader: ItemLoader;
  #at = 0;
  #reached: RingPosition | undefined;
  #stretch: FeedScope | undefined;
  #position: ItemPosition | undefined;
  #reader: StretchReader | undefined;
  /** What the reader had done when the last chunk was given. */
  #told: IndexWork = nothingDone;

  constructor(
    parts: NosqlParts,
    container: ContainerDefinition,
    scopes: readonly FeedScope[],
    asked: IndexedQuery,
    steps: ProbeSteps = probeSteps,
  ) {
    this.#parts = parts;
    this.#container = container;
    this.#scopes = scopes;
    this.#asked = asked;
    this.#steps = steps;
    this.#position = asked.after;
    this.#isVisible = visibilityIn(parts, container);
    this.#loader = new ItemLoader(parts.throughput.store, parts.throughput.clock, container, this.#isVisible);
  }

  next(): number | undefined {
    const stretch = this.#current();
    if (stretch === undefined) return undefined;
    return currentMap(this.#store, this.#container.container).ownerOf(stretch.range.min).id;
  }

  async chunk(wanted: number): Promise<QueryChunk | undefined> {
    const { clock } = this.#parts.throughput;
    const [startedAt, loadedBefore] = [clock.monotonic(), this.#loader.spentMs];
    const chunk = await this.#chunk(wanted);
    // A scan is all loading.
    if (!this.used.isScanned)
      this.used.indexMs += clock.monotonic() - startedAt - (this.#loader.spentMs - loadedBefore);
    return chunk;
  }

  async #chunk(wanted: number): Promise<QueryChunk | undefined> {
    for (let moves = 0; ; moves = movedAgain(moves)) {
      const stretch = this.#current();
      const physicalPartition = this.next();
      if (stretch === undefined || physicalPartition === undefined) return undefined;
      if (this.#reader === undefined) {
        this.#reader = await this.#open(stretch, wanted);
        this.#told = nothingDone;
      }
      const reader = this.#reader;
      const read = await reader?.read(wanted);
      if (reader === undefined || read === 'moved') {
        this.#reader = undefined;
        continue;
      }
      const { seeks, terms } = reader;
      const index = { seeks: seeks - this.#told.seeks, terms: terms - this.#told.terms };
      this.#told = { seeks, terms };
      if (read !== undefined && read.items.length > 0)
        this.#position = read.positionAfter(read.items.length - 1);
      if (read === undefined || reader.isOver) this.leaveStretch();
      return { physicalPartition, index, ...(read ?? noItems) };
    }
  }

  leaveStretch(): void {
    if (this.#stretch === undefined) return;
    this.#reached = this.#stretch.range.max;
    this.#stretch = undefined;
    this.#position = undefined;
    this.#reader = undefined;
  }

  get #store(): NosqlParts['throughput']['store'] {
    return this.#parts.throughput.store;
  }

  /** A physical partition's part of a scope, or the stretch that the query was in when it stopped, whatever it has become since. */
  #current(): FeedScope | undefined {
    while (this.#stretch === undefined) {
      const scope = this.#scopes[this.#at];
      if (scope === undefined) return undefined;
      this.#stretch = this.#stretchOf(scope);
      if (this.#stretch !== undefined) break;
      this.#at++;
      this.#reached = undefined;
    }
    return this.#stretch;
  }

  #stretchOf(scope: FeedScope): FeedScope | undefined {
    const { range, logicalPartition } = scope;
    const { container, partitionKey } = this.#container;
    const position = this.#position;
    const place = position === undefined ? 'behind' : placeOf(scope, position, container);
    if (place === 'before') return undefined;
    if (place === 'behind') this.#position = undefined;
    if (place === 'at' && position !== undefined && position.order !== 'key') {
      const rest = intersect(position.stretch, range);
      return rest === undefined ? undefined : { range: rest, logicalPartition };
    }
    const reached =
      place === 'at' && position?.order === 'key' && logicalPartition === undefined
        ? positionInKey(position.key, partitionKey)
        : (this.#reached ?? range.min);
    if (reached >= range.max) return undefined;
    if (logicalPartition !== undefined) return scope;
    const owner = currentMap(this.#store, container).ownerOf(reached);
    const min = reached > range.min ? reached : range.min;
    const max = owner.range.max < range.max ? owner.range.max : range.max;
    return { range: ringRange(min, max), logicalPartition };
  }

  /** Undefined when the stretch has moved meanwhile. */
  async #open(stretch: FeedScope, wanted: number): Promise<StretchReader | undefined> {
    const position = this.#position;
    if (position?.order === 'key') return this.#scan(stretch);
    const sides = await this.#sidesOf(stretch);
    if (sides === 'moved') return undefined;
    if (position?.order === 'index') return this.#reopened(stretch, sides, position);
    if (sides === 'not-ready') return this.#scan(stretch);
    const { access, shape } = this.#asked.query;
    // What was given by number so far goes on by number: in order, it would be given again.
    const isSorted = shape === 'sort' && position === undefined;
    const order = isSorted ? this.#orderFor(sides, access.orders) : undefined;
    const filter = this.#usable(access.filter, sides, stretch);
    if (order !== undefined && (filter === undefined || isServedBy(filter, order)))
      return this.#inOrder(stretch, sides, order, filter, wanted);
    if (filter === undefined) return this.#scan(stretch);
    const { few, first, last } = this.#steps;
    const most = order === undefined ? last : Math.min(wanted * probedPerResult, last);
    return this.#byFilter(
      stretch,
      sides,
      filter,
      { ...this.#steps, few: Math.min(few, most), first: Math.min(first, most), last: most },
      order,
      wanted,
    );
  }

  /** In the middle of an index. */
  #reopened(
    stretch: FeedScope,
    sides: readonly IndexSide[] | 'not-ready',
    position: EntryPosition,
  ): StretchReader {
    const { access } = this.#asked.query;
    const parts = this.#readerParts(stretch);
    if (position.arms === orderedArms) {
      const order = sides === 'not-ready' ? undefined : this.#orderFor(sides, access.orders);
      // Without it all items are looked at once more: who sorts them knows those that it has.
      if (order === undefined || sides === 'not-ready')
        return this.#scanned(new ScanReader(this.#walkOf(stretch, undefined)));
      return this.#orderReader(stretch, sides, order, this.#usable(access.filter, sides, stretch), position);
    }
    const usable = sides === 'not-ready' ? access.filter : this.#usable(access.filter, sides, stretch);
    const arms = driversOf(usable ?? { kind: 'any', of: [] });
    if (markOf(arms) !== position.arms)
      throw new RingfoldError('bad-page-token', { reason: 'the indexing policy has been changed since' });
    if (sides !== 'not-ready') {
      this.used.walked(arms);
      return new EntryReader(parts, sides, arms, position, nothingDone);
    }
    this.used.isScanned = true;
    return new RestReader(arms, () => this.#walkOf(stretch, undefined), position);
  }

  async #byFilter(
    stretch: FeedScope,
    sides: readonly IndexSide[],
    filter: FilterAccess,
    { few, first, last }: ProbeSteps,
    order: OrderAccess | undefined,
    wanted: number,
  ): Promise<StretchReader | undefined> {
    const probe = new AccessProbe(sides, filter);
    let found = (await probe.upTo(few)) ?? (await probe.upTo(first));
    if (found === undefined && this.#isPartial(stretch)) {
      const walk = this.#walkOf(stretch, this.#position);
      const chunk = await walk.chunk();
      if (walk.next() === undefined) return this.#scanned(new ScanReader(walk, chunk, probe));
    }
    found ??= await probe.upTo(last);
    if (found === 'gone') return undefined;
    if (found !== undefined) {
      const after = this.#position?.order === 'rid' ? this.#position.rid : -1;
      const entries = [...found.values()].filter(({ rid }) => rid > after).sort((a, b) => a.rid - b.rid);
      this.used.walked(probe.lookedUp);
      return new ListReader(this.#readerParts(stretch), entries, probe);
    }
    if (order !== undefined) return this.#inOrder(stretch, sides, order, filter, wanted);
    const isScanned = this.#position !== undefined || this.#isScattered(stretch, probe.share);
    if (isScanned)
      return this.#scanned(new ScanReader(this.#walkOf(stretch, this.#position), undefined, probe));
    const arms = driversOf(filter);
    this.used.walked(arms);
    return new EntryReader(this.#readerParts(stretch), sides, arms, undefined, probe);
  }

  #isScattered(stretch: FeedScope, share: number): boolean {
    return this.#isPartial(stretch) && share < leastShare;
  }

  /** Whether the index has entries of others: those of a whole physical partition. */
  #isPartial({ range, logicalPartition }: FeedScope): boolean {
    if (logicalPartition !== undefined) return true;
    const owner = currentMap(this.#store, this.#container.container).ownerOf(range.min);
    return range.min > owner.range.min || range.max < owner.range.max;
  }

  async #inOrder(
    stretch: FeedScope,
    sides: readonly IndexSide[],
    order: OrderAccess,
    filter: FilterAccess | undefined,
    wanted: number,
  ): Promise<StretchReader | undefined> {
    if (this.#isPartial(stretch)) {
      const walk = this.#walkOf(stretch, undefined);
      const first = await walk.chunk();
      if (walk.next() === undefined) return this.#scanned(new ScanReader(walk, first));
      const seek: IndexSeek = { kind: 'seek', order: order.order, ranges: order.ranges };
      const probe = new AccessProbe(sides, seek);
      if ((await probe.upTo(Math.max(wanted * probedPerResult, this.#steps.first))) === 'gone')
        return undefined;
      if (this.#isScattered(stretch, probe.share)) return this.#scanned(new ScanReader(walk, first, probe));
    }
    const { sortedAfter } = this.#asked;
    const after = sortedAfter === undefined ? undefined : entryBefore(order, sortedAfter);
    this.used.walked([order]);
    return this.#orderReader(stretch, sides, order, filter, after);
  }

  #orderReader(
    stretch: FeedScope,
    sides: readonly IndexSide[],
    order: OrderAccess,
    filter: FilterAccess | undefined,
    after: IndexPosition | undefined,
  ): OrderReader {
    const lacking = this.#lackingOf(stretch, sides, order);
    const left = filter === undefined ? undefined : new EntryFilter(sides, filter, this.used, this.#steps);
    return new OrderReader(this.#readerParts(stretch), sides, order, after, lacking, left);
  }

  #lackingOf(stretch: FeedScope, sides: readonly IndexSide[], order: OrderAccess): ItemWalk | undefined {
    return order.isReversed && mayLack(order, sides) ? this.#walkOf(stretch, undefined) : undefined;
  }

  /** What lacks the path comes before all others: going upwards, an index is of no use until those are behind. */
  #orderFor(sides: readonly IndexSide[], orders: readonly OrderAccess[]): OrderAccess | undefined {
    const { sortedAfter } = this.#asked;
    const isBehind = sortedAfter !== undefined && sortedAfter.keys[0] !== undefined;
    return orders.find(
      (order) =>
        sides.every(({ index }) => index.has(order.order)) &&
        (order.isReversed || isBehind || !mayLack(order, sides)),
    );
  }

  async #sidesOf(stretch: FeedScope): Promise<readonly IndexSide[] | 'not-ready' | 'moved'> {
    const { container } = this.#container;
    const map = currentMap(this.#store, container);
    const { logicalPartition } = stretch;
    const sides: IndexSide[] = [];
    for (const { partition, keys } of partsOfScope(container, map, stretch)) {
      const address = { container, physicalPartition: partition.id };
      const readiness = await this.#parts.index.ready(address);
      if (readiness.kind === 'moved') return 'moved';
      if (readiness.kind === 'building') this.used.isBuilding = true;
      if (readiness.kind !== 'ready') return 'not-ready';
      sides.push({
        physicalPartition: partition.id,
        index: readiness.index,
        keys: logicalPartition === undefined ? keys : itemsOf(logicalPartition),
      });
    }
    return sides;
  }

  /** What of the filter the index has. A logical partition's own key tells nothing within it. */
  #usable(
    access: FilterAccess | undefined,
    sides: readonly IndexSide[],
    stretch: FeedScope,
  ): FilterAccess | undefined {
    if (access === undefined) return undefined;
    if (access.kind === 'seek') {
      const { order } = access;
      if (order.kind === 'path' && stretch.logicalPartition !== undefined && this.#isKey(order.path))
        return undefined;
      return sides.every(({ index }) => index.has(order)) ? access : undefined;
    }
    const parts = access.of.map((part) => this.#usable(part, sides, stretch));
    const usable = parts.filter((part) => part !== undefined);
    if (access.kind === 'any')
      return usable.length === parts.length ? { kind: 'any', of: usable } : undefined;
    return usable.length === 0 ? undefined : { kind: 'all', of: usable };
  }

  #isKey(path: readonly PathStep[]): boolean {
    return this.#container.partitionKeyPaths.some(
      (key) => key.length === path.length && key.every((name, at) => name === path[at]),
    );
  }

  #scan(stretch: FeedScope): StretchReader {
    return this.#scanned(new ScanReader(this.#walkOf(stretch, this.#position)));
  }

  #scanned(reader: ScanReader): ScanReader {
    this.used.isScanned = true;
    return reader;
  }

  #walkOf(stretch: FeedScope, position: ItemPosition | undefined): ItemWalk {
    const after = position?.order === 'index' ? undefined : position;
    return new ItemWalk(this.#store, this.#container, stretch, after, this.#isVisible);
  }

  #readerParts({ range }: FeedScope): ReaderParts {
    return { container: this.#container, loader: this.#loader, stretch: range };
  }
}

/** Whether the order begins where the filter's first condition does: beside it, a lookup of the filter finds nothing new. */
function isServedBy(filter: FilterAccess, order: OrderAccess): boolean {
  if (order.order.kind === 'composite') return order.ranges.every(({ from }) => from !== '');
  return filter.kind === 'seek' && filter.ranges === order.ranges;
}

function mayLack({ order, mayLack: isAllowed }: OrderAccess, sides: readonly IndexSide[]): boolean {
  return isAllowed && order.kind === 'path' && !sides.every(({ index }) => index.isEverywhere(order.path));
}

const noItems: ReadItems = {
  items: [],
  positionAfter: () => {
    throw new RangeError('there is no position after nothing');
  },
};
