// What a node's log says, in short: the fold of its entries. It is what recovery compares, and what the first frame of
// every segment holds, so that the segments before it may be removed.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { PartitionAddress } from '../partition-store.ts';
import {
  type EntryHeader,
  type EntryKind,
  encodeNote,
  entryKinds,
  isOrdered,
  type LogEntry,
  noteBody,
} from './log-entry.ts';

/** From `firstLsn` on, until the next stretch, entries belong to `epoch`. */
export interface EpochStretch {
  readonly epoch: number;
  readonly firstLsn: number;
}

export interface SplitNote {
  readonly children: readonly [number, number];
  readonly at: string;
}

export interface MergeNote {
  readonly left: number;
  readonly right: number;
  readonly child: number;
}

export interface MembershipNote {
  readonly members: readonly number[];
  readonly generation: number;
}

/** A replica set, and the LSN that set it: voiding that LSN voids the set. */
export interface MembershipState extends MembershipNote {
  readonly lsn: number;
}

/** How a partition ended. */
export type Ending =
  | { readonly kind: 'split'; readonly note: SplitNote }
  | { readonly kind: 'merge'; readonly note: MergeNote };

export interface PartitionLogState extends PartitionAddress {
  logEpoch: number;
  lastLsn: number;
  /** The log reaches back to the entry after this one. */
  baseLsn: number;
  epochs: EpochStretch[];
  isCopying: boolean;
  /** Rows through this LSN came by a copy: no log of this node ever had them. */
  copiedLsn: number;
  membership: MembershipState | undefined;
  ending: Ending | undefined;
}

/** One number for a partition's address, for Map keys. A container never has a million physical partitions in its life. */
export function partitionNumber(container: number, physicalPartition: number): number {
  return container * 2 ** 20 + physicalPartition;
}

export function partitionAddress(number: number): PartitionAddress {
  return { container: Math.floor(number / 2 ** 20), physicalPartition: number % 2 ** 20 };
}

/** What came of a partition, as far as this log knows: its last descendants, or itself. Those that `isEnd` names are not looked behind. */
export function heirsOf(
  state: LogState,
  number: number,
  isEnd: (partition: number) => boolean = () => false,
): number[] {
  const partition = state.partitions.get(number);
  if (partition === undefined) return [];
  if (partition.ending === undefined || isEnd(number)) return [number];
  const children = childrenOf(partition.ending).map((child) => partitionNumber(partition.container, child));
  // One half of a merge whose other half this log lacks.
  if (!children.some((child) => state.partitions.has(child))) return [number];
  return children.flatMap((child) => heirsOf(state, child, isEnd));
}

export function epochAt(epochs: readonly EpochStretch[], lsn: number): number {
  for (let index = epochs.length - 1; index >= 0; index--) {
    const stretch = epochs[index];
    if (stretch !== undefined && stretch.firstLsn <= lsn) return stretch.epoch;
  }
  return 0;
}

/** Of which epoch each entry of a partition is, through the last one. */
interface EpochHistory {
  readonly lastLsn: number;
  readonly epochs: readonly EpochStretch[];
}

/** The last LSN at which two logs of one partition agree. */
export function lastCommonLsn(left: EpochHistory, right: EpochHistory): number {
  const shared = Math.min(left.lastLsn, right.lastLsn);
  const starts = [...left.epochs, ...right.epochs]
    .map((stretch) => stretch.firstLsn)
    .filter((lsn) => lsn <= shared);
  for (const start of starts.sort((a, b) => a - b)) {
    if (epochAt(left.epochs, start) !== epochAt(right.epochs, start)) return start - 1;
  }
  return shared;
}

/** How far the row store had got when a segment began. */
export interface RowProgress {
  /** Bytes given to the row store in the node's life. */
  readonly rowBytes: number;
  /** The first segment with an entry that was not in the row store yet. */
  readonly firstUnapplied: number;
}

export class LogState {
  promisedEpoch = 0;
  /** As of the last segment's beginning. */
  rowProgress: RowProgress = { rowBytes: 0, firstUnapplied: 0 };
  readonly partitions: Map<number, PartitionLogState> = new Map();

  get(address: PartitionAddress): PartitionLogState | undefined {
    return this.partitions.get(partitionNumber(address.container, address.physicalPartition));
  }

  /** The partition's state; a node that never heard of it has an empty log of it. */
  of(address: PartitionAddress): PartitionLogState {
    const number = partitionNumber(address.container, address.physicalPartition);
    let state = this.partitions.get(number);
    if (state === undefined) {
      state = emptyState(address.container, address.physicalPartition, 0, 0);
      this.partitions.set(number, state);
    }
    return state;
  }

  apply(entry: LogEntry): void {
    if (isOrdered(entry.kind))
      this.order(entry, entry.kind === entryKinds.rows ? undefined : noteBody(entry));
    else this.note(entry, noteBody(entry));
  }

  /** An ordered entry: it follows the last one, or voids what an older epoch left there. */
  order(entry: EntryHeader, body: unknown): void {
    const state = this.of(entry);
    this.advance(state, entry.epoch, entry.lsn, entry.lsn);
    if (entry.kind === entryKinds.membership)
      state.membership = { ...(body as MembershipNote), lsn: entry.lsn };
    if (entry.kind === entryKinds.split) this.#split(state, body as SplitNote);
    if (entry.kind === entryKinds.merge) this.#merge(state, body as MergeNote);
  }

