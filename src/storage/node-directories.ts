import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { NodeId } from '../partitioning/replica-set.ts';
import { FileDisk } from './disk/file-disk.ts';
import { isLockSocket } from './lock-socket.ts';
import { readSuperblock, type Superblock, type SuperblockReading } from './superblock.ts';

/** A storage node and where it is. */
export interface NodeDirectory {
  readonly nodeId: NodeId;
  readonly directory: string;
}

/**
 * Which node each directory holds. Identity is in the superblock, never in the order of arguments, so disks may be mounted in
 * another order. Directories without any node make a new cluster, numbered in their order. Beside an existing one
 * every directory must hold its node, or be named in `rebuild`: an empty mount point is not an empty node.
 * Reads only; what is refused stays as it was.
 */
export async function identifyNodes(
  directories: readonly string[],
  rebuild: readonly number[],
): Promise<NodeDirectory[]> {
  const readings = await Promise.all(
    directories.map(async (directory) => ({ directory, reading: await readIdentity(directory) })),
  );
  const known: { directory: string; superblock: Superblock }[] = [];
  const unknown: { directory: string; status: 'absent' | 'empty' | 'damaged' }[] = [];
  for (const { directory, reading } of readings) {
    if (reading.status === 'unknown-format') {
      throw new RingfoldError('unknown-format', { directory, format: reading.format });
    }
    if (reading.status === 'ok') known.push({ directory, superblock: reading.superblock });
    else unknown.push({ directory, status: reading.status });
  }
  const [first] = known;
  if (first === undefined) {
    const damaged = unknown.find(({ status }) => status === 'damaged');
    if (damaged !== undefined) throw foreign(damaged.directory, 'it holds files but no storage node');
    return directories.map((directory, nodeId) => ({ nodeId: nodeId as NodeId, directory }));
  }

  const { clusterId, memberIds } = first.superblock;
  if (memberIds.length !== directories.length) {
    const reason = `its cluster has ${memberIds.length} storage nodes, but ${directories.length} directories are given`;
    throw foreign(first.directory, reason);
  }
  const byNode = new Map<number, string>();
  for (const { directory, superblock } of known) {
    if (superblock.clusterId !== clusterId) throw foreign(directory, 'it belongs to another cluster');
    const twin = byNode.get(superblock.nodeId);
    if (twin !== undefined)
      throw foreign(directory, `it is storage node ${superblock.nodeId}, and so is ${twin}`);
    byNode.set(superblock.nodeId, directory);
  }
  // Lost directories take the numbers that nobody else has.
  const free = memberIds.filter((nodeId) => !byNode.has(nodeId));
  for (const [index, { directory, status }] of unknown.entries()) {
    const nodeId = free[index] ?? -1;
    if (!rebuild.includes(nodeId)) {
      const what = { absent: 'is missing', empty: 'is empty', damaged: 'holds no valid superblock' }[status];
      const reason = `storage node ${nodeId} ${what}: mount it, or start with --rebuild-node ${nodeId} to make it anew from the others`;
      throw foreign(directory, reason);
    }
    byNode.set(nodeId, directory);
  }
  return [...byNode]
    .sort(([a], [b]) => a - b)
    .map(([nodeId, directory]) => ({ nodeId: nodeId as NodeId, directory }));
}

/**
 * The directories of the nodes that live inside a data directory: as many as its cluster has, or as the first
 * start asks for.
 */
export async function nodeDirectoriesIn(dataDir: string, nodesWhenNew: number): Promise<string[]> {
  let nodes = nodesWhenNew;
  for (const name of (await namesIn(dataDir)).filter((one) => /^node-\d+$/.test(one))) {
    const reading = await readIdentity(join(dataDir, name));
    if (reading.status === 'ok') nodes = reading.superblock.memberIds.length;
  }
  return Array.from({ length: nodes }, (_, nodeId) => join(dataDir, `node-${nodeId}`));
}

/**
 * A first start that was killed may have made some of the nodes and not the others. As long as none has a log nothing
 * was ever stored, so what there is of superblocks is removed and the start can be made again.
 */
export async function clearUnfinishedNodes(directories: readonly string[]): Promise<void> {
  const contents = await Promise.all(directories.map((directory) => namesIn(directory)));
  const isUnfinished = contents.flat().every((name) => /^superblock-[ab](\.new)?$/.test(name));
  const isComplete = contents.every(
    (names) => names.includes('superblock-a') && names.includes('superblock-b'),
  );
  if (!isUnfinished || isComplete) return;
  for (const [at, directory] of directories.entries()) {
    for (const name of contents[at] ?? []) await rm(join(directory, name));
  }
}

async function readIdentity(directory: string): Promise<SuperblockReading> {
  const isThere = await stat(directory).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  if (!isThere) return { status: 'absent' };
  const disk = await FileDisk.open(directory);
  try {
    return await readSuperblock(disk);
  } finally {
    await disk.close();
  }
}

/** Nothing is in a directory that is not there. A lock that is held is no part of it. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => !isLockSocket(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function foreign(directory: string, reason: string): RingfoldError {
  return new RingfoldError('data-directory-foreign', { directory, reason });
}
