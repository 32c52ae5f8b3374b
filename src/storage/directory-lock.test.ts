import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { DirectoryLock } from './directory-lock.ts';

/** Runs a command as in a container of its own, as far as sockets without a file are concerned. */
const ownNetwork = ['unshare', '--net'];
const onlyOnLinux = platform() === 'linux' ? false : 'it is about /proc';
const noOwnNetwork =
  platform() === 'linux' && spawnSync('unshare', ['--net', 'true']).status === 0
    ? false
    : 'network namespaces are not permitted here';

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
  const held = readdirSync(directory);
  await assert.rejects(DirectoryLock.take([directory], 'the second'), isInUseBy('the first'));
  assert.deepEqual(readdirSync(directory), held);
  await lock.release();
  assert.deepEqual(readdirSync(directory), []);
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
  const child = new Holder(directory, 'the child');
  assert.equal(await child.said, 'locked');
  await assert.rejects(DirectoryLock.take([directory], 'we'), isInUseBy('the child'));
  await child.kill();
  const lock = await DirectoryLock.take([directory], 'we');
  assert.ok(readdirSync(directory).length <= 1, 'what the dead one left is gone');
  await lock.release();
});

test('a path too long for a socket is locked like any other', { skip: onlyOnLinux }, async () => {
  const long = join(directory, 'a'.repeat(120), 'b'.repeat(120));
  mkdirSync(long, { recursive: true });
  const child = new Holder(long, 'the child', noOwnNetwork === false ? ownNetwork : []);
  assert.equal(await child.said, 'locked');
  await assert.rejects(DirectoryLock.take([long], 'we'), isInUseBy('the child'));
  await child.kill();
  const lock = await DirectoryLock.take([long], 'we');
  await lock.release();
  assert.deepEqual(readdirSync(long), []);
});

test('a directory has one owner among containers that share it', { skip: noOwnNetwork }, async () => {
  const lock = await DirectoryLock.take([directory], 'the first');
  const refused = new Holder(directory, 'the second', ownNetwork);
  assert.equal(await refused.said, 'in use by the first');
  await lock.release();
  const next = new Holder(directory, 'the third', ownNetwork);
  assert.equal(await next.said, 'locked');
  await assert.rejects(DirectoryLock.take([directory], 'we'), isInUseBy('the third'));
  await Promise.all([refused.kill(), next.kill()]);
});

test('of several containers that start at once after a crash never two own the directory', {
  skip: noOwnNetwork,
}, async () => {
  for (let round = 0; round < 3; round++) {
    const holders = Array.from({ length: 4 }, (_, index) => new Holder(directory, `${index}`, ownNetwork));
    const said = await Promise.all(holders.map((holder) => holder.said));
    assert.equal(said.filter((text) => text === 'locked').length, 1, said.join(', '));
    assert.ok(
      said.every((text) => text === 'locked' || text.startsWith('in use by ')),
      said.join(', '),
    );
    // The file of the one that held it stays behind for the next round.
    await Promise.all(holders.map((holder) => holder.kill()));
  }
});

/** A process that takes the lock, or says who has it, and stays. */
class Holder {
  readonly said: Promise<string>;
  readonly #process: ChildProcess;

  constructor(where: string, name: string, runner: readonly string[] = []) {
    const module = new URL('./directory-lock.js', import.meta.url).href;
    const program = `
      const { DirectoryLock } = await import(${JSON.stringify(module)});
      const said = await DirectoryLock.take([${JSON.stringify(where)}], ${JSON.stringify(name)}).then(
        () => 'locked',
        (error) => 'in use by ' + error.details.owner,
      );
      process.stdout.write(said);
      setInterval(() => {}, 1000);`;
    const command = [...runner, process.execPath, '--input-type=module', '-e', program];
    const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    this.said = Promise.race([
      once(child.stdout, 'data').then(([text]) => String(text)),
      once(child, 'exit').then(([code]) => `nothing, and exited with ${code}`),
    ]);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    if (this.#process.exitCode === null && this.#process.signalCode === null)
      await once(this.#process, 'exit');
  }
}
