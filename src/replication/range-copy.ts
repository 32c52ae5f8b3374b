import { RingfoldError } from '../errors/ringfold-error.ts';
import { bytesOf } from '../foundation/byte-string.ts';
import { appliedLsnWrite } from '../storage/applied-lsns.ts';
import { isSound, UnsoundRowError } from '../storage/log/stored-row.ts';
import type { EngineWrite } from '../storage/storage-engine.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import type { Memtables } from './memtables.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';

/** Part of a millisecond of the event loop. */
const batchRows = 100;
const batchBytes = 64 * 1024;

/** The source's row store cannot be read. */
export class BadSourceError extends Error {}

/**
 * Fills the target's row store, whose range is clear, with the partition's rows as of one moment, and returns the LSN of that
 * moment; with `withoutLast` the one before the partition's last entry, which is known to have no rows. Rows travel in their stored form, checksum included, and each is checked on the way.
 */
export async function copyRange(
  partition: ReplicatedPartition,
  source: StorageNode,
  target: StorageNode,
  memtables: Memtables,
  withoutLast: boolean,
): Promise<number> {
  const { from, to } = partition;
  // The same moment: nothing can be committed or applied between these three.
  const isAtEnd = withoutLast && partition.commitLsn === partition.lastLsn;
  const lsn = partition.commitLsn - (isAtEnd ? 1 : 0);
  const overlay = new Map(
    memtables.collect(from, to, false, Number.POSITIVE_INFINITY).map((row) => [row.key, row]),
  );
  const iterator = source.handles.engine.iterate({ from, to });
  try {
    for (let rows = await nextRows(); rows.length > 0; rows = await nextRows()) {
      const batch: EngineWrite[] = [];
      for (const { key, value } of rows) {
        if (overlay.has(key)) continue;
        const keyBytes = bytesOf(key);
        if (!isSound(keyBytes, value)) throw new UnsoundRowError();
        batch.push({ key: keyBytes, value });
      }
      await target.writeRows(batch, false);
    }
  } finally {
    await iterator.close();
  }
  const newest = [...overlay.values()].filter((row) => !row.isRemoval);
  for (let at = 0; at < newest.length; at += batchRows) {
    const batch = newest.slice(at, at + batchRows).map((row) => ({ key: row.keyBytes, value: row.stored }));
    await target.writeRows(batch, false);
  }
  await target.writeRows([appliedLsnWrite(partition.number, lsn)], true);
  target.appliedLsns.set(partition.number, lsn);
  // The node's log does not have these rows, so it could not mend them.
  await target.flushRows();
  return lsn;

  async function nextRows() {
    try {
      return await iterator.next(batchRows, batchBytes);
    } catch (error) {
      throw new BadSourceError('the source cannot be read', {
        cause: new RingfoldError('corrupt-data', {}, error),
      });
    }
  }
}
