// Which keys changed lately, in the order in which they did, kept in memory while somebody reads a container's change feed. So a reader
// that has caught up is answered without a look at anything that did not change. It is derived: what is not here is found by a scan.

import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { CommitWatcher } from '../../../replication/replicated-partition-store.ts';

export interface Change {
  readonly lsn: number;
  readonly key: ByteString;
}

/** What the store lets one see. */
export interface WatchedStore {
  watchCommits(watcher: CommitWatcher): () => void;
  committedLsn(address: {
    readonly container: number;
    readonly physicalPartition: number;
  }): number | undefined;
}

/** Of one physical partition. */
export interface PartitionChanges {
  /** Every change after this LSN is here. */
  readonly since: number;
  /** Oldest first. */
  readonly changes: readonly Change[];
}

const maxChanges = 20_000;
/** Of all containers together, some 40 MB with their keys; beyond that, the feed that was read longest ago is forgotten. */
const maxChangesInAll = 300_000;
/** A feed that nobody has read for so long is forgotten. */
const idleMs = 10 * 60_000;
const maxContainers = 200;

interface Watched {
  readonly partitions: Map<number, { since: number; changes: Change[] }>;
  readAtMs: number;
}

export class RecentChanges {
  readonly #store: WatchedStore;
  readonly #containers = new Map<number, Watched>();
  readonly #maxChangesInAll: number;
  #changesInAll = 0;
  /** Undefined while no feed is followed: then commits need not be told. */
  #endWatch: (() => void) | undefined;

  constructor(store: WatchedStore, limit: number = maxChangesInAll) {
    this.#store = store;
    this.#maxChangesInAll = limit;
  }

  /** Containers whose feed is followed. */
  get watched(): readonly number[] {
    return [...this.#containers.keys()];
  }

  /** Begins to watch the partition if nobody does; undefined when it is not there. */
  of(container: number, physicalPartition: number, nowMs: number): PartitionChanges | undefined {
    const watched = this.#containers.get(container) ?? this.#watch(container, nowMs);
    watched.readAtMs = nowMs;
    const known = watched.partitions.get(physicalPartition);
    if (known !== undefined) return known;
    const since = this.#store.committedLsn({ container, physicalPartition });
    if (since === undefined) return undefined;
    const begun = { since, changes: [] };
    watched.partitions.set(physicalPartition, begun);
    return begun;
  }

  #watch(container: number, nowMs: number): Watched {
    this.#forgetIdle(nowMs);
    const watched: Watched = { partitions: new Map(), readAtMs: nowMs };
    this.#containers.set(container, watched);
    this.#endWatch ??= this.#store.watchCommits((address, lsn, rows) => this.#onCommit(address, lsn, rows));
    return watched;
  }

  #onCommit(...[{ container, physicalPartition }, lsn, rows]: Parameters<CommitWatcher>): void {
    const known = this.#containers.get(container)?.partitions.get(physicalPartition);
    if (known === undefined) return;
    for (const { key } of rows) known.changes.push({ lsn, key });
    this.#changesInAll += rows.length;
    if (known.changes.length > maxChanges) this.#cut(known, lsn);
    while (this.#changesInAll > this.#maxChangesInAll) this.#forgetOldest();
  }

  #cut(known: { since: number; changes: Change[] }, lastLsn: number): void {
    const before = known.changes.length;
    // A transaction is kept whole or not at all.
    const cut = known.changes[before >> 1]?.lsn ?? lastLsn;
    known.changes = known.changes.filter((change) => change.lsn > cut);
    known.since = cut;
    this.#changesInAll -= before - known.changes.length;
  }

  #forgetIdle(nowMs: number): void {
    for (const [container, { readAtMs }] of [...this.#containers])
      if (nowMs - readAtMs >= idleMs) this.#forget(container);
    while (this.#containers.size >= maxContainers) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = [...this.#containers].sort(([, a], [, b]) => a.readAtMs - b.readAtMs);
    assert(oldest !== undefined, 'changes are of a container');
    this.#forget(oldest[0]);
  }

  #forget(container: number): void {
    for (const { changes } of this.#containers.get(container)?.partitions.values() ?? [])
      this.#changesInAll -= changes.length;
    this.#containers.delete(container);
    if (this.#containers.size > 0) return;
    this.#endWatch?.();
    this.#endWatch = undefined;
  }
}
