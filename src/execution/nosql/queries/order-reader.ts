// Items in the order of the results, along an index: whoever wants the first ten loads ten.

import { type ByteString, endOfPrefix } from '../../../foundation/byte-string.ts';
import { descendingValue, firstIndexValue, isCutValue } from '../../../values/index-value.ts';
import type { ItemWalk } from '../feeds/item-walk.ts';
import type { IndexedOrder, IndexPosition } from '../indexes/item-index.ts';
import { indexedValuesAt } from '../indexes/item-terms.ts';
import type { EntryFilter } from './entry-filter.ts';
import { documentOf } from './entry-reader.ts';
import { type CursorGone, type FoundEntry, IndexCursor, type IndexSide } from './index-cursor.ts';
import type { ItemPosition } from './item-position.ts';
import type { LoadedItem } from './load-items.ts';
import type { OrderAccess } from './query-access.ts';
import type { SortPosition } from './runnable-query.ts';
import { mostAtOnce, type ReaderParts, type ReadItems, type StretchReader } from './stretch-reader.ts';

export class OrderReader implements StretchReader {
  readonly #parts: ReaderParts;
  readonly #access: OrderAccess;
  readonly #cursor: IndexCursor;
  readonly #filter: EntryFilter | undefined;
  /** Passed by the cursor and by the filter, and not loaded yet. */
  #pending: readonly FoundEntry[] = [];
  /** The items that have nothing at the path come last, if they come at all. */
  readonly #lacking: ItemWalk | undefined;

  constructor(
    parts: ReaderParts,
    sides: readonly IndexSide[],
    access: OrderAccess,
    after: IndexPosition | undefined,
    lacking: ItemWalk | undefined,
    filter: EntryFilter | undefined,
  ) {
    this.#parts = parts;
    this.#access = access;
    this.#lacking = lacking;
    this.#filter = filter;
    this.#cursor = new IndexCursor(sides, { ...access, after });
  }

  get seeks(): number {
    return this.#cursor.seeks + (this.#filter?.seeks ?? 0);
  }

  get terms(): number {
    return this.#cursor.terms + (this.#filter?.terms ?? 0);
  }

  get isOver(): boolean {
    return this.#pending.length === 0 && this.#cursor.isOver && this.#lacking?.next() === undefined;
  }

  async read(wanted: number): Promise<ReadItems | 'moved' | undefined> {
    if (this.#pending.length === 0) {
      if (this.#cursor.isOver) return this.#readLacking();
      const found = await this.#next(wanted);
      if (found === 'gone') return 'moved';
      this.#pending = found;
    }
    const loaded = await this.#parts.loader.load(this.#pending.slice(0, Math.max(wanted, 1)));
    if (loaded === 'moved') return loaded;
    this.#pending = this.#pending.slice(loaded.taken);
    const { order } = this.#access;
    const items = loaded.items.filter(({ item, entry }) => {
      const document = documentOf(item);
      this.#filter?.note(document);
      return indexedValuesAt(document, order).includes(entry.value);
    });
    return {
      items,
      positionAfter: this.#positionAfter(items),
      isSettledAfter: (index) => {
        const group = groupOf(order, (items[index] as LoadedItem).entry.value);
        const next = items[index + 1]?.entry.value;
        return group === undefined || (next !== undefined && !next.startsWith(group));
      },
    };
  }

  async #next(wanted: number): Promise<readonly FoundEntry[] | CursorGone> {
    const filter = this.#filter;
    if (filter?.isInUse !== true) return this.#cursor.pass(Math.min(Math.max(wanted, 1), mostAtOnce));
    // Of many, few pass.
    const found = await this.#cursor.pass(mostAtOnce);
    return found === 'gone' ? found : filter.pass(found);
  }

  async #readLacking(): Promise<ReadItems | undefined> {
    const chunk = await this.#lacking?.chunk();
    if (chunk === undefined) return undefined;
    const { order } = this.#access;
    const items = chunk.items.filter(({ item }) => indexedValuesAt(documentOf(item), order).length === 0);
    return { items, positionAfter: chunk.positionAfter };
  }

  /** Never brought back by a client: results that are sorted have positions of their own. */
  #positionAfter(items: readonly LoadedItem[]): (index: number) => ItemPosition {
    const { stretch } = this.#parts;
    return (index) => {
      const { value, rid } = (items[index] as LoadedItem).entry;
      return { order: 'index', stretch, arm: 0, arms: orderedArms, value, rid };
    };
  }
}

/** Stands for the one index that results are sorted by. */
export const orderedArms = -1;

/** The entry before the first that may come after a result: the result's own item may have others. */
export function entryBefore(access: OrderAccess, { keys, rid }: SortPosition): IndexPosition | undefined {
  const value = access.valueOf(keys);
  const group = groupOf(access.order, value);
  if (group === undefined) {
    const above = Math.min(Math.max(rid, 0) + 1, Number.MAX_SAFE_INTEGER);
    return { value, rid: access.hasHighRidsFirst ? above : Math.max(rid - 1, 0) };
  }
  if (!access.isReversed) return { value: group, rid: 0 };
  const end = endOfPrefix(group);
  return end === undefined ? undefined : { value: end, rid: Number.MAX_SAFE_INTEGER };
}

/** What entries begin with whose order among one another tells nothing, because a value is cut; undefined where none is. */
function groupOf(order: IndexedOrder, value: ByteString): ByteString | undefined {
  if (order.kind === 'path') return isCutValue(value) ? value : undefined;
  let length = 0;
  for (const path of order.paths) {
    const rest = value.slice(length) as ByteString;
    const part = firstIndexValue(path.order === 'descending' ? descendingValue(rest) : rest);
    length += part.length;
    if (isCutValue(part)) return value.slice(0, length) as ByteString;
  }
  return undefined;
}
