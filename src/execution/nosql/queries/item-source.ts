// The items that a query has to look at, chunk by chunk: of a stretch of ring, of some logical partitions, or a list of single items.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { keyRangeOf, type LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { movedAgain } from '../../../routing/find-partition.ts';
import { decodeStoredItem, type StoredItem } from '../../../values/stored-item.ts';
import type { FeedPosition } from '../feeds/feed-position.ts';
import type { FeedScope } from '../feeds/feed-scope.ts';
import { type ItemChunk, ItemWalk } from '../feeds/item-walk.ts';
import type { ScannedItem } from '../feeds/scanned-item.ts';
import { itemKey } from '../item-keys.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityIn } from '../visibility.ts';

export interface ItemSource {
  /** The physical partition of the next chunk; undefined when nothing is left. */
  next(): number | undefined;
  /** Undefined when nothing is left. A chunk may be empty, and others may follow it. */
  chunk(): Promise<ItemChunk | undefined>;
}

/** One item of a logical partition. */
export interface ItemPoint {
  readonly logicalPartition: LogicalPartition;
  readonly id: string;
}

/** Scopes one after another. They are in ring order and do not overlap, so that a position tells which it is of. */
export class ScopeSource implements ItemSource {
  readonly #parts: NosqlParts;
  readonly #container: ContainerDefinition;
  readonly #scopes: readonly FeedScope[];
  readonly #isVisible: (key: ByteString, item: StoredItem) => boolean;
  #after: FeedPosition | undefined;
  #at = 0;
  #walk: ItemWalk | undefined;

  constructor(
    parts: NosqlParts,
    container: ContainerDefinition,
    scopes: readonly FeedScope[],
    after: FeedPosition | undefined,
  ) {
    this.#parts = parts;
    this.#container = container;
    this.#scopes = scopes;
    this.#after = after;
    this.#isVisible = visibilityIn(parts, container);
  }

  next(): number | undefined {
    for (;;) {
      const scope = this.#scopes[this.#at];
      if (scope === undefined) return undefined;
      this.#walk ??= this.#walkOf(scope);
      const next = this.#walk?.next();
      if (next !== undefined) return next;
      this.#walk = undefined;
      this.#at++;
    }
  }

  async chunk(): Promise<ItemChunk | undefined> {
    // A walk may find that what it was about to read has gone elsewhere, and be over.
    while (this.next() !== undefined) {
      const chunk = await this.#walk?.chunk();
      if (chunk !== undefined) return chunk;
    }
    return undefined;
  }

  /** Undefined for a scope that lies before the position. One that lies behind it is walked from its start. */
  #walkOf(scope: FeedScope): ItemWalk | undefined {
    const after = this.#after;
    const { store } = this.#parts.throughput;
    const place = after === undefined ? 'behind' : placeOf(scope, after, this.#container.container);
    if (place === 'before') return undefined;
    const position = place === 'at' ? after : undefined;
    return new ItemWalk(store, this.#container, scope, position, this.#isVisible);
  }
}

function placeOf(scope: FeedScope, position: FeedPosition, container: number): 'before' | 'at' | 'behind' {
  if (position.order === 'rid') {
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
  readonly #parts: NosqlParts;
  readonly #container: ContainerDefinition;
  readonly #points: readonly { readonly key: ByteString; readonly logicalPartition: LogicalPartition }[];
  readonly #isVisible: (key: ByteString, item: StoredItem) => boolean;
  #at = 0;

  constructor(
    parts: NosqlParts,
    container: ContainerDefinition,
    points: readonly ItemPoint[],
    after: FeedPosition | undefined,
  ) {
    this.#parts = parts;
    this.#container = container;
    this.#isVisible = visibilityIn(parts, container);
    this.#points = points
      .map(({ logicalPartition, id }) => ({ key: itemKey(logicalPartition, id), logicalPartition }))
      .filter(({ key }) => after?.order !== 'key' || key > after.key)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  next(): number | undefined {
    const point = this.#points[this.#at];
    return point === undefined ? undefined : this.#ownerOf(point.logicalPartition);
  }

  async chunk(): Promise<ItemChunk | undefined> {
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
