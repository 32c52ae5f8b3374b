import type { ByteString } from '../../src/foundation/byte-string.ts';
import { bytesOf } from '../../src/foundation/byte-string.ts';
import type { Disk } from '../../src/storage/disk.ts';
import { StoredRow } from '../../src/storage/log/stored-row.ts';
import { mergerOn, type RunMerger } from '../../src/storage/runs/merge-runs.ts';
import {
  defaultRunEngineOptions,
  RunEngine,
  type RunEngineOptions,
} from '../../src/storage/runs/run-engine.ts';
import type { RowIterator, StorageEngine } from '../../src/storage/storage-engine.ts';

/** So small that a few rows make several blocks, runs and merges. */
export const tinyOptions: RunEngineOptions = {
  ...defaultRunEngineOptions,
  fanIn: 3,
  blockBytes: 64,
  unsavedBytes: 200,
  smallBytes: 800,
  maxRuns: 12,
};

export const put = (rowKey: string, value: string): { key: Buffer; value: Buffer } => ({
  key: bytesOf(rowKey as ByteString),
  value: Buffer.from(value, 'latin1'),
});

/** Typed like a row that is put, so that batches of both are easily made. */
export const remove = (rowKey: string): { key: Buffer; value: Buffer } =>
  ({ key: bytesOf(rowKey as ByteString), value: undefined }) as unknown as { key: Buffer; value: Buffer };

/** Without a value: a removal. */
export function sortedRow(rowKey: string, value = ''): StoredRow {
  const chunk = Buffer.from(rowKey + value, 'latin1');
  return new StoredRow(rowKey as ByteString, chunk, rowKey.length, chunk.length);
}

/** Merges in this thread, after something else. */
export function mergerWith(disk: Disk, before: () => Promise<void>): RunMerger {
  return {
    merge: async (job, cancel) => {
      await before();
      return mergerOn(disk).merge(job, cancel);
    },
  };
}

export function openEngine(
  disk: Disk,
  merger: RunMerger = mergerOn(disk),
  options: RunEngineOptions = tinyOptions,
): Promise<RunEngine> {
  return RunEngine.open(disk, merger, options);
}

/** All rows in key order, as text, through an iterator that is closed afterwards. */
export async function contentOf(
  engine: StorageEngine,
  iterator: RowIterator = engine.iterate({ from: '' as ByteString, to: '\xff\xff\xff\xff' as ByteString }),
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  try {
    for (let page = await iterator.next(7, 300); page.length > 0; page = await iterator.next(7, 300))
      for (const { key, value } of page) found.set(key, value.toString('latin1'));
  } finally {
    await iterator.close();
  }
  return found;
}
