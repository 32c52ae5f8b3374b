// The first thing a store does with its nodes: opens those that can be opened, and says why when they are too few.

import { RingfoldError } from '../errors/ringfold-error.ts';
import type { Log } from '../foundation/log.ts';
import type { Scheduler } from '../foundation/scheduler.ts';
import type { NodeId } from '../partitioning/replica-set.ts';
import { describe, isCorruption, type StorageNode } from '../storage/storage-node.ts';
import type { Superblock } from '../storage/superblock.ts';

export interface Opening {
  readonly rebuild: readonly NodeId[];
  readonly superblockOf: (node: StorageNode) => Superblock;
  readonly scheduler: Scheduler;
  /** A disk that never answers must not keep the others from serving. */
  readonly limitMs: number;
  readonly log: Log;
}

/** One that cannot be opened is down afterwards. Throws what is nobody's damage, as a directory that is in use. */
export async function openNodes(nodes: readonly StorageNode[], opening: Opening): Promise<void> {
  await Promise.all(
    nodes.map(async (node) => {
      // A node that is to be rebuilt stays down until there is something to rebuild it from.
      if (opening.rebuild.includes(node.id)) {
        node.markBroken();
        return;
      }
      try {
        await openInTime(node, opening);
      } catch (error) {
        if (error instanceof RingfoldError && !isCorruption(error)) throw error;
        opening.log.warn('node cannot be opened', { node: node.id, reason: describe(error) });
        node.fail(error);
      }
    }),
  );
}

function openInTime(node: StorageNode, { superblockOf, scheduler, limitMs }: Opening): Promise<void> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const cancel = scheduler.after(limitMs, () => {
      isLate = true;
      reject(new Error('the node could not be opened in time'));
    });
    node
      .open(superblockOf(node))
      .then(() => {
        // It missed the recovery, so it must be opened anew and caught up like one that returns.
        if (isLate) {
          node.fail(new Error('the node opened too late'));
          return;
        }
        node.admit(0);
        resolve();
      }, reject)
      .finally(cancel);
  });
}

/** What is left may be out of date. */
export function tooFewNodes(nodes: readonly StorageNode[]): RingfoldError {
  const reasons = nodes.map((node) => ({
    node: node.id,
    reason: node.isUp ? 'up' : describe(node.downReason),
  }));
  // Going on with what is left would be the wrong way out of a full disk: what is there is whole.
  const isFull = nodes.some((node) => node.isFull);
  return new RingfoldError(isFull ? 'disk-full' : 'no-readable-replica', {
    what: 'partition maps',
    nodes: reasons,
    advice: isFull
      ? 'make room on the disk and start again'
      : 'bring more nodes back, or start with --force-recover to go on with what is left',
  });
}
