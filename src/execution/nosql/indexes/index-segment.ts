import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import type { EngineWrite, StorageEngine } from '../../../storage/storage-engine.ts';
import { SegmentKeys } from './index-keys.ts';
import { oversizedOrder, rootOrder } from './index-paths.ts';
import type { EntryCounts } from './item-record.ts';

/** Of one segment; items with names of their own making have more, and those are not counted. */
const maxCountedOrders = 2_000;

/**
 * The entries of what was one physical partition when it began. After a split the children go on with it, each seeing its own stretch of
 * ring, until each has one of its own.
 */
export class IndexSegment implements EntryCounts {
  readonly container: number;
  readonly number: number;
  readonly keys: SegmentKeys;
  /** These two are counted however many others there are. */
  readonly #counts = new Map<ByteString, number>([
    [rootOrder, 0],
    [oversizedOrder, 0],
  ]);
  readonly #changed = new Set<ByteString>();

  constructor(container: number, number: number) {
    this.container = container;
    this.number = number;
    this.keys = new SegmentKeys(container, number);
  }

  async load(engine: StorageEngine): Promise<void> {
    const iterator = engine.iterate(this.keys.counts);
    try {
      for (
        let rows = await iterator.next(1_000, 2 ** 20);
        rows.length > 0;
        rows = await iterator.next(1_000, 2 ** 20)
      ) {
        for (const { key, value } of rows)
          this.#counts.set(this.keys.orderOfCount(key), value.readUIntBE(0, 6));
      }
    } finally {
      await iterator.close();
    }
  }

  /** Whether it has an item without entries for what stands in it. */
  get hasOversized(): boolean {
    return (this.#counts.get(oversizedOrder) ?? 0) > 0;
  }

  /** Undefined where it is not counted. */
  countOf(order: ByteString): number | undefined {
    return this.#counts.get(order) ?? (this.#counts.size < maxCountedOrders ? 0 : undefined);
  }

  add(order: ByteString, difference: number): void {
    const count = this.#counts.get(order);
    if (count === undefined && this.#counts.size >= maxCountedOrders) return;
    this.#counts.set(order, (count ?? 0) + difference);
    this.#changed.add(order);
  }

  /** What has been counted since this was last asked for. */
  takeCounts(writes: EngineWrite[]): void {
    for (const order of this.#changed) {
      const value = Buffer.allocUnsafe(6);
      value.writeUIntBE(Math.max(0, this.#counts.get(order) ?? 0), 0, 6);
      writes.push({ key: bytesOf(this.keys.count(order)), value });
    }
    this.#changed.clear();
  }
}
