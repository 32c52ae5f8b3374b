// Items along one index after another, where they are too many to be put in order first. An item may be found several times: under each
// of its elements, and in each of the indexes. It is given where it is found first, and what it has now decides where that is.

import { crc32 } from 'node:zlib';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { type StoredItem, writeSecondOf } from '../../../values/stored-item.ts';
import type { ItemChunk, ItemWalk } from '../feeds/item-walk.ts';
import type { ScannedItem } from '../feeds/scanned-item.ts';
import type { IndexedOrder } from '../indexes/item-index.ts';
import { indexedValuesAt } from '../indexes/item-terms.ts';
import { type FoundEntry, IndexCursor, type IndexSide, upwards } from './index-cursor.ts';
import type { EntryPosition } from './item-position.ts';
import type { LoadedItem } from './load-items.ts';
import { type IndexSeek, isInRanges } from './query-access.ts';
import {
  type IndexWork,
  mostAtOnce,
  type ReaderParts,
  type ReadItems,
  type StretchReader,
} from './stretch-reader.ts';

export class EntryReader implements StretchReader {
  readonly #parts: ReaderParts;
  readonly #sides: readonly IndexSide[];
  readonly #arms: readonly IndexSeek[];
  readonly #mark: number;
  #arm: number;
  #cursor: IndexCursor | undefined;
  /** Passed by the cursor, and not loaded yet. */
  #pending: readonly FoundEntry[] = [];
  #seeks: number;
  #terms: number;

