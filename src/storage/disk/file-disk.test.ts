import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FileDisk } from './file-disk.ts';

async function withDisk(use: (disk: FileDisk, directory: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'ringfold-disk-'));
  const directory = join(parent, 'node-1');
  const disk = await FileDisk.create(directory);
  try {
    await use(disk, directory);
  } finally {
    await disk.close();
    await rm(parent, { recursive: true });
  }
}

test('a file is replaced whole and read back; what is not there is undefined', () =>
  withDisk(async (disk) => {
    assert.equal(await disk.read('superblock'), undefined);
    await disk.replace('superblock', Buffer.from('one'));
    await disk.replace('superblock', Buffer.from('two'));
    assert.equal((await disk.read('superblock'))?.toString(), 'two');
    await disk.remove('superblock');
    assert.equal(await disk.read('superblock'), undefined);
  }));

test('of a file so much is read as was asked for, and its length is told', () =>
  withDisk(async (disk) => {
    assert.equal(await disk.read('log/1', 3), undefined);
    assert.equal(await disk.sizeOf('log/1'), undefined);
    await disk.replace('log/1', Buffer.from('abcdef'));
    assert.equal((await disk.read('log/1', 3))?.toString(), 'abc');
    assert.equal((await disk.read('log/1', 100))?.toString(), 'abcdef');
    assert.equal(await disk.sizeOf('log/1'), 6);
  }));

test('a list has the files of one folder in order, without folders and unfinished replacements', () =>
  withDisk(async (disk, directory) => {
    assert.equal(await disk.list('log'), undefined);
    assert.deepEqual(await disk.list(''), []);
    await disk.replace('log/b', Buffer.from('x'));
    await disk.replace('log/a', Buffer.from('x'));
    await writeFile(join(directory, 'log', 'c.new'), 'torn');
    await mkdir(join(directory, 'log', 'folder'));
    assert.deepEqual(await disk.list('log'), ['a', 'b']);
    assert.deepEqual(await disk.list(''), []);
  }));

test('an append file holds its parts in order and reads them back', () =>
  withDisk(async (disk, directory) => {
    const file = await disk.createAppendFile('log/1');
    await file.append([Buffer.from('ab'), Buffer.from('cd')]);
    await file.append([Buffer.from('ef')]);
    await file.append([]);
    await file.sync();
    assert.equal(file.sizeBytes, 6);
    assert.equal((await file.readAt(1, 4)).toString(), 'bcde');
    assert.equal(await readFile(join(directory, 'log', '1'), 'utf8'), 'abcdef');
    await file.close();
  }));

test('a log file holds what was appended once it is synced, and nothing of it before', () =>
  withDisk(async (disk, directory) => {
    const file = await disk.createAppendFile('log/1', true);
    await file.append([Buffer.from('ab'), Buffer.from('cd')]);
    await file.append([Buffer.from('ef')]);
    assert.equal(file.sizeBytes, 0);
    await file.sync();
    assert.equal(file.sizeBytes, 6);
    await file.sync();
    assert.equal(await readFile(join(directory, 'log', '1'), 'utf8'), 'abcdef');
    assert.equal((await file.readAt(1, 4)).toString(), 'bcde');
    await assert.rejects(disk.createAppendFile('log/1', true), { code: 'EEXIST' });
    await assert.rejects(file.readAt(1, 6), { code: 'corrupt-data' });
    await file.append([Buffer.from('x')]);
    await assert.rejects(file.sync(), /failed earlier/);
    await file.close();
    assert.equal(await readFile(join(directory, 'log', '1'), 'utf8'), 'abcdef');
  }));

test('a log file asks the system to have each write on the disk before it is answered', () =>
  withDisk(async (disk, directory) => {
    for (const isLog of [true, false]) {
      const file = await disk.createAppendFile(`log/${isLog}`, isLog);
      const flags = openFlagsOf(join(directory, 'log', String(isLog)));
      if (flags !== undefined) assert.equal((flags & constants.O_DSYNC) !== 0, isLog);
      await file.close();
    }
  }));

test('an append of more parts than the system takes at once, or a call has arguments, is whole', () =>
  withDisk(async (disk) => {
    const all = Buffer.from(Array.from({ length: 200_000 }, (_, n) => n % 251));
    for (const [isLog, count] of [
      [false, 5_000],
      [true, 1_024],
      [true, 200_000],
    ] as const) {
      const file = await disk.createAppendFile(`log/${isLog} ${count}`, isLog);
      await file.append(Array.from({ length: count }, (_, n) => all.subarray(n, n + 1)));
      await file.sync();
      assert.equal(file.sizeBytes, count);
      assert.deepEqual(await file.readAt(0, count), all.subarray(0, count));
      await file.close();
    }
  }));

test('an append file is not made over another', () =>
  withDisk(async (disk) => {
    await (await disk.createAppendFile('log/1')).close();
    await assert.rejects(disk.createAppendFile('log/1'), { code: 'EEXIST' });
  }));

