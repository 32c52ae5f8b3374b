import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { NodeId } from '../partitioning/replica-set.ts';
import { checkRows, DirectoryNode, type RowStoreKind } from './directory-node.ts';
import { MergeThreads } from './runs/merge-threads.ts';

async function withNode(
  kind: RowStoreKind,
  use: (node: DirectoryNode, directory: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ringfold-node-'));
  const mergeThreads = new MergeThreads();
  const node = new DirectoryNode(0 as NodeId, directory, kind, mergeThreads);
  try {
    await use(node, directory);
  } finally {
    await node.close();
    await mergeThreads.close();
    await rm(directory, { recursive: true });
  }
}

function soundRow(key: string): { key: Buffer; value: Buffer } {
  const value = Buffer.alloc(10 + 3, 'x');
  value.writeUInt32BE(crc32(value.subarray(0, 9), crc32(Buffer.from(key))), 9);
  return { key: Buffer.from(key), value };
}

for (const [kind, stateFile] of [
  ['runs', 'manifest'],
  ['leveldb', 'CURRENT'],
] as const) {
  test(`${kind}: rows are made when there are none, and found again afterwards`, () =>
    withNode(kind, async (node) => {
      const first = await node.openEngine();
      await first.write([soundRow('a')], true);
      await first.close();
      const second = await node.openEngine();
      assert.equal((await second.get('a' as never))?.length, 13);
      await second.close();
      await node.destroyEngine();
      const third = await node.openEngine();
      assert.equal(await third.get('a' as never), undefined);
      await third.close();
    }));

  test(`${kind}: rows that lost the file naming their state are damaged, not new`, () =>
    withNode(kind, async (node, directory) => {
      const engine = await node.openEngine();
      await engine.write([soundRow('a')], true);
      await engine.close();
      await rm(join(directory, 'rows', stateFile));
      const before = await readdir(join(directory, 'rows'));
      await assert.rejects(
        node.openEngine(),
        (error) => error instanceof RingfoldError && error.code === 'corrupt-data',
      );
      assert.deepEqual(await readdir(join(directory, 'rows')), before);
    }));

  test(`${kind}: a check counts the rows and those whose checksum is wrong`, () =>
    withNode(kind, async (node, directory) => {
      const engine = await node.openEngine();
      const rows = Array.from({ length: 2_500 }, (_, n) => soundRow(`key ${n}`));
      await engine.write(rows, true);
      await engine.write([{ key: Buffer.from('key 7'), value: Buffer.from('not what was written') }], true);
      await engine.close();
      assert.deepEqual(await checkRows(directory), { rows: 2_500, unsound: 1 });
    }));
}

test('rows that are there stay what they are, whatever new ones would be', () =>
  withNode('leveldb', async (node, directory) => {
    const engine = await node.openEngine();
    await engine.write([soundRow('a')], true);
    await engine.close();
    const mergeThreads = new MergeThreads();
    const other = new DirectoryNode(0 as NodeId, directory, 'runs', mergeThreads);
    const again = await other.openEngine();
    assert.equal((await again.get('a' as never))?.length, 13);
    await again.close();
    await other.destroyEngine();
    await (await other.openEngine()).close();
    assert.deepEqual(await readdir(join(directory, 'rows')), ['manifest']);
    await other.close();
    await mergeThreads.close();
  }));
