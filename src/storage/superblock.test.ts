import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { FileDisk } from './disk/file-disk.ts';
import type { Disk } from './disk.ts';
import { readSuperblock, type Superblock, writeSuperblock } from './superblock.ts';

const first: Superblock = {
  clusterId: '00112233445566778899aabbccddeeff',
  nodeId: 2,
  memberIds: [1, 2, 3, 4],
  createdAtMs: 1_763_000_000_000,
};
const second: Superblock = { ...first, memberIds: [1, 2, 3, 4, 5] };

async function withDisk(use: (disk: Disk, directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ringfold-superblock-'));
  const disk = await FileDisk.open(directory);
  try {
    await use(disk, directory);
  } finally {
    await disk.close();
    await rm(directory, { recursive: true, force: true });
  }
}

test('a superblock is read as the last one written', () =>
  withDisk(async (disk) => {
    for (const superblock of [first, second, first]) {
      await writeSuperblock(disk, superblock);
      assert.deepEqual(await readSuperblock(disk), { status: 'ok', superblock, isWhole: true });
    }
  }));

test('a directory that is gone is absent, one with nothing of ours is empty', () =>
  withDisk(async (disk, directory) => {
    assert.deepEqual(await readSuperblock(disk), { status: 'empty' });
    await rm(directory, { recursive: true });
    assert.deepEqual(await readSuperblock(disk), { status: 'absent' });
  }));

test('a log without a superblock is damage, not emptiness', () =>
  withDisk(async (disk) => {
    await disk.replace('log/1', Buffer.from('x'));
    assert.deepEqual(await readSuperblock(disk), { status: 'damaged' });
  }));

test('either copy alone is enough, whichever byte of the other is flipped', () =>
  withDisk(async (disk, directory) => {
    await writeSuperblock(disk, first);
    for (const name of ['superblock-a', 'superblock-b']) {
      const path = join(directory, name);
      const content = await readFile(path);
      for (let at = 0; at < content.length; at++) {
        const flipped = Buffer.from(content);
        flipped[at] = (flipped[at] ?? 0) ^ 0x10;
        await writeFile(path, flipped);
        assert.deepEqual(await readSuperblock(disk), { status: 'ok', superblock: first, isWhole: false });
      }
      await writeFile(path, content);
    }
  }));

test('either copy alone is enough when the other is truncated, empty or gone', () =>
  withDisk(async (disk, directory) => {
    await writeSuperblock(disk, first);
    const { length } = await readFile(join(directory, 'superblock-a'));
    for (const size of [length - 1, length - 9, 10, 0]) {
      await truncate(join(directory, 'superblock-a'), size);
      assert.deepEqual(await readSuperblock(disk), { status: 'ok', superblock: first, isWhole: false });
    }
    await disk.remove('superblock-a');
    assert.deepEqual(await readSuperblock(disk), { status: 'ok', superblock: first, isWhole: false });
    await writeSuperblock(disk, second);
    assert.deepEqual(await readSuperblock(disk), { status: 'ok', superblock: second, isWhole: true });
  }));

test('with both copies bad the superblock is damaged', () =>
  withDisk(async (disk, directory) => {
    await writeSuperblock(disk, first);
    await truncate(join(directory, 'superblock-a'), 5);
    await truncate(join(directory, 'superblock-b'), 0);
    assert.deepEqual(await readSuperblock(disk), { status: 'damaged' });
  }));

test('a write that stops after its first copy has happened, and leaves a valid copy wherever it stops', async () => {
  for (const writesBefore of [0, 1, 2]) {
    for (const replacesDone of [0, 1, 2]) {
      await withDisk(async (disk) => {
        await writeSuperblock(disk, first);
        for (let n = 0; n < writesBefore; n++) await writeSuperblock(disk, first);
        await writeSuperblock(stoppingAfter(disk, replacesDone), second).catch(() => {});
        const superblock = replacesDone === 0 ? first : second;
        assert.deepEqual(await readSuperblock(disk), {
          status: 'ok',
          superblock,
          isWhole: replacesDone !== 1,
        });
      });
    }
  }
});

test('a format this version does not know is told, and not written over', () =>
  withDisk(async (disk) => {
    await writeSuperblock(disk, first);
    const line = `${JSON.stringify({ format: 7, sequence: 9, shape: 'of tomorrow' })}\n`;
    await disk.replace('superblock-b', Buffer.from(`${line}${crc32(line).toString(16).padStart(8, '0')}\n`));
    assert.deepEqual(await readSuperblock(disk), { status: 'unknown-format', format: 7 });
    await assert.rejects(writeSuperblock(disk, second), /left alone/);
  }));

function stoppingAfter(disk: Disk, replaces: number): Disk {
  let left = replaces;
  return {
    list: (folder) => disk.list(folder),
    read: (path) => disk.read(path),
    sizeOf: (path) => disk.sizeOf(path),
    replace: async (path, content) => {
      if (left-- === 0) throw new Error('power cut');
      await disk.replace(path, content);
    },
    createAppendFile: (path) => disk.createAppendFile(path),
    openReadFile: (path) => disk.openReadFile(path),
    close: () => disk.close(),
    remove: (path) => disk.remove(path),
    freeBytes: () => disk.freeBytes(),
    isIntact: (path, minimumBytes) => disk.isIntact(path, minimumBytes),
  };
}