test('after a short read every later call on the file is refused', () =>
  withDisk(async (disk) => {
    const file = await disk.createAppendFile('log/1');
    await file.append([Buffer.from('abc')]);
    await assert.rejects(file.readAt(1, 3), { code: 'corrupt-data' });
    await assert.rejects(file.append([Buffer.from('x')]), /failed earlier/);
    await assert.rejects(file.sync(), /failed earlier/);
    await assert.rejects(file.readAt(0, 1), /failed earlier/);
    assert.equal(file.sizeBytes, 3);
    await file.close();
  }));

test('a closed file refuses calls, and closing waits for those under way', () =>
  withDisk(async (disk) => {
    const file = await disk.createAppendFile('log/1');
    let isDone = false;
    const appending = file.append([Buffer.alloc(2 ** 20)]).then(() => {
      isDone = true;
    });
    await file.close();
    assert.ok(isDone);
    await appending;
    await assert.rejects(file.append([Buffer.from('x')]), /closed/);
    await file.close();
  }));

test('a file that was written is intact up to its length and not beyond', () =>
  withDisk(async (disk) => {
    const file = await disk.createAppendFile('log/1');
    await file.append([Buffer.alloc(100)]);
    assert.equal(await disk.isIntact('log/1', 100), true);
    assert.equal(await disk.isIntact('log/1', 101), false);
    assert.equal(await disk.isIntact('log/2', 0), false);
    await file.close();
  }));

test('a file truncated under the disk is not intact', () =>
  withDisk(async (disk, directory) => {
    const file = await disk.createAppendFile('log/1');
    await file.append([Buffer.alloc(100)]);
    await truncate(join(directory, 'log', '1'), 99);
    assert.equal(await disk.isIntact('log/1', file.sizeBytes), false);
    await file.close();
  }));

test('a file deleted under the disk is not intact, nor is another in its place', () =>
  withDisk(async (disk, directory) => {
    const file = await disk.createAppendFile('log/1');
    await file.append([Buffer.alloc(100)]);
    await rm(join(directory, 'log', '1'));
    assert.equal(await disk.isIntact('log/1', file.sizeBytes), false);
    await writeFile(join(directory, 'log', '1'), Buffer.alloc(100));
    assert.equal(await disk.isIntact('log/1', file.sizeBytes), false);
    await file.close();
  }));

test('a directory that was replaced, or is gone, is not intact, and is not made again', () =>
  withDisk(async (disk, directory) => {
    await disk.replace('superblock', Buffer.from('x'));
    assert.equal(await disk.isIntact('superblock', 1), true);
    await rename(directory, `${directory}-away`);
    assert.equal(await disk.isIntact('superblock', 1), false);
    await assert.rejects(disk.createAppendFile('log/1'), { code: 'ENOENT' });
    await assert.rejects(disk.replace('superblock', Buffer.from('y')), { code: 'ENOENT' });
    assert.equal(await disk.list(''), undefined);
    await mkdir(directory);
    await writeFile(join(directory, 'superblock'), 'x');
    assert.equal(await disk.isIntact('superblock', 1), false);
  }));

test('opening a directory that is not there is refused', async () => {
  await assert.rejects(FileDisk.open(join(tmpdir(), 'ringfold-no-such-directory')), { code: 'ENOENT' });
});

test('free bytes are those of the file system', () =>
  withDisk(async (disk) => {
    assert.ok((await disk.freeBytes()) > 0);
  }));

test('on a full disk the append fails, the file is dead, and there is room again after a removal', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'ringfold-full-'));
  if (!mountSmallDisk(directory, context)) return rm(directory, { recursive: true });
  const disk = await FileDisk.open(directory);
  try {
    const quarter = Buffer.alloc(256 * 1024);
    for (const isLog of [false, true]) {
      const file = await disk.createAppendFile('log/1', isLog);
      const write = (parts: Buffer[]) => file.append(parts).then(() => file.sync());
      for (let n = 0; n < 3; n++) await write([quarter]);
      await assert.rejects(write([quarter, quarter]), /ENOSPC|short write/);
      await assert.rejects(write([Buffer.from('x')]), /failed earlier/);
      assert.equal(file.sizeBytes, 3 * quarter.length);
      await file.close();
      await disk.remove('log/1');
      assert.ok((await disk.freeBytes()) > 512 * 1024);
    }
    await disk.replace('superblock', quarter);
  } finally {
    await disk.close();
    execFileSync('umount', [directory]);
    await rm(directory, { recursive: true });
  }
});

/** Undefined where the system does not tell. */
function openFlagsOf(path: string): number | undefined {
  if (!existsSync('/proc/self/fdinfo')) return undefined;
  for (const descriptor of readdirSync('/proc/self/fd')) {
    // The descriptor that the list itself was read through is closed by now.
    if (!existsSync(`/proc/self/fd/${descriptor}`) || readlinkSync(`/proc/self/fd/${descriptor}`) !== path)
      continue;
    const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return flags === undefined ? undefined : Number.parseInt(flags, 8);
  }
  return undefined;
}

function mountSmallDisk(directory: string, context: TestContext): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'pipe' });
    return true;
  } catch (error) {
    context.skip(`mounting a small disk is not permitted here: ${String(error).split('\n')[0]}`);
    return false;
  }
}
