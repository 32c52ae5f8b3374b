// A disk that fills up, for real: a small one in memory, and a file that takes what is left of it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/foundation/clock.ts';
import { consoleLog } from '../../src/foundation/console-log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import { type Ringfold, startRingfold } from '../../src/ringfold.ts';
import { eventually } from '../support/start-ringfold.ts';
import { JournalInMemory } from './crash-journal.ts';
import { CrashLoad } from './crash-load.ts';
import { CrashModel } from './crash-model.ts';
import { crashSettings } from './crash-server.ts';

const diskMb = 64;
const mb = 2 ** 20;

interface Case {
  readonly name: string;
  readonly reserveFreeBytes: number;
  /** What the ballast leaves. */
  readonly leaveBytes: number;
}

const cases: readonly Case[] = [
  { name: 'below its reserve', reserveFreeBytes: 8 * mb, leaveBytes: 4 * mb },
  { name: 'to the last byte', reserveFreeBytes: 0, leaveBytes: 0 },
];

for (const { name, reserveFreeBytes, leaveBytes } of cases) {
  test(`a disk that is full ${name} refuses writes, keeps reads, loses nothing, and recovers when there is room`, async (context) => {
    const disk = mountSmallDisk(context);
    if (disk === undefined) return;
    const dataDir = join(disk, 'data');
    const ballast = new Ballast(join(disk, 'ballast'));
    const model = new CrashModel();

    const first = await Life.start(context, dataDir, reserveFreeBytes, 'first');
    first.run();
    await eventually('writes are served', () => first.count('committed') > 100);
    ballast.fill(leaveBytes);
    await eventually(
      'writes are refused because the disk is full',
      () => first.countRefused('disk-full') > 50,
    );
    const writtenUntilFull = first.count('committed');
    // Long enough for nodes that are down to be tried again many times.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await first.load.readAll();
    ballast.remove();
    await eventually('writes are served again', () => first.count('committed') > writtenUntilFull + 100);
    await first.checkAndStop(model);

    const second = await Life.start(context, dataDir, reserveFreeBytes, 'second');
    second.run();
    await eventually('writes are served after a restart', () => second.count('committed') > 20);
    ballast.fill(leaveBytes);
    await eventually('writes are refused again', () => second.countRefused('disk-full') > 20);
    // Nothing may hang for want of room.
    await second.stop(model);
    ballast.remove();

    const third = await Life.start(context, dataDir, reserveFreeBytes, 'third');
    third.run();
    await eventually('writes are served in the end', () => third.count('committed') > 20);
    await third.checkAndStop(model);
    assert.ok(model.counts.committed > 200, JSON.stringify(model.counts));
    context.diagnostic(JSON.stringify(model.counts));
  });
}

class Life {
  readonly load: CrashLoad;
  readonly #server: Ringfold;
  readonly #journal: JournalInMemory;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(server: Ringfold, load: CrashLoad, journal: JournalInMemory) {
    this.#server = server;
    this.load = load;
    this.#journal = journal;
  }

  static async start(
    context: TestContext,
    dataDir: string,
    reserveFreeBytes: number,
    name: string,
  ): Promise<Life> {
    const journal = new JournalInMemory();
    const log = consoleLog(systemClock, (line) => context.diagnostic(line));
    const server = await startRingfold({ dataDir, settings: { ...crashSettings, reserveFreeBytes }, log });
    context.after(() => server.stop());
    const load = await CrashLoad.begin(server.store, journal, new SeededRandom(5), name);
    await load.readAll();
    return new Life(server, load, journal);
  }

  run(): void {
    this.#running = this.load.run(8);
  }

  count(kind: 'committed' | 'unknown'): number {
    return this.#journal.records.filter((record) => record.kind === kind).length;
  }

  countRefused(code: string): number {
    return this.#journal.records.filter((record) => record.kind === 'refused' && record.code === code).length;
  }

  async checkAndStop(model: CrashModel): Promise<void> {
    this.load.end();
    await this.#running;
    await this.#server.store.whenQuiet();
    await this.load.scrub();
    await this.load.readAll();
    await this.stop(model);
  }

  async stop(model: CrashModel): Promise<void> {
    this.load.end();
    await this.#server.stop();
    await this.#running;
    model.replay(this.#journal.records);
  }
}

class Ballast {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  fill(leaveBytes: number): void {
    const file = openSync(this.#path, 'w');
    try {
      const block = Buffer.alloc(4096);
      while (freeBytes(this.#path) > leaveBytes) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  remove(): void {
    rmSync(this.#path);
  }
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

const mounted = new Set<string>();

/** Undefined, and the test skipped, where that is not permitted. */
function mountSmallDisk(context: TestContext): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'ringfold-full-disk-'));
  context.after(() => {
    // Lazily: a server that a failed test left running still has files open there.
    if (mounted.delete(directory)) execFileSync('umount', ['-l', directory]);
    rmSync(directory, { recursive: true });
  });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', directory], { stdio: 'pipe' });
  } catch (error) {
    context.skip(`mounting a small disk is not permitted here: ${String(error).split('\n')[0]}`);
    return undefined;
  }
  mounted.add(directory);
  return directory;
}
