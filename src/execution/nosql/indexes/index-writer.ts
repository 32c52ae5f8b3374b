// The one that writes into the store of an index, one batch at a time: entries, counts and how far the partition is stand in the same
// batch, so that a crash leaves what belongs together.

import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import type { EngineWrite, StorageEngine } from '../../../storage/storage-engine.ts';
import { numberedKey } from './index-keys.ts';
import type { IndexLane } from './index-lane.ts';
import { type PartingItem, writeItem } from './item-record.ts';
import { NewItems } from './new-items.ts';
import { writePartings } from './parting-items.ts';
import type { PartitionIndex, PendingChange } from './partition-index.ts';

/** Of one batch: some four milliseconds of work. */
const usualChanges = 128;
/**
 * Where more is pending a batch takes an eighth of it, up to so many, and a turn of the event loop a quarter of the batch: requests come in
 * between, so the further the index is behind the fewer come; yet none waits for more than some eight milliseconds of this.
 */
const mostChanges = 1_024;
const shareOfPending = 1 / 8;
const turnsOfBatch = 4;
const maxBytes = 2 ** 21;

/** An item as it was found by looking, and what the segment has of it. Null where one of them is not there. */
export interface FoundItem {
  readonly itemKey: ByteString;
  readonly value: Buffer | null;
  readonly record: Buffer | null;
}

export class IndexWriter {
  readonly engine: StorageEngine;
  readonly #nextTurn: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: StorageEngine, nextTurn: () => Promise<void>) {
    this.engine = engine;
    this.#nextTurn = nextTurn;
  }

  /** Runs when all before it are over; fails if it fails. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Some of what is pending. */
  async takeIn(partition: PartitionIndex): Promise<void> {
    await this.inTurn(async () => {
      const share = Math.ceil(partition.pendingCount * shareOfPending);
      const changes = partition.peek(Math.min(mostChanges, Math.max(usualChanges, share)), maxBytes);
      if (changes.length === 0) return;
      const newest = newestOf(changes);
      const writes: EngineWrite[] = [];
      const isGivenUp = (): boolean => partition.hasGivenUp(changes);
      for (const lane of partition.lanes) await this.#change(lane, newest, isGivenUp, writes);
      const lsn = changes.at(-1)?.lsn ?? partition.indexedLsn;
      if (partition.isSaved) writes.push(positionWrite(partition, lsn));
      else writes.push(...stateWrites(partition, lsn));
      await this.engine.write(writes, false);
      partition.applied(changes);
    });
  }

  async #change(
    lane: IndexLane,
    changes: readonly PendingChange[],
    isGivenUp: () => boolean,
    writes: EngineWrite[],
  ): Promise<void> {
    const { segment } = lane;
    const { keys } = segment;
    const isFresh = changes.map(({ isNew, lsn }) => isNew && lane.lacksNew(lsn));
    const records = isFresh.every(Boolean)
      ? []
      : await Promise.all(
          changes.map(({ itemKey }, at) => (isFresh[at] ? undefined : this.engine.get(keys.record(itemKey)))),
        );
    const made = new NewItems(keys, segment, writes);
    const parting: PartingItem[] = [];
    const ofTurn = Math.max(usualChanges, Math.ceil(changes.length / turnsOfBatch));
    for (const [at, { itemKey, value }] of changes.entries()) {
      if (at > 0 && at % ofTurn === 0) await this.#nextTurn();
      // What came after these is not pending any more: an item touched now would be left to commits that nobody takes in.
      if (at % ofTurn === 0 && isGivenUp()) break;
      const before = records[at];
      const after = value === null ? undefined : lane.recordOf(value);
      lane.touch(itemKey);
      if (before === undefined && after === undefined) continue;
      if (isFresh[at] && after !== undefined) made.add(itemKey, after);
      else {
        const parted = writeItem(keys, itemKey, before, after, segment, writes);
        if (parted !== undefined) parting.push(parted);
      }
    }
    made.finish();
    segment.takeCounts(writes);
    await writePartings(this.engine, keys, parting, writes);
  }

  /** What was found by looking, unless it has changed since. */
  async takeFound(partition: PartitionIndex, lane: IndexLane, found: readonly FoundItem[]): Promise<void> {
    const { segment } = lane;
    const writes: EngineWrite[] = [];
    const parting: PartingItem[] = [];
    for (const { itemKey, value, record } of found) {
      if (lane.isTouched(itemKey)) continue;
      const after = value === null ? undefined : lane.recordOf(value);
      const parted = writeItem(segment.keys, itemKey, record ?? undefined, after, segment, writes);
      if (parted !== undefined) parting.push(parted);
    }
    segment.takeCounts(writes);
    await writePartings(this.engine, segment.keys, parting, writes);
    if (writes.length > 0 && !partition.isSaved) writes.push(...stateWrites(partition));
    if (writes.length > 0) await this.engine.write(writes, false);
  }

  /** In turn. */
  async saveState(partition: PartitionIndex): Promise<void> {
    await this.engine.write(stateWrites(partition), false);
  }
}

/** For a batch that is written next. */
export function stateWrites(partition: PartitionIndex, lsn: number = partition.indexedLsn): EngineWrite[] {
  partition.isSaved = true;
  const { container, physicalPartition } = partition.address;
  const key = bytesOf(numberedKey('state', container, physicalPartition));
  return [{ key, value: Buffer.from(JSON.stringify(partition.state)) }, positionWrite(partition, lsn)];
}

function positionWrite({ address }: PartitionIndex, lsn: number): EngineWrite {
  const value = Buffer.allocUnsafe(8);
  value.writeBigUInt64BE(BigInt(lsn));
  return { key: bytesOf(numberedKey('position', address.container, address.physicalPartition)), value };
}

/** Of each key the last change; it is new if the first was. */
function newestOf(changes: readonly PendingChange[]): readonly PendingChange[] {
  const newest = new Map<ByteString, PendingChange>();
  for (const change of changes) {
    const known = newest.get(change.itemKey);
    newest.set(
      change.itemKey,
      known === undefined ? change : { ...change, isNew: known.isNew, lsn: known.lsn },
    );
  }
  return newest.size === changes.length ? changes : [...newest.values()];
}
