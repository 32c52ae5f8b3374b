// Takes entries from one node's log to another's, and from a node's log to its row store. Only entries that the epoch
// history of their partition still holds are taken: what a crashed epoch left behind stays behind.

import { appliedLsnWrite } from '../storage/applied-lsns.ts';
import { decodeRows, entryKinds, isOrdered, type LogEntry } from '../storage/log/log-entry.ts';
import {
  childrenOf,
  epochAt,
  type LogState,
  lastCommonLsn,
  partitionNumber,
} from '../storage/log/log-state.ts';
import type { Rest } from '../storage/log/node-log.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';
import type { EngineWrite } from '../storage/storage-engine.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import { isTrueBorn } from './lineage.ts';
import type { PartitionMaps } from './partition-maps.ts';
import type { PlantedFault } from './store-settings.ts';

const chunkBytes = 512 * 1024;

export interface Replay {
  readonly source: StorageNode;
  readonly target: StorageNode;
  /** Partition number → the LSN through which the target has it. Moves on as entries are taken. */
  readonly positions: Map<number, number>;
  /** The last LSN to take of a partition; the same throughout. */
  limitOf(partition: number): number;
  /** Whether rows go into the target's row store too: only when everything up to the limit is committed. */
  readonly withRows: boolean;
  /** Throws when the target is no longer to get them; asked before each write to it. */
  checkIsWanted(): void;
  readonly rest: Rest;
  readonly plantedFault: PlantedFault | undefined;
}

/** Appends to the target's log what it lacks, in the source's order. A split or merge brings its children along. */
export async function replayLog(replay: Replay): Promise<void> {
  const { source, target, positions } = replay;
  const { state } = source.handles.log;
  const isJoinByLsn = replay.plantedFault === 'join-without-epochs';
  let chunk: LogEntry[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (chunk.length === 0) return;
    const entries = chunk;
    chunk = [];
    bytes = 0;
    replay.checkIsWanted();
    await target.handles.commit.note(Buffer.concat(entries.map((entry) => entry.bytes)), () => {
      for (const entry of entries) target.handles.log.state.apply(entry);
    });
    const applied = replay.plantedFault === 'skip-entry-in-catch-up' ? entries.slice(1) : entries;
    replay.checkIsWanted();
    if (replay.withRows) await applyEntries(target, applied, positions, true);
  };
  await source.handles.log.readFrom(positions, replay.rest, async (entries) => {
    for (const entry of entries) {
      if (!isOrdered(entry.kind)) continue;
      const number = partitionNumber(entry.container, entry.physicalPartition);
      const position = positions.get(number);
      if (position === undefined || entry.lsn <= position || entry.lsn > replay.limitOf(number)) continue;
      if (!isJoinByLsn && !isValid(state, entry)) continue;
      positions.set(number, entry.lsn);
      chunk.push(entry);
      bytes += entry.bytes.length;
      follow(replay, entry);
    }
    if (bytes >= chunkBytes) await flush();
  });
  await flush();
}

/**
 * From where the target must be replayed to, for this partition: its own log if it has one, else those of the partitions it came
 * from. Undefined when the source's log does not reach back so far, or the target's rows are not what its log says: copy then.
 */
