// Walks the items of a scope in feed order, a chunk at a time. A chunk comes from one physical partition; whoever asks is told which,
// so that each is charged for its own.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { type ByteString, keyAfter } from '../../../foundation/byte-string.ts';
import { positionInKey } from '../../../partitioning/logical-partition.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';
import { intersect, type RingRange, ringRange } from '../../../partitioning/ring-range.ts';
import { currentMap, movedAgain, type PartitionMaps } from '../../../routing/find-partition.ts';
import type { PartitionStore, RowPage } from '../../../storage/partition-store.ts';
import type { StoredItem } from '../../../values/stored-item.ts';
import { itemsOf } from '../item-keys.ts';
import type { FeedPosition } from './feed-position.ts';
import { type FeedScope, type KeyRange, partsOfScope, type ScopePart } from './feed-scope.ts';
import { type ScannedItem, scannedItem } from './scanned-item.ts';

export interface ItemChunk {
  readonly physicalPartition: number;
  /** In feed order. */
  readonly items: readonly ScannedItem[];
  /** Where the walk stands after that item of the chunk. */
  readonly positionAfter: (index: number) => FeedPosition;
}

type WalkStore = Pick<PartitionStore, 'scan' | 'scanCached'> & PartitionMaps;

/** A stretch with no more rows than these is given in the order in which its items were made. */
const maxSortedRows = 1_000;
const chunkBytes = 2 ** 20;
/** A stretch that was small when its walk began and has grown: so many of its items are remembered at a time. */
const maxRememberedItems = 4_000;
const maxRememberedBytes = 8 * 2 ** 20;

export class ItemWalk {
  readonly #store: WalkStore;
  readonly #container: ContainerDefinition;
  readonly #scope: FeedScope;
  readonly #isVisible: (key: ByteString, item: StoredItem) => boolean;
  #position: FeedPosition | undefined;
  /** Where the next part begins, when the one before it has been given to its end. */
  #reached: RingPosition;
  #isOver = false;

  constructor(
    store: WalkStore,
    container: ContainerDefinition,
    scope: FeedScope,
    after: FeedPosition | undefined,
    isVisible: (key: ByteString, item: StoredItem) => boolean,
  ) {
    this.#store = store;
    this.#container = container;
    this.#scope = scope;
    this.#position = after;
    this.#reached = reachedBy(after, container) ?? scope.range.min;
    this.#isVisible = isVisible;
  }

  /** The physical partition that the next chunk comes from; undefined when the walk is over. */
  next(): number | undefined {
    return this.#isOver ? undefined : this.#nextPart()?.partition.id;
  }

  /** Undefined when the walk is over. A chunk may be empty, and others may follow it. */
  async chunk(): Promise<ItemChunk | undefined> {
    for (let moves = 0; ; moves = movedAgain(moves)) {
      const part = this.#isOver ? undefined : this.#nextPart();
      if (part === undefined) {
        this.#isOver = true;
        return undefined;
      }
      const chunk = await this.#chunkOf(part);
      if (chunk !== undefined) return chunk;
    }
  }

  /** Whether an item is left. What is found by looking is not given out any more. */
  async hasMore(): Promise<boolean> {
    for (let chunk = await this.chunk(); chunk !== undefined; chunk = await this.chunk())
      if (chunk.items.length > 0) return true;
    return false;
  }

  #nextPart(): ScopePart | undefined {
    const { container } = this.#container;
    const map = currentMap(this.#store, container);
    const { range } = this.#scope;
    if (this.#reached >= range.max) return undefined;
    return this.#partsIn(map, this.#reached > range.min ? ringRange(this.#reached, range.max) : range)[0];
  }

  #partsIn(map: PartitionMap, range: RingRange): readonly ScopePart[] {
    const { logicalPartition } = this.#scope;
    const parts = partsOfScope(this.#container.container, map, { range, logicalPartition });
    // Of one logical partition the items stand together: what else belongs to it need not be looked at.
    return logicalPartition === undefined
      ? parts
      : parts.map((part) => ({ ...part, keys: itemsOf(logicalPartition) }));
  }

  async #chunkOf(part: ScopePart): Promise<ItemChunk | undefined> {
    const position = this.#position;
    if (position?.order === 'rid') return this.#chunkByRid(part, position);
    const keys = position === undefined ? part.keys : { ...part.keys, from: keyAfter(position.key) };
    const page = await this.#scan(part.partition.id, keys);
    if (page === undefined) return undefined;
    const items = this.#itemsIn(page);
    if (page.complete && position === undefined) return this.#sorted(part, items, -1);
    const last = page.rows.at(-1);
    if (page.complete || last === undefined) {
      this.#leave(part);
    } else {
      this.#position = { order: 'key', key: last.key };
      this.#reached = positionInKey(last.key, this.#container.partitionKey);
    }
    return {
      physicalPartition: part.partition.id,
      items,
      positionAfter: (index) => ({ order: 'key', key: (items[index] as ScannedItem).key }),
    };
  }

