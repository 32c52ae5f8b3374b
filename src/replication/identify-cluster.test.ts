import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestNode, testNodes } from '../../test/support/breakable-node.ts';
import { TestCluster } from '../../test/support/memory-cluster.ts';

/** The nodes of a cluster that was made, written to and stopped. */
async function stoppedNodes(count = 4, seed = 1): Promise<TestNode[]> {
  const nodes = testNodes(count);
  await TestCluster.use({ nodes, seed }, (cluster) => cluster.write('name', 'value'));
  return nodes;
}

async function refusal(
  nodes: readonly TestNode[],
): Promise<{ code: string; details: Record<string, unknown> }> {
  const opened = await TestCluster.open({ nodes }).catch((error) => error);
  if (!(opened instanceof TestCluster)) return opened;
  await opened.store.stop();
  throw new Error('the store was opened');
}

test('directories that are all empty become one new cluster, and are known again', async () => {
  const nodes = await stoppedNodes();
  await TestCluster.use({ nodes }, async (cluster) => assert.equal(await cluster.read('name'), 'value'));
});

test('a directory that has become empty is refused, since its disk may not be mounted', async () => {
  const [, ...others] = await stoppedNodes();
  const [empty] = testNodes(1);
  assert(empty !== undefined);
  const { code, details } = await refusal([empty, ...others]);
  assert.equal(code, 'data-directory-foreign');
  assert.equal(details['node'], 0);
  assert.match(String(details['advice']), /--rebuild-node 0/);
});

test('a directory that has become empty is filled from the others when the operator says so', async () => {
  const [, ...others] = await stoppedNodes();
  const nodes = [...testNodes(1), ...others];
  await TestCluster.use({ nodes, rebuild: [0] }, async (cluster) => {
    await cluster.store.whenQuiet();
    assert.deepEqual(cluster.statusOf('name').levelMembers.toSorted(), [0, 1, 2, 3]);
    assert.deepEqual(await cluster.storedOn(0, 'name'), await cluster.storedOn(1, 'name'));
    assert.equal(cluster.node(0).rebuilds, 1);
  });
});

test('a directory of another cluster is refused', async () => {
  const own = await stoppedNodes();
  const other = await stoppedNodes(4, 2);
  const { code, details } = await refusal([...own.slice(0, 2), ...other.slice(2, 3), ...own.slice(3)]);
  assert.deepEqual([code, details['node']], ['data-directory-foreign', 2]);
});

test('directories given in another order are refused: a node is who its superblock says', async () => {
  const nodes = await stoppedNodes();
  const [first, second] = nodes;
  assert(first !== undefined && second !== undefined);
  [first.files, second.files] = [second.files, first.files];
  assert.equal((await refusal(nodes)).code, 'data-directory-foreign');
});

test('more or fewer directories than the cluster has are refused', async () => {
  const nodes = await stoppedNodes(5);
  assert.equal((await refusal(nodes.slice(0, 4))).code, 'data-directory-foreign');
  const more = [...(await stoppedNodes(4)), ...testNodes(5).slice(4)];
  assert.equal((await refusal(more)).code, 'data-directory-foreign');
});

test('one damaged copy of a superblock does no harm; two are refused', async () => {
  const nodes = await stoppedNodes();
  const [node] = nodes;
  assert(node !== undefined);
  await node.files.replace('superblock-a', Buffer.from('torn'));
  await TestCluster.use({ nodes }, async (cluster) => assert.equal(await cluster.read('name'), 'value'));
  await node.files.replace('superblock-a', Buffer.from('torn'));
  await node.files.replace('superblock-b', Buffer.from('torn'));
  const { code, details } = await refusal(nodes);
  assert.deepEqual([code, details['node']], ['data-directory-foreign', 0]);
});

test('a superblock of a later format is refused, and left as it is', async () => {
  const nodes = await stoppedNodes();
  const [node] = nodes;
  assert(node !== undefined);
  await changeSuperblock(node, (line) => line.replace('"format":1', '"format":2'));
  const before = await node.files.read('superblock-a');
  assert.equal((await refusal(nodes)).code, 'unknown-format');
  assert.deepEqual(await node.files.read('superblock-a'), before);
});

test('a disk that fails or does not answer at the start is left out, and the others serve', async () => {
  for (const mood of ['failing', 'hung'] as const) {
    const nodes = await stoppedNodes();
    const [node] = nodes;
    assert(node !== undefined);
    node.mood = mood;
    await TestCluster.use({ nodes }, async (cluster) => {
      assert.equal(await cluster.read('name'), 'value');
      await cluster.write('name', 'new value');
      assert.deepEqual(cluster.statusOf('name').levelMembers.toSorted(), [1, 2, 3]);
      await cluster.bringBack(0);
      assert.deepEqual(await cluster.storedOn(0, 'name'), await cluster.storedOn(1, 'name'));
    });
  }
});

/** Rewrites both copies, checksum included. */
async function changeSuperblock(node: TestNode, change: (line: string) => string): Promise<void> {
  const { crc32 } = await import('node:zlib');
  for (const path of ['superblock-a', 'superblock-b']) {
    const [line = ''] = ((await node.files.read(path)) ?? Buffer.alloc(0)).toString().split('\n');
    const changed = `${change(line)}\n`;
    const checksum = crc32(changed).toString(16).padStart(8, '0');
    await node.files.replace(path, Buffer.from(`${changed}${checksum}\n`));
  }
}