export function replayPositions(
  source: StorageNode,
  target: StorageNode,
  address: PartitionAddress,
  maps: PartitionMaps,
  commonLsn: typeof lastCommonLsn = lastCommonLsn,
): Map<number, number> | undefined {
  const there = source.handles.log.state.get(address);
  if (there === undefined) return undefined;
  const number = partitionNumber(address.container, address.physicalPartition);
  const reach = source.handles.log.reach(number, there.baseLsn);
  const own = target.handles.log.state.get(address);
  if (own !== undefined) {
    const common = commonLsn(own, there);
    const isWhole = !own.isCopying && common >= reach && common >= (target.appliedLsns.get(number) ?? 0);
    return isWhole && isTrueBorn(target.handles.log.state, address, maps)
      ? new Map([[number, common]])
      : undefined;
  }
  // Rows of an earlier stay, which the log has forgotten: nobody knows how many are left of them.
  if ((target.appliedLsns.get(number) ?? 0) > 0) return undefined;
  if (there.baseLsn === 0) return reach === 0 ? new Map([[number, 0]]) : undefined;
  const parents = parentsIn(source.handles.log.state, address);
  const positions = new Map<number, number>();
  for (const parent of parents) {
    // Something else that came of the parent is here by a copy, and newer than what the parent's log would bring.
    if (hasHeirs(source.handles.log.state, target.handles.log.state, parent)) return undefined;
    const found = replayPositions(source, target, parent, maps, commonLsn);
    if (found === undefined) return undefined;
    for (const [ancestor, lsn] of found) positions.set(ancestor, lsn);
  }
  return positions.size === 0 ? undefined : positions;
}

function hasHeirs(lineage: LogState, state: LogState, parent: PartitionAddress): boolean {
  return childrenOf(lineage.get(parent)?.ending).some((physicalPartition) => {
    const child = { container: parent.container, physicalPartition };
    return state.get(child) !== undefined || hasHeirs(lineage, state, child);
  });
}

function parentsIn(state: LogState, child: PartitionAddress): PartitionAddress[] {
  return [...state.partitions.values()].filter(
    (partition) =>
      partition.container === child.container &&
      childrenOf(partition.ending).includes(child.physicalPartition),
  );
}

/** A partition's last entry says who goes on: those are wanted from their first entry on. */
function follow(replay: Replay, entry: LogEntry): void {
  const { state } = replay.source.handles.log;
  const ended = state.get(entry);
  if (ended?.ending === undefined || entry.lsn !== ended.lastLsn) return;
  const { ending, container } = ended;
  if (ending.kind === 'split') {
    for (const child of ending.note.children) want(replay, container, child, ended.lastLsn);
    return;
  }
  const parents = [ending.note.left, ending.note.right].map((physicalPartition) => ({
    container,
    physicalPartition,
  }));
  const isBorn = parents.every((parent) => {
    const isTaken =
      replay.positions.get(partitionNumber(container, parent.physicalPartition)) ===
      state.get(parent)?.lastLsn;
    return isTaken || replay.target.handles.log.state.get(parent)?.ending?.kind === 'merge';
  });
  const lastLsn = Math.max(...parents.map((parent) => state.get(parent)?.lastLsn ?? 0));
  if (isBorn) want(replay, container, ending.note.child, lastLsn + 1);
}

function want(replay: Replay, container: number, physicalPartition: number, lsn: number): void {
  const number = partitionNumber(container, physicalPartition);
  if (!replay.positions.has(number)) replay.positions.set(number, lsn);
}

/** Whether the partition's history still holds the entry. */
export function isValid(state: LogState, entry: LogEntry): boolean {
  const partition = state.get(entry);
  return (
    partition !== undefined &&
    entry.lsn <= partition.lastLsn &&
    epochAt(partition.epochs, entry.lsn) === entry.epoch
  );
}

/** Writes the rows of committed entries, in their order, and how far each partition that `noted` has has got. */
export async function applyEntries(
  target: StorageNode,
  entries: readonly LogEntry[],
  noted: ReadonlyMap<number, unknown>,
  sync: boolean,
): Promise<void> {
  const rows = new Map<string, EngineWrite>();
  const lsns = new Map<number, number>();
  for (const entry of entries) {
    if (entry.kind === entryKinds.rows) {
      for (const row of decodeRows(entry)) rows.set(row.key, { key: row.keyBytes, value: row.stored });
    }
    const number = partitionNumber(entry.container, entry.physicalPartition);
    if (noted.has(number)) lsns.set(number, entry.lsn);
  }
  const writes = [...rows.values()];
  for (const [partition, lsn] of lsns) writes.push(appliedLsnWrite(partition, lsn));
  await target.writeRows(writes, sync);
  for (const [partition, lsn] of lsns) target.appliedLsns.set(partition, lsn);
}
