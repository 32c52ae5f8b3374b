// The items that a query has to look at, chunk by chunk; and those that it names one by one.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { keyRangeOf, type LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { movedAgain } from '../../../routing/find-partition.ts';
import { decodeStoredItem, type StoredItem } from '../../../values/stored-item.ts';
import type { FeedScope } from '../feeds/feed-scope.ts';
import type { ScannedItem } from '../feeds/scanned-item.ts';
import type { IndexedOrder } from '../indexes/item-index.ts';
import { itemKey } from '../item-keys.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityIn } from '../visibility.ts';
import type { ItemPosition } from './item-position.ts';
import type { IndexWork, ReadItems } from './stretch-reader.ts';

export interface QueryChunk extends ReadItems {
  readonly physicalPartition: number;
  /** What was done in an index to find these; absent where there was none to ask. */
  readonly index?: IndexWork;
}

/** What a page did to find its items. */
export class IndexUsed {
  readonly #orders = new Set<IndexedOrder>();
  /** All items of a part were looked at. */
  isScanned = false;
  /** An index was not ready yet. */
  isBuilding = false;
  /** Time that was spent in indexes. */
  indexMs = 0;

  /** Of several pages together. */
  static ofAll(pages: readonly IndexUsed[]): IndexUsed {
    const all = new IndexUsed();
    for (const { orders, isScanned, isBuilding, indexMs } of pages) {
      all.indexMs += indexMs;
      all.walked(orders.map((order) => ({ order })));
      all.isScanned ||= isScanned;
      all.isBuilding ||= isBuilding;
    }
    return all;
  }

  get orders(): readonly IndexedOrder[] {
    return [...this.#orders];
  }

  walked(along: readonly { readonly order: IndexedOrder }[]): void {
    for (const { order } of along) this.#orders.add(order);
  }
}

export interface ItemSource {
  /** The physical partition of the next chunk; undefined when nothing is left. */
  next(): number | undefined;
  /** Undefined when nothing is left. A chunk may be empty, and others may follow it. About as many items as wanted are looked up. */
  chunk(wanted: number): Promise<QueryChunk | undefined>;
  /** Nothing more is wanted of the stretch that the last chunk came from. */
  leaveStretch(): void;
  readonly used: IndexUsed;
}

/** One item of a logical partition. */
export interface ItemPoint {
  readonly logicalPartition: LogicalPartition;
  readonly id: string;
}

/** Where a scope lies, seen from a position. */
export function placeOf(
  scope: FeedScope,
  position: ItemPosition,
  container: number,
): 'before' | 'at' | 'behind' {
  if (position.order !== 'key') {
    if (scope.range.max <= position.stretch.min) return 'before';
    return scope.range.min >= position.stretch.max ? 'behind' : 'at';
  }
  const keys = keyRangeOf(container, scope.range);
  if (keys.to <= position.key) return 'before';
  return keys.from > position.key ? 'behind' : 'at';
}

/** Many points are looked up in chunks, so that others have their turn between them. */
const mostPoints = 100;

/** Single items, in the order of their keys. */
export class PointSource implements ItemSource {
  readonly used: IndexUsed = new IndexUsed();
  readonly #parts: NosqlParts;
  readonly #container: ContainerDefinition;
  readonly #points: readonly { readonly key: ByteString; readonly logicalPartition: LogicalPartition }[];
  readonly #isVisible: (key: ByteString, item: StoredItem) => boolean;
  #at = 0;

  constructor(
    parts: NosqlParts,
    container: ContainerDefinition,
    points: readonly ItemPoint[],
    after: ItemPosition | undefined,
  ) {
    this.#parts = parts;
    this.#container = container;
    this.#isVisible = visibilityIn(parts, container);
    this.#points = points
      .map(({ logicalPartition, id }) => ({ key: itemKey(logicalPartition, id), logicalPartition }))
      .filter(({ key }) => after?.order !== 'key' || key > after.key)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Points are what the query asks for by name: there is nothing to leave. */
  leaveStretch(): void {}

  next(): number | undefined {
    const point = this.#points[this.#at];
    return point === undefined ? undefined : this.#ownerOf(point.logicalPartition);
  }

  async chunk(): Promise<QueryChunk | undefined> {
    for (let moves = 0; ; moves = movedAgain(moves)) {
      const physicalPartition = this.next();
      if (physicalPartition === undefined) return undefined;
      const items: ScannedItem[] = [];
      let at = this.#at;
      let isMoved = false;
      for (; at < this.#points.length && at < this.#at + mostPoints; at++) {
        const point = this.#points[at];
        if (point === undefined || this.#ownerOf(point.logicalPartition) !== physicalPartition) break;
        const row = await this.#read(physicalPartition, point.key);
        isMoved = row === 'moved';
        if (isMoved) break;
        const item = row === null || row === 'moved' ? undefined : decodeStoredItem(row);
        if (item !== undefined && this.#isVisible(point.key, item)) items.push({ key: point.key, item });
      }
      if (isMoved) continue;
      this.#at = at;
      return {
        physicalPartition,
        items,
        positionAfter: (index) => ({ order: 'key', key: (items[index] as ScannedItem).key }),
      };
    }
  }

  #ownerOf({ ringPosition }: LogicalPartition): number | undefined {
    return this.#parts.throughput.store.mapOf(this.#container.container)?.ownerOf(ringPosition).id;
  }

  async #read(physicalPartition: number, key: ByteString): Promise<Buffer | null | 'moved'> {
    const { store } = this.#parts.throughput;
    const address = { container: this.#container.container, physicalPartition };
    const cached = store.readCached(address, key);
    if (cached !== undefined) return cached;
    const outcome = await store.read(address, key);
    if (outcome.kind === 'refused') throw outcome.error;
    return outcome.kind === 'read' ? outcome.value : 'moved';
  }
}
