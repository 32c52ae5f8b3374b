// Items in a map, in as many physical partitions as wanted, with an index that is made when it is asked: for tests of queries.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { systemClock } from '../../../foundation/clock.ts';
import { systemScheduler } from '../../../foundation/scheduler.ts';
import { keyRangeOf, positionInKey } from '../../../partitioning/logical-partition.ts';
import { PartitionMap } from '../../../partitioning/partition-map.ts';
import { type NodeId, replicaSet } from '../../../partitioning/replica-set.ts';
import type { PartitionAddress, Row, Scan } from '../../../storage/partition-store.ts';
import { priceLists } from '../../../throughput/request-charge.ts';
import { decodeStoredItem, encodeStoredItem } from '../../../values/stored-item.ts';
import { covers } from '../indexes/covered-orders.ts';
import type {
  IndexEntry,
  IndexedOrder,
  IndexPage,
  IndexReadiness,
  IndexWalk,
  ItemIndex,
} from '../indexes/item-index.ts';
import { indexedValuesAt } from '../indexes/item-terms.ts';
import { itemKey } from '../item-keys.ts';
import { logicalPartitionOf, partitionKeyOf } from '../items/item-partition-key.ts';
import { sampleContainer } from '../items/item-rows.samples.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { documentOf } from './entry-reader.ts';

export type SampleDocument = Readonly<Record<string, unknown>> & { readonly id: string };

export class QueriedItems {
  readonly container: ContainerDefinition;
  readonly parts: NosqlParts;
  readonly index: SampleIndex;
  readonly #rows = new Map<ByteString, Buffer>();
  #sorted: readonly Row[] | undefined;
  #map: PartitionMap;
  #rid = 0;

  constructor(own: Partial<ContainerDefinition> = {}) {
    this.container = sampleContainer(own);
    const replicas = replicaSet([0, 1, 2, 3] as NodeId[], 1);
    this.#map = PartitionMap.initial(this.container.container, [], () => replicas);
    this.index = new SampleIndex(this);
    const store = {
      mapOf: () => this.#map,
      readCached: (_: PartitionAddress, key: ByteString) => this.#rows.get(key) ?? null,
      scanCached: (_: PartitionAddress, scan: Scan) => this.#scan(scan),
    };
    this.parts = {
      scheduler: systemScheduler,
      deletions: { deletedThrough: () => 0 },
      index: this.index,
      throughput: {
        store,
        clock: systemClock,
        prices: priceLists['docs-2026'],
        governor: { partition: (_: number, id: number) => ({ id, admit: () => undefined, spend: () => {} }) },
      },
    } as unknown as NosqlParts;
  }

  get map(): PartitionMap {
    return this.#map;
  }

  /** A new item, or another version of one. */
  put(document: SampleDocument): void {
    const key = this.#keyOf(document);
    const before = this.#rows.get(key);
    const rid = before === undefined ? ++this.#rid : decodeStoredItem(before).rid;
    const payload = Buffer.from(JSON.stringify(document));
    const timestamp = (1_000 + this.#rid) * 1_000_000;
    this.#rows.set(
      key,
      encodeStoredItem({ kind: 'json-item', timestamp, ttlSeconds: undefined, rid, payload }),
    );
    this.#sorted = undefined;
    this.index.forget();
  }

  /** The partition that has most items, between two of them; nothing where that cannot be. */
  split(): void {
    for (const { id, range } of this.#map.partitions) {
      const positions = this.rowsOf(id).map(({ key }) => positionInKey(key, this.container.partitionKey));
      const at = positions.find((position) => position > range.min && position !== positions[0]);
      if (at === undefined) continue;
      this.#map = this.#map.split(id, at, 0);
      this.index.forget();
      return;
    }
  }

  rowsOf(physicalPartition: number): readonly Row[] {
    const { range } = this.#map.partition(physicalPartition);
    const { from, to } = keyRangeOf(this.container.container, range);
    return this.#all().filter(({ key }) => key >= from && key < to);
  }

  #keyOf(document: SampleDocument): ByteString {
    return itemKey(logicalPartitionOf(this.container, partitionKeyOf(this.container, document)), document.id);
  }

  #all(): readonly Row[] {
    this.#sorted ??= [...this.#rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => ({ key, value }));
    return this.#sorted;
  }

  #scan({ from, to, maxRows }: Scan) {
    const rows = this.#all().filter(({ key }) => key >= from && key < to);
    return { rows: rows.slice(0, maxRows), complete: rows.length <= maxRows };
  }
}

