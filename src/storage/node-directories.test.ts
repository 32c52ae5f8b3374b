import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { FileDisk } from './disk/file-disk.ts';
import { clearUnfinishedNodes, identifyNodes, nodeDirectoriesIn } from './node-directories.ts';
import { writeSuperblock } from './superblock.ts';

const clusterId = '00112233445566778899aabbccddeeff';

async function inTemporaryDirectory(use: (dataDir: string, nodes: string[]) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ringfold-nodes-'));
  try {
    await use(dataDir, await nodeDirectoriesIn(dataDir, 4));
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

async function makeNode(
  directory: string,
  nodeId: number,
  memberIds = [0, 1, 2, 3],
  cluster = clusterId,
): Promise<void> {
  const disk = await FileDisk.create(directory);
  await writeSuperblock(disk, { clusterId: cluster, nodeId, memberIds, createdAtMs: 0 });
  await disk.close();
}

async function refusal(directories: readonly string[], rebuild: readonly number[] = []): Promise<string> {
  try {
    await identifyNodes(directories, rebuild);
  } catch (error) {
    assert.ok(error instanceof RingfoldError);
    return `${error.code}: ${error.details['directory']} ${error.details['reason']}`;
  }
  return assert.fail('the directories were accepted');
}

test('directories that are missing or empty, all of them, make a new cluster and are not touched yet', () =>
  inTemporaryDirectory(async (dataDir, nodes) => {
    await mkdir(nodes[1] ?? '');
    const identified = await identifyNodes(nodes, []);
    assert.deepEqual(
      identified.map(({ nodeId }) => nodeId),
      [0, 1, 2, 3],
    );
    assert.deepEqual(await readdir(dataDir), ['node-1']);
  }));

test('a node is known by its superblock, not by the place of its directory', () =>
  inTemporaryDirectory(async (_dataDir, nodes) => {
    for (const [at, directory] of nodes.entries()) await makeNode(directory, 3 - at);
    assert.deepEqual(
      await identifyNodes(nodes, []),
      nodes.toReversed().map((directory, nodeId) => ({ nodeId, directory })),
    );
  }));

test('beside existing nodes a missing, empty or damaged one is refused unless it is to be rebuilt', () =>
  inTemporaryDirectory(async (_dataDir, nodes) => {
    for (const [nodeId, directory] of nodes.entries()) if (nodeId !== 2) await makeNode(directory, nodeId);
    const lost = nodes[2] ?? '';
    assert.match(
      await refusal(nodes),
      /^data-directory-foreign: .*node-2 storage node 2 is missing.*--rebuild-node 2/,
    );
    await mkdir(lost);
    assert.match(await refusal(nodes), /node-2 storage node 2 is empty/);
    await writeFile(join(lost, 'superblock-a'), 'nonsense');
    assert.match(await refusal(nodes), /node-2 storage node 2 holds no valid superblock/);
    assert.match(await refusal(nodes, [1]), /storage node 2/);
    assert.deepEqual(
      (await identifyNodes(nodes, [2])).map(({ directory }) => directory),
      nodes,
    );
  }));

test("another cluster's node, a node that is there twice, and a wrong number of nodes are refused", () =>
  inTemporaryDirectory(async (_dataDir, nodes) => {
    for (const [nodeId, directory] of nodes.entries()) await makeNode(directory, nodeId);
    await rm(nodes[3] ?? '', { recursive: true });
    await makeNode(nodes[3] ?? '', 3, [0, 1, 2, 3], 'ff'.repeat(16));
    assert.match(await refusal(nodes), /node-3 it belongs to another cluster/);
    await rm(nodes[3] ?? '', { recursive: true });
    await makeNode(nodes[3] ?? '', 2);
    assert.match(await refusal(nodes), /node-3 it is storage node 2, and so is/);
    assert.match(await refusal(nodes.slice(0, 3)), /cluster has 4 storage nodes, but 3 directories/);
  }));

test('a first start that was killed half-way can be made again, a cluster that has stored anything is left alone', () =>
  inTemporaryDirectory(async (_dataDir, nodes) => {
    const [first = '', second = ''] = nodes;
    await makeNode(first, 0);
    await mkdir(second);
    await writeFile(join(second, 'superblock-a.new'), 'torn');
    await clearUnfinishedNodes(nodes);
    assert.deepEqual([await readdir(first), await readdir(second)], [[], []]);
    await makeNode(first, 0);
    await mkdir(join(first, 'log'));
    await clearUnfinishedNodes(nodes);
    assert.deepEqual(await readdir(first), ['log', 'superblock-a', 'superblock-b']);
    assert.match(await refusal(nodes), /storage node 1 is empty/);
  }));

test('a cluster that was made and has stored nothing yet is whole', () =>
  inTemporaryDirectory(async (_dataDir, nodes) => {
    for (const [nodeId, directory] of nodes.entries()) await makeNode(directory, nodeId);
    await clearUnfinishedNodes(nodes);
    assert.equal((await identifyNodes(nodes, [])).length, 4);
    assert.equal((await readdir(nodes[0] ?? '')).length, 2);
  }));

test('files that are not ours are left alone', () =>
  inTemporaryDirectory(async (_dataDir, nodes) => {
    await mkdir(nodes[0] ?? '');
    await writeFile(join(nodes[0] ?? '', 'photos.zip'), 'x');
    assert.match(await refusal(nodes), /node-0 it holds files but no storage node/);
  }));

test('a data directory knows how many nodes it has', () =>
  inTemporaryDirectory(async (dataDir) => {
    await makeNode(join(dataDir, 'node-4'), 4, [0, 1, 2, 3, 4, 5]);
    assert.equal((await nodeDirectoriesIn(dataDir, 4)).length, 6);
    assert.equal((await nodeDirectoriesIn(join(dataDir, 'nowhere'), 5)).length, 5);
  }));