  /** Entries `firstLsn` to `lastLsn` of one epoch were appended. */
  advance(state: PartitionLogState, epoch: number, firstLsn: number, lastLsn: number): void {
    if (firstLsn > state.lastLsn + 1) {
      throw new RingfoldError('corrupt-data', { what: 'gap in log', after: state.lastLsn, found: firstLsn });
    }
    if (firstLsn <= state.lastLsn) this.#voidFrom(state, firstLsn);
    if (state.epochs.at(-1)?.epoch !== epoch) state.epochs.push({ epoch, firstLsn });
    state.lastLsn = lastLsn;
  }

  note(entry: EntryHeader, body: unknown): void {
    switch (entry.kind) {
      case entryKinds.promise:
        this.promisedEpoch = Math.max(this.promisedEpoch, entry.epoch);
        return;
      case entryKinds.epoch: {
        const state = this.of(entry);
        this.#voidFrom(state, entry.lsn + 1);
        state.lastLsn = entry.lsn;
        state.logEpoch = entry.epoch;
        state.epochs.push({ epoch: entry.epoch, firstLsn: entry.lsn + 1 });
        this.#renewChildren(state);
        return;
      }
      case entryKinds.copying: {
        const state = this.of(entry);
        state.isCopying = true;
        // What is copied goes on: an end that only this log had is void.
        this.#dropChildren(state);
        return;
      }
      case entryKinds.base:
        this.partitions.set(
          partitionNumber(entry.container, entry.physicalPartition),
          body as PartitionLogState,
        );
        return;
      case entryKinds.forget:
        this.partitions.delete(partitionNumber(entry.container, entry.physicalPartition));
        return;
      case entryKinds.snapshot:
        this.#restore(body as Snapshot);
        return;
      default:
        throw new RingfoldError('corrupt-data', { what: 'log note', kind: entry.kind });
    }
  }

  snapshotEntry(timeMs: number): Buffer {
    const { promisedEpoch, rowProgress } = this;
    const body: Snapshot = { promisedEpoch, rowProgress, partitions: [...this.partitions.values()] };
    return encodeNote(nodeHeader(entryKinds.snapshot, 0, timeMs), body);
  }

  #restore(snapshot: Snapshot): void {
    this.promisedEpoch = snapshot.promisedEpoch;
    this.rowProgress = snapshot.rowProgress;
    this.partitions.clear();
    for (const state of snapshot.partitions) {
      this.partitions.set(partitionNumber(state.container, state.physicalPartition), state);
    }
  }

  #split(parent: PartitionLogState, note: SplitNote): void {
    parent.ending = { kind: 'split', note };
    for (const child of note.children) this.#bear(parent, child, parent.lastLsn);
  }

  /** The child begins when both parents have ended on this node. */
  #merge(parent: PartitionLogState, note: MergeNote): void {
    parent.ending = { kind: 'merge', note };
    const left = this.get({ container: parent.container, physicalPartition: note.left });
    const right = this.get({ container: parent.container, physicalPartition: note.right });
    if (left?.ending?.kind !== 'merge' || right?.ending?.kind !== 'merge') return;
    const elder = left.logEpoch >= right.logEpoch ? left : right;
    this.#bear(elder, note.child, Math.max(left.lastLsn, right.lastLsn) + 1);
  }

  #bear(parent: PartitionLogState, child: number, lastLsn: number): void {
    const state = emptyState(parent.container, child, parent.logEpoch, lastLsn);
    this.partitions.set(partitionNumber(parent.container, child), state);
  }

  /** Children without entries of their own go on in the epoch in which their parent's end was settled. */
  #renewChildren(parent: PartitionLogState): void {
    for (const id of childrenOf(parent.ending)) {
      const child = this.partitions.get(partitionNumber(parent.container, id));
      if (child === undefined || child.lastLsn !== child.baseLsn || child.logEpoch >= parent.logEpoch)
        continue;
      child.logEpoch = parent.logEpoch;
      child.epochs = [{ epoch: parent.logEpoch, firstLsn: child.lastLsn + 1 }];
    }
  }

  /** What stood at `lsn` and behind it is void; so are children born there and a replica set made there. */
  #voidFrom(state: PartitionLogState, lsn: number): void {
    state.epochs = state.epochs.filter((stretch) => stretch.firstLsn < lsn);
    if (state.lastLsn < lsn) return;
    if (state.membership !== undefined && state.membership.lsn >= lsn) state.membership = undefined;
    this.#dropChildren(state);
    state.lastLsn = lsn - 1;
  }

  #dropChildren(parent: PartitionLogState): void {
    for (const child of childrenOf(parent.ending))
      this.partitions.delete(partitionNumber(parent.container, child));
    parent.ending = undefined;
  }
}

interface Snapshot {
  readonly promisedEpoch: number;
  readonly rowProgress: RowProgress;
  readonly partitions: PartitionLogState[];
}

function emptyState(
  container: number,
  physicalPartition: number,
  epoch: number,
  lastLsn: number,
): PartitionLogState {
  return {
    container,
    physicalPartition,
    logEpoch: epoch,
    lastLsn,
    baseLsn: lastLsn,
    epochs: [{ epoch, firstLsn: lastLsn + 1 }],
    isCopying: false,
    copiedLsn: 0,
    membership: undefined,
    ending: undefined,
  };
}

export function childrenOf(ending: Ending | undefined): readonly number[] {
  if (ending === undefined) return [];
  return ending.kind === 'split' ? ending.note.children : [ending.note.child];
}

/** The header of an entry that concerns the node, not a partition. */
export function nodeHeader(kind: EntryKind, epoch: number, timeMs: number): EntryHeader {
  return { kind, container: 0, physicalPartition: 0, generation: 0, epoch, lsn: 0, timeMs };
}
