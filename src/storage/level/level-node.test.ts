import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { NodeId } from '../../partitioning/replica-set.ts';
import { checkRows, LevelNode } from './level-node.ts';

async function withNode(use: (node: LevelNode, directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ringfold-node-'));
  const node = new LevelNode(0 as NodeId, directory);
  try {
    await use(node, directory);
  } finally {
    await node.close();
    await rm(directory, { recursive: true });
  }
}

function soundRow(key: string): { key: Buffer; value: Buffer } {
  const value = Buffer.alloc(10 + 3, 'x');
  value.writeUInt32BE(crc32(value.subarray(0, 9), crc32(Buffer.from(key))), 9);
  return { key: Buffer.from(key), value };
}

test('rows are made when there are none, and found again afterwards', () =>
  withNode(async (node) => {
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

test('rows that lost the file naming their state are damaged, not new', () =>
  withNode(async (node, directory) => {
    const engine = await node.openEngine();
    await engine.write([soundRow('a')], true);
    await engine.close();
    await rm(join(directory, 'rows', 'CURRENT'));
    const before = await readdir(join(directory, 'rows'));
    await assert.rejects(
      node.openEngine(),
      (error) => error instanceof RingfoldError && error.code === 'corrupt-data',
    );
    assert.deepEqual(await readdir(join(directory, 'rows')), before);
  }));

test('a check counts the rows and those whose checksum is wrong', () =>
  withNode(async (node, directory) => {
    const engine = await node.openEngine();
    const rows = Array.from({ length: 2_500 }, (_, n) => soundRow(`key ${n}`));
    await engine.write(rows, true);
    await engine.write([{ key: Buffer.from('key 7'), value: Buffer.from('not what was written') }], true);
    await engine.close();
    assert.deepEqual(await checkRows(directory), { rows: 2_500, unsound: 1 });
  }));
