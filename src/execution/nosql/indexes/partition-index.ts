// What is known of the index of one physical partition: how far it follows the commits, and what it has not taken in yet.

import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { RingRange } from '../../../partitioning/ring-range.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import type { IndexLane, LaneState } from './index-lane.ts';

/** A row that was written or removed. */
export interface PendingChange {
  readonly lsn: number;
  /** Without the container. */
  readonly itemKey: ByteString;
  /** Null where it was removed. */
  readonly value: Buffer | null;
  /** Whether there was no item under that key before. */
  readonly isNew: boolean;
}

export interface PartitionState {
  readonly lanes: readonly LaneState[];
}

interface Waiter {
  readonly lsn: number;
  readonly wake: () => void;
}

/** What a change takes beside its value. */
const changeOverheadBytes = 200;

export class PartitionIndex {
  readonly address: PartitionAddress;
  readonly range: RingRange;
  /** The last commit that was heard of. */
  seenLsn: number;
  /** All commits up to this one are in the lanes. */
  indexedLsn: number;
  isGone = false;
  /** Whether the store of the index knows the state. If not, it is told with whatever is written next. */
  isSaved = false;
  #lanes: IndexLane[];
  #pending: PendingChange[] = [];
  #pendingBytes = 0;
  #waiters: Waiter[] = [];

  constructor(address: PartitionAddress, range: RingRange, lanes: IndexLane[], lsn: number) {
    this.address = address;
    this.range = range;
    this.#lanes = lanes;
    this.seenLsn = lsn;
    this.indexedLsn = lsn;
  }

  /** The first that is current answers; the others are on their way to it. */
  get lanes(): readonly IndexLane[] {
    return this.#lanes;
  }

  setLanes(lanes: readonly IndexLane[]): void {
    this.#lanes = [...lanes];
    this.isSaved = false;
  }

  get state(): PartitionState {
    return { lanes: this.lanes.map(({ state }) => state) };
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get pendingCount(): number {
    return this.#pending.length;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  get serving(): IndexLane | undefined {
    return this.lanes.find(({ isCurrent }) => isCurrent);
  }

  isIn(itemKey: ByteString): boolean {
    return itemKey >= this.range.min && itemKey < this.range.max;
  }

  push(change: PendingChange): void {
    this.#pending.push(change);
    this.#pendingBytes += sizeOf(change);
  }

  /** Whole transactions, up to a number of changes and of bytes; those are still pending until they are `applied`. */
  peek(maxChanges: number, maxBytes: number): readonly PendingChange[] {
    let count = 0;
    let bytes = 0;
    for (const change of this.#pending) {
      const isNewTransaction = this.#pending[count - 1]?.lsn !== change.lsn;
      if (isNewTransaction && (count >= maxChanges || bytes >= maxBytes)) break;
      bytes += sizeOf(change);
      count++;
    }
    return this.#pending.slice(0, count);
  }

  /** Whether it has fallen behind since those were looked up, and they are found again by looking. */
  hasGivenUp(changes: readonly PendingChange[]): boolean {
    return !this.isGone && this.#pending[0] !== changes[0];
  }

  applied(changes: readonly PendingChange[]): void {
    // It may have fallen behind, or ended, meanwhile.
    if (this.#pending[0] !== changes[0]) return;
    for (const change of this.#pending.splice(0, changes.length)) this.#pendingBytes -= sizeOf(change);
    this.indexedLsn = this.#pending.length === 0 ? this.seenLsn : (changes.at(-1)?.lsn ?? this.indexedLsn);
    this.#wake();
  }

  /** What is pending is found again by looking at all items. */
  fallBehind(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
    for (const lane of this.#lanes) lane.lookAgain();
    this.isSaved = false;
    this.indexedLsn = this.seenLsn;
    this.#wake();
  }

  /** Those that began in another partition and lie in this one. */
  inherit(parent: PartitionIndex): void {
    // The parent may be writing them just now, and new items are written without a look at what is there.
    for (const change of parent.#pending)
      if (this.isIn(change.itemKey)) this.push({ ...change, isNew: false });
    this.seenLsn = parent.seenLsn;
    this.indexedLsn = parent.indexedLsn;
  }

  setPolicy(policy: IndexingPolicy): boolean {
    const isChanged = this.#lanes.map((lane) => lane.setPolicy(policy)).includes(true);
    if (isChanged) this.isSaved = false;
    return isChanged;
  }

  /** When what is pending now has been taken in, or given up. */
  whenIndexed(): Promise<void> {
    const last = this.#pending.at(-1);
    if (last === undefined) return Promise.resolve();
    return new Promise((wake) => {
      this.#waiters.push({ lsn: last.lsn, wake });
    });
  }

  /** Nobody waits for it any more. */
  end(): void {
    this.isGone = true;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#wake();
  }

  #wake(): void {
    const first = this.#pending[0]?.lsn ?? Number.POSITIVE_INFINITY;
    const ready = this.#waiters.filter(({ lsn }) => lsn < first);
    this.#waiters = this.#waiters.filter(({ lsn }) => lsn >= first);
    for (const { wake } of ready) wake();
  }
}

function sizeOf({ value, itemKey }: PendingChange): number {
  return (value?.length ?? 0) + itemKey.length + changeOverheadBytes;
}
