import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { DirectoryLock } from './directory-lock.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ringfold-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function isInUseBy(owner: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof RingfoldError &&
    error.code === 'data-directory-in-use' &&
    error.details['owner'] === owner;
}

test('a directory has one owner at a time, who is named to the next, and leaves no file', async () => {
  const lock = await DirectoryLock.take([directory], 'the first');
  await assert.rejects(DirectoryLock.take([directory], 'the second'), isInUseBy('the first'));
  assert.deepEqual(readdirSync(directory), []);
  await lock.release();
  const next = await DirectoryLock.take([directory], 'the third');
  await next.release();
});

test('another way to write the path is the same directory', async () => {
  const link = `${directory}-link`;
  symlinkSync(directory, link);
  const lock = await DirectoryLock.take([directory], 'the first');
  await assert.rejects(DirectoryLock.take([link], 'the second'), isInUseBy('the first'));
  await lock.release();
  rmSync(link);
});

test('when one of several directories is taken none is', async () => {
  const other = mkdtempSync(join(tmpdir(), 'ringfold-lock-'));
  const lock = await DirectoryLock.take([other], 'the first');
  await assert.rejects(DirectoryLock.take([directory, other], 'the second'), isInUseBy('the first'));
  const free = await DirectoryLock.take([directory], 'the third');
  await free.release();
  await lock.release();
  rmSync(other, { recursive: true });
});

test('the lock of a process that was killed is free at once', async () => {
  const module = new URL('./directory-lock.js', import.meta.url).href;
  const program = `
    const { DirectoryLock } = await import(${JSON.stringify(module)});
    await DirectoryLock.take([${JSON.stringify(directory)}], 'the child');
    process.stdout.write('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await assert.rejects(DirectoryLock.take([directory], 'we'), isInUseBy('the child'));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await DirectoryLock.take([directory], 'we');
  await lock.release();
});
