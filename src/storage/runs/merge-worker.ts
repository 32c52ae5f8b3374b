// The other end of merge-threads.ts. Merges run side by side: one that waits for a disk which hangs holds up nobody.

import { parentPort } from 'node:worker_threads';
import { systemScheduler } from '../../foundation/scheduler.ts';
import { FileDisk } from '../disk/file-disk.ts';
import { type MergeOutcome, type MergePart, mergeTogether } from './merge-runs.ts';
import type { MergeReply, MergeRequest, PlainOutcome } from './merge-threads.ts';

/** How often it is looked whether a part is still wanted. */
const lookMs = 50;

parentPort?.on('message', async ({ id, parts }: MergeRequest) => {
  const cancels = parts.map(() => new AbortController());
  let stopLooking = (): void => {};
  const look = (): void => {
    for (const [index, { cancelled }] of parts.entries())
      if (Atomics.load(cancelled, 0) !== 0) cancels[index]?.abort();
    stopLooking = systemScheduler.after(lookMs, look);
  };
  look();
  const disks: FileDisk[] = [];
  const opened: MergePart[] = [];
  for (const [part, { directory, job }] of parts.entries()) {
    const settle = (outcome: MergeOutcome): void =>
      parentPort?.postMessage({ id, part, outcome: plain(outcome) } satisfies MergeReply);
    try {
      const disk = await FileDisk.open(directory);
      disks.push(disk);
      opened.push({ disk, job, cancel: (cancels[part] as AbortController).signal, settle });
    } catch (error) {
      settle({ kind: 'failed', error });
    }
  }
  await mergeTogether(opened);
  stopLooking();
  await Promise.allSettled(disks.map((disk) => disk.close()));
});

function plain(outcome: MergeOutcome): PlainOutcome {
  if (outcome.kind !== 'failed') return outcome;
  const { message, code } = outcome.error as NodeJS.ErrnoException;
  return { kind: 'failed', message, code };
}