  constructor(
    parts: ReaderParts,
    sides: readonly IndexSide[],
    arms: readonly IndexSeek[],
    after: EntryPosition | undefined,
    done: IndexWork,
  ) {
    this.#parts = parts;
    this.#sides = sides;
    this.#arms = arms;
    this.#mark = markOf(arms);
    this.#arm = after?.arm ?? 0;
    const seek = arms[this.#arm];
    if (seek !== undefined) this.#cursor = new IndexCursor(sides, { ...seek, ...upwards, after });
    this.#seeks = done.seeks;
    this.#terms = done.terms;
  }

  get seeks(): number {
    return this.#seeks + (this.#cursor?.seeks ?? 0);
  }

  get terms(): number {
    return this.#terms + (this.#cursor?.terms ?? 0);
  }

  get isOver(): boolean {
    return this.#cursor === undefined;
  }

  async read(wanted: number): Promise<ReadItems | 'moved' | undefined> {
    const cursor = this.#cursor;
    if (cursor === undefined) return undefined;
    if (this.#pending.length === 0) {
      const found = await cursor.pass(Math.min(Math.max(wanted, 1), mostAtOnce));
      if (found === 'gone') return 'moved';
      this.#pending = found;
    }
    const loaded = await this.#parts.loader.load(this.#pending);
    if (loaded === 'moved') return loaded;
    this.#pending = this.#pending.slice(loaded.taken);
    const arm = this.#arm;
    const items = loaded.items.filter((item) => this.#isGivenHere(item));
    if (this.#pending.length === 0 && cursor.isOver) this.#nextArm(cursor);
    const { stretch } = this.#parts;
    return {
      items,
      positionAfter: (index) => {
        const { value, rid } = (items[index] as LoadedItem).entry;
        return { order: 'index', stretch, arm, arms: this.#mark, value, rid };
      },
    };
  }

  #nextArm({ seeks, terms }: IndexCursor): void {
    this.#seeks += seeks;
    this.#terms += terms;
    const seek = this.#arms[++this.#arm];
    this.#cursor =
      seek === undefined
        ? undefined
        : new IndexCursor(this.#sides, { ...seek, ...upwards, after: undefined });
  }

  #isGivenHere({ item, entry }: LoadedItem): boolean {
    const [only] = this.#arms;
    const [range] = only?.ranges ?? [];
    // Of one value there is one entry, and whatever the item has now, it is not found anywhere else.
    if (this.#arms.length === 1 && only?.ranges.length === 1 && range?.from === entry.value) return true;
    const place = firstPlaceOf(item, this.#arms);
    return place?.arm === this.#arm && place.value === entry.value;
  }
}

/** The same for the same indexes. */
export function markOf(arms: readonly IndexSeek[]): number {
  return crc32(JSON.stringify(arms.map(({ order }) => describe(order))));
}

function describe(order: IndexedOrder): unknown {
  if (order.kind === 'composite') return order.paths;
  return order.path.map((step) => (typeof step === 'string' ? step : 0));
}

/** Where a walk meets the item first; undefined for nowhere. */
function firstPlaceOf(
  item: StoredItem,
  arms: readonly IndexSeek[],
): { readonly arm: number; readonly value: ByteString } | undefined {
  const document = documentOf(item);
  for (const [arm, { order, ranges }] of arms.entries()) {
    const value = indexedValuesAt(document, order).find((one) => isInRanges(one, ranges));
    if (value !== undefined) return { arm, value };
  }
  return undefined;
}

/** The item as an index sees it. */
export function documentOf(item: StoredItem): Readonly<Record<string, unknown>> {
  const document = JSON.parse(item.payload.toString()) as Record<string, unknown>;
  document['_ts'] = writeSecondOf(item);
  return document;
}

/** So many are remembered of a scan, and so many bytes. */
const mostRemembered = 1_000;
const mostRememberedBytes = 8 * 2 ** 20;

/**
 * Goes on where a walk along indexes stopped that cannot be read any more: looks at all items, and gives those that the walk had not
 * come to, in its order.
 */
export class RestReader implements StretchReader {
  readonly seeks = 0;
  readonly terms = 0;
  readonly #arms: readonly IndexSeek[];
  readonly #startWalk: () => ItemWalk;
  #after: EntryPosition | undefined;

  constructor(arms: readonly IndexSeek[], startWalk: () => ItemWalk, after: EntryPosition) {
    this.#arms = arms;
    this.#startWalk = startWalk;
    this.#after = after;
  }

  get isOver(): boolean {
    return this.#after === undefined;
  }

  async read(): Promise<ReadItems | undefined> {
    const after = this.#after;
    if (after === undefined) return undefined;
    let kept: PlacedItem[] = [];
    let isCut = false;
    const walk = this.#startWalk();
    for (let chunk = await walk.chunk(); chunk !== undefined; chunk = await walk.chunk()) {
      kept.push(...this.#placedIn(chunk, after));
      if (kept.length <= mostRemembered && bytesOf(kept) <= mostRememberedBytes) continue;
      kept = kept.sort(byPlace).slice(0, Math.max(1, kept.length >> 1));
      isCut = true;
    }
    const items = kept.sort(byPlace);
    this.#after = isCut ? items.at(-1)?.position : undefined;
    return { items, positionAfter: (index) => (items[index] as PlacedItem).position };
  }

  #placedIn({ items }: ItemChunk, after: EntryPosition): readonly PlacedItem[] {
    return items.flatMap(({ key, item }) => {
      const place = firstPlaceOf(item, this.#arms);
      if (place === undefined) return [];
      const position: EntryPosition = { ...after, ...place, rid: item.rid ?? 0 };
      return comparePlaces(position, after) > 0 ? [{ key, item, position }] : [];
    });
  }
}

interface PlacedItem extends ScannedItem {
  readonly position: EntryPosition;
}

function byPlace(a: PlacedItem, b: PlacedItem): number {
  return comparePlaces(a.position, b.position);
}

function comparePlaces(a: EntryPosition, b: EntryPosition): number {
  if (a.arm !== b.arm) return a.arm - b.arm;
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.rid - b.rid;
}

function bytesOf(items: readonly ScannedItem[]): number {
  return items.reduce((sum, { item }) => sum + item.payload.length, 0);
}
