import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryDisk } from './memory-disk.ts';

test('a file is replaced whole and read back; what is not there is undefined', async () => {
  const disk = new MemoryDisk();
  assert.equal(await disk.read('superblock'), undefined);
  await disk.replace('superblock', Buffer.from('one'));
  await disk.replace('superblock', Buffer.from('two'));
  assert.equal((await disk.read('superblock'))?.toString(), 'two');
  await disk.remove('superblock');
  assert.equal(await disk.read('superblock'), undefined);
});

test('a list has the files of one folder in order', async () => {
  const disk = new MemoryDisk();
  assert.deepEqual(await disk.list(''), []);
  assert.equal(await disk.list('log'), undefined);
  await disk.replace('log/b', Buffer.from('x'));
  await disk.replace('log/a', Buffer.from('x'));
  await disk.replace('superblock', Buffer.from('x'));
  assert.deepEqual(await disk.list('log'), ['a', 'b']);
  assert.deepEqual(await disk.list(''), ['superblock']);
});

test('an append file holds its parts in order, keeps copies of them, and is found again by its path', async () => {
  const disk = new MemoryDisk();
  const file = await disk.createAppendFile('log/1');
  const reused = Buffer.from('ab');
  await file.append([reused, Buffer.from('cd')]);
  reused.fill(0);
  await file.append([Buffer.alloc(10_000, 'e')]);
  assert.equal(file.sizeBytes, 10_004);
  assert.equal((await file.readAt(1, 4)).toString(), 'bcde');
  await assert.rejects(file.readAt(10_000, 5), { code: 'corrupt-data' });
  await file.close();
  assert.equal((await disk.read('log/1'))?.length, 10_004);
  assert.equal(await disk.isIntact('log/1', 10_004), true);
  assert.equal(await disk.isIntact('log/1', 10_005), false);
  assert.equal(await disk.isIntact('log/2', 0), false);
});
