import { RingfoldError } from '../errors/ringfold-error.ts';
import type { Scheduler } from '../foundation/scheduler.ts';
import type { NodeId } from '../partitioning/replica-set.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import type { Superblock, SuperblockReading } from '../storage/superblock.ts';

/**
 * Who each node is. Directories that are all empty become a new cluster; otherwise every one must belong to the same one, and
 * one that is empty, missing or damaged is refused unless the operator allowed it to be rebuilt: it may be a disk that is not mounted.
 */
export async function identifyCluster(
  nodes: readonly StorageNode[],
  rebuild: readonly NodeId[],
  makeClusterId: () => string,
  nowMs: number,
  limits: { readonly scheduler: Scheduler; readonly hungNodeMs: number },
): Promise<{ superblocks: Map<StorageNode, Superblock>; isNew: boolean }> {
  const readings = await Promise.all(
    nodes.map(async (node) => ({ node, reading: await identify(node, limits) })),
  );
  const memberIds = nodes.map((node) => node.id as number).sort((left, right) => left - right);
  const isNew = readings.every(({ reading }) => reading.status === 'absent' || reading.status === 'empty');
  if (isNew) {
    const clusterId = makeClusterId();
    const found = new Map(
      nodes.map((node) => [node, { clusterId, nodeId: node.id, memberIds, createdAtMs: nowMs }] as const),
    );
    for (const [node, superblock] of found) await node.initialise(superblock);
    return { superblocks: found, isNew };
  }
  const sound = readings.flatMap(({ reading }) => (reading.status === 'ok' ? [reading.superblock] : []));
  const [first] = sound;
  if (first === undefined && readings.some(({ reading }) => reading.status === 'unreadable')) {
    throw new RingfoldError('no-readable-replica', { what: 'no superblock can be read' });
  }
  if (first === undefined)
    throw new RingfoldError('data-directory-foreign', { what: 'no node has a sound superblock' });
  const found = new Map<StorageNode, Superblock>();
  for (const { node, reading } of readings) {
    if (reading.status === 'unknown-format') {
      throw new RingfoldError('unknown-format', {
        what: 'superblock',
        node: node.id,
        format: reading.format,
      });
    }
    const own = {
      clusterId: first.clusterId,
      nodeId: node.id,
      memberIds: first.memberIds,
      createdAtMs: first.createdAtMs,
    };
    if (reading.status === 'unreadable') {
      found.set(node, own);
      continue;
    }
    if (reading.status !== 'ok') {
      if (!rebuild.includes(node.id)) throw foreign(node, `its directory is ${reading.status}`);
      found.set(node, own);
      continue;
    }
    const { superblock } = reading;
    if (superblock.clusterId !== first.clusterId)
      throw foreign(node, 'its directory belongs to another cluster');
    if (superblock.nodeId !== node.id)
      throw foreign(node, `its directory is that of node ${superblock.nodeId}`);
    if (superblock.memberIds.join() !== memberIds.join())
      throw foreign(node, `the cluster has nodes ${superblock.memberIds.join(', ')}`);
    found.set(node, superblock);
  }
  return { superblocks: found, isNew };
}

/** A disk that fails or does not answer is no reason to refuse the others: the node is down, and asked again later. */
async function identify(
  node: StorageNode,
  limits: { readonly scheduler: Scheduler; readonly hungNodeMs: number },
): Promise<SuperblockReading | { readonly status: 'unreadable' }> {
  const unreadable = { status: 'unreadable' } as const;
  return new Promise((resolve, reject) => {
    const cancel = limits.scheduler.after(limits.hungNodeMs, () => resolve(unreadable));
    node
      .identify()
      .then(resolve, (error) => (error instanceof RingfoldError ? reject(error) : resolve(unreadable)))
      .finally(cancel);
  });
}

function foreign(node: StorageNode, reason: string): RingfoldError {
  return new RingfoldError('data-directory-foreign', {
    node: node.id,
    reason,
    advice: `--rebuild-node ${node.id} makes it anew from the others`,
  });
}
