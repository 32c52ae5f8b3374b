// Brings a node's row store up to its own log. After an unclean stop the row store may also have lost what it had acknowledged:
// then the part of the log that its own journal may have held is applied again in full, once, in the log's order.

import type { ByteString } from '../foundation/byte-string.ts';
import { appliedLsnWrite } from '../storage/applied-lsns.ts';
import { decodeRows, entryKinds, isOrdered, type LogEntry } from '../storage/log/log-entry.ts';
import { heirsOf, type LogState, partitionNumber } from '../storage/log/log-state.ts';
import type { Rest } from '../storage/log/node-log.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import { applyEntries, isValid } from './log-replay.ts';

const chunkBytes = 512 * 1024;

/** A partition whose rows are to be brought up to date on the node: entries through `through` are known to be committed. */
export interface ApplyTarget {
  readonly number: number;
  readonly from: ByteString;
  readonly to: ByteString;
  readonly through: number;
}

export async function applyOwnLog(
  node: StorageNode,
  targets: readonly ApplyTarget[],
  isAwaited: (partition: number) => boolean,
  reapplyBytes: number,
  rest: Rest,
): Promise<void> {
  const { log } = node.handles;
  const plan = planOf(node, targets, isAwaited, reapplyBytes);
  if (plan.behind.size === 0 && plan.toMend.size === 0) {
    for (const number of plan.through.keys()) node.mended.add(number);
    return;
  }
  let chunk: LogEntry[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (chunk.length > 0) await applyEntries(node, chunk, plan.through, false);
    chunk = [];
    bytes = 0;
  };
  await log.readForRows(plan.toMend.size === 0 ? 0 : reapplyBytes, plan.behind, rest, async (entries) => {
    for (const entry of entries) {
      if (!isTaken(entry, log.state, plan)) continue;
      chunk.push(entry);
      bytes += entry.bytes.length;
    }
    if (bytes >= chunkBytes) await flush();
  });
  await flush();
  await node.writeRows(
    [...plan.through].map(([number, lsn]) => appliedLsnWrite(number, lsn)),
    true,
  );
  for (const [number, lsn] of plan.through) {
    node.appliedLsns.set(number, lsn);
    node.mended.add(number);
  }
}

interface Plan {
  /** The last entry to apply of each partition. */
  readonly limits: ReadonlyMap<number, number>;
  /** Of partitions that have ended: the targets that came of them, whose keys alone are applied. */
  readonly heirs: ReadonlyMap<number, readonly ApplyTarget[]>;
  /** Partitions of which everything is in the row store afterwards, through this LSN. */
  readonly through: ReadonlyMap<number, number>;
  /** Partitions whose row store is behind this log, and the LSN it has. */
  readonly behind: ReadonlyMap<number, number>;
  /** Partitions to be applied again from as far back as the row store's journal may have reached. */
  readonly toMend: ReadonlySet<number>;
}

function planOf(
  node: StorageNode,
  targets: readonly ApplyTarget[],
  isAwaited: (partition: number) => boolean,
  reapplyBytes: number,
): Plan {
  const { state } = node.handles.log;
  const byNumber = new Map(targets.map((target) => [target.number, target]));
  const limits = new Map<number, number>();
  const heirs = new Map<number, ApplyTarget[]>();
  const through = new Map<number, number>();
  const behind = new Map<number, number>();
  const toMend = new Set<number>();
  for (const [number, partition] of state.partitions) {
    if (partition.isCopying) continue;
    const target = byNumber.get(number);
    // A target that has itself ended by now, in a way the map does not know yet, is still the owner of its keys. One that was mended
    // has had these entries, and newer ones over them that are not applied again: so have those that came of it.
    const isOwner = (heir: number) => byNumber.has(heir) || (heir !== number && node.mended.has(heir));
    const heirNumbers = target === undefined ? heirsOf(state, number, isOwner) : [];
    const came = heirNumbers.flatMap((heir) => byNumber.get(heir) ?? []);
    const waiting = came.filter((heir) => isFresh(node, heir.number, reapplyBytes));
    if (target === undefined && waiting.length === 0) continue;
    const limit = Math.min(target?.through ?? partition.lastLsn, partition.lastLsn);
    limits.set(number, limit);
    if (target === undefined) heirs.set(number, waiting);
    const isWhole = target !== undefined || isSettled(node, number, byNumber, isAwaited);
    if (isWhole) through.set(number, limit);
    const applied = node.appliedLsns.get(number) ?? partition.baseLsn;
    if (applied < limit) behind.set(number, applied);
    if (reapplyBytes > 0 && !node.mended.has(number)) toMend.add(number);
  }
  return { limits, heirs, through, behind, toMend };
}

/** Whether all of a partition is applied in this pass, from the first entry that its row store may lack. */
function isFresh(node: StorageNode, number: number, reapplyBytes: number): boolean {
  if (node.mended.has(number)) return false;
  if (reapplyBytes > 0) return true;
  const baseLsn = node.handles.log.state.partitions.get(number)?.baseLsn ?? 0;
  return (node.appliedLsns.get(number) ?? baseLsn) <= baseLsn;
}

/** Whether nothing that came of an ended partition, and is kept by this node, still waits for its rows. */
export function isSettled(
  node: StorageNode,
  number: number,
  targets: ReadonlyMap<number, unknown>,
  isAwaited: (partition: number) => boolean,
): boolean {
  const { state } = node.handles.log;
  return heirsOf(state, number, (heir) => targets.has(heir)).every((heir) => {
    const isDone =
      targets.has(heir) || node.mended.has(heir) || state.partitions.get(heir)?.isCopying === true;
    return isDone || !isAwaited(heir);
  });
}

function isTaken(entry: LogEntry, state: LogState, plan: Plan): boolean {
  if (!isOrdered(entry.kind) || !isValid(state, entry)) return false;
  const number = partitionNumber(entry.container, entry.physicalPartition);
  const limit = plan.limits.get(number);
  if (limit === undefined || entry.lsn > limit || entry.lsn <= (state.get(entry)?.baseLsn ?? 0)) return false;
  if (!plan.toMend.has(number) && entry.lsn <= (plan.behind.get(number) ?? entry.lsn)) return false;
  const heirs = plan.heirs.get(number);
  if (heirs === undefined || entry.kind !== entryKinds.rows) return heirs === undefined;
  // A transaction's rows are of one logical partition, so they have one owner.
  const key = decodeRows(entry)[0]?.key;
  return key !== undefined && heirs.some((heir) => key >= heir.from && key < heir.to);
}