  /** The stretch may be several physical partitions by now. */
  async #chunkByRid(
    part: ScopePart,
    { stretch, rid }: Extract<FeedPosition, { order: 'rid' }>,
  ): Promise<ItemChunk | undefined> {
    const { container } = this.#container;
    const map = this.#store.mapOf(container);
    const range = intersect(stretch, this.#scope.range);
    if (map === undefined || range === undefined) return undefined;
    let items: ScannedItem[] = [];
    let isCut = false;
    for (const { partition, keys } of this.#partsIn(map, range)) {
      for (let from = keys.from; ; ) {
        const page = await this.#scan(partition.id, { from, to: keys.to });
        if (page === undefined) return undefined;
        for (const item of this.#itemsIn(page)) if (ridOf(item) > rid) items.push(item);
        if (isTooMuch(items)) {
          items = items.sort(byRid).slice(0, Math.ceil(items.length / 2));
          isCut = true;
        }
        const last = page.rows.at(-1);
        if (page.complete || last === undefined) break;
        from = keyAfter(last.key);
      }
    }
    const last = isCut ? items.sort(byRid).at(-1) : undefined;
    return this.#sorted({ ...part, range }, items, last === undefined ? -1 : ridOf(last));
  }

  #sorted(part: ScopePart, found: ScannedItem[], cutAtRid: number): ItemChunk {
    const items = found.sort(byRid);
    const { range } = part;
    if (cutAtRid >= 0) this.#position = { order: 'rid', stretch: range, rid: cutAtRid };
    else this.#leave(part);
    return {
      physicalPartition: part.partition.id,
      items,
      positionAfter: (index) => ({ order: 'rid', stretch: range, rid: ridOf(items[index] as ScannedItem) }),
    };
  }

  /** The walk goes on where the part ends. */
  #leave({ range }: ScopePart): void {
    this.#position = undefined;
    this.#reached = range.max;
    this.#isOver = range.max >= this.#scope.range.max || this.#scope.logicalPartition !== undefined;
  }

  #itemsIn({ rows }: RowPage): ScannedItem[] {
    const items: ScannedItem[] = [];
    for (const row of rows) {
      const item = scannedItem(row, this.#isVisible);
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  async #scan(physicalPartition: number, { from, to }: KeyRange): Promise<RowPage | undefined> {
    const address = { container: this.#container.container, physicalPartition };
    const scan = { from, to, maxRows: maxSortedRows, maxBytes: chunkBytes, reverse: false, mayRepeat: true };
    const cached = this.#store.scanCached(address, scan);
    if (cached !== undefined) return cached;
    const outcome = await this.#store.scan(address, scan);
    if (outcome.kind === 'refused') throw outcome.error;
    return outcome.kind === 'read' ? outcome.page : undefined;
  }
}

function isTooMuch(items: readonly ScannedItem[]): boolean {
  if (items.length > maxRememberedItems) return true;
  if (items.length < 2) return false;
  return items.reduce((sum, { item }) => sum + item.payload.length, 0) > maxRememberedBytes;
}

function byRid(left: ScannedItem, right: ScannedItem): number {
  return ridOf(left) - ridOf(right);
}

function ridOf({ item }: ScannedItem): number {
  return item.rid ?? 0;
}

function reachedBy(
  position: FeedPosition | undefined,
  { partitionKey }: ContainerDefinition,
): RingPosition | undefined {
  if (position === undefined) return undefined;
  return position.order === 'rid' ? position.stretch.min : positionInKey(position.key, partitionKey);
}