/** Made from the rows whenever it is asked. */
export class SampleIndex implements ItemIndex {
  readonly #items: QueriedItems;
  readonly #made = new Map<string, readonly IndexEntry[]>();
  /** Entries of versions that are gone. */
  readonly #stale: { readonly order: IndexedOrder; readonly entry: IndexEntry }[] = [];
  isBuilding = false;
  /** Of a page, whatever is asked for. */
  mostEntries = 1_000;
  /** Entries that were given out. */
  given = 0;
  /** Items that it was asked for one by one. */
  noted = 0;

  constructor(items: QueriedItems) {
    this.#items = items;
  }

  forget(): void {
    this.#made.clear();
  }

  /** An entry that no row bears out. */
  leave(order: IndexedOrder, entry: IndexEntry): void {
    this.#stale.push({ order, entry });
  }

  progressOf(): number {
    return this.isBuilding ? 50 : 100;
  }

  async ready({ physicalPartition }: PartitionAddress): Promise<IndexReadiness> {
    await Promise.resolve();
    if (this.isBuilding) return { kind: 'building' };
    const { indexingPolicy } = this.#items.container;
    if (indexingPolicy.mode === 'none') return { kind: 'none' };
    const { map } = this.#items;
    return {
      kind: 'ready',
      index: {
        has: (order) => covers(indexingPolicy, order),
        isEverywhere: (path) => {
          const entries = this.#entriesOf(physicalPartition, { kind: 'path', path });
          const having = new Set(entries.map(({ rid }) => rid));
          return having.size === this.#items.rowsOf(physicalPartition).length;
        },
        countAt: () => undefined,
        walk: async (walk) => {
          await Promise.resolve();
          return this.#items.map === map && !this.isBuilding
            ? this.#walk(physicalPartition, walk)
            : undefined;
        },
        noted: async (keys, orders) => {
          await Promise.resolve();
          if (this.#items.map !== map || this.isBuilding) return undefined;
          this.noted += keys.length;
          const rows = new Map(this.#items.rowsOf(physicalPartition).map(({ key, value }) => [key, value]));
          return keys.map((key) => {
            const row = rows.get(key);
            if (row === undefined) return undefined;
            const item = decodeStoredItem(row);
            const values = orders.map((order) => indexedValuesAt(documentOf(item), order));
            return { rid: item.rid ?? 0, values };
          });
        },
      },
    };
  }

  #walk(physicalPartition: number, walk: IndexWalk): IndexPage {
    const { from, to, after, reverse, maxEntries } = walk;
    // A rid stands behind the value: what ends right behind the value's bytes has none of its entries.
    const inside = this.#entriesOf(physicalPartition, walk.order).filter(
      ({ value }) => (from === undefined || value >= from) && (to === undefined || `${value}\0` < to),
    );
    const ordered = reverse ? inside.toReversed() : inside;
    const turn = reverse ? -1 : 1;
    const left = after === undefined ? ordered : ordered.filter((entry) => compare(entry, after) * turn > 0);
    const entries = left.slice(0, Math.min(maxEntries, this.mostEntries));
    this.given += entries.length;
    const next = left.length > entries.length ? entries.at(-1) : undefined;
    return { entries, next, examined: entries.length };
  }

  #entriesOf(physicalPartition: number, order: IndexedOrder): readonly IndexEntry[] {
    const text = JSON.stringify([physicalPartition, order.kind, describe(order)]);
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    const rows = this.#items.rowsOf(physicalPartition);
    const keys = new Set(rows.map(({ key }) => key));
    const entries = rows.flatMap(({ key, value: row }) => {
      const item = decodeStoredItem(row);
      return indexedValuesAt(documentOf(item), order).map((value) => ({ value, rid: item.rid ?? 0, key }));
    });
    for (const { order: of, entry } of this.#stale)
      if (JSON.stringify(describe(of)) === JSON.stringify(describe(order)) && keys.has(entry.key))
        entries.push(entry);
    entries.sort(compare);
    this.#made.set(text, entries);
    return entries;
  }
}

function compare(a: { value: string; rid: number }, b: { value: string; rid: number }): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  return a.rid - b.rid;
}

function describe(order: IndexedOrder): unknown {
  if (order.kind === 'composite') return order.paths;
  return order.path.map((step) => (typeof step === 'string' ? step : 0));
}
