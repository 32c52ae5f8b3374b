import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { integerBetween, SeededRandom } from '../../src/foundation/random.ts';
import { isLockSocket } from '../../src/storage/lock-socket.ts';
import { CrashChild } from './crash-child.ts';
import { type JournalRecord, readJournal } from './crash-journal.ts';
import { CrashModel } from './crash-model.ts';
import type { CrashServerTask } from './crash-server.ts';

/** A directory that a failing run is copied to: the data directory and the journals of all lives. */
const keepIn = process.env['RINGFOLD_CRASH_KEEP'];

const usual: Omit<CrashServerTask, 'name' | 'seed' | 'journal' | 'dataDir'> = {
  nodes: 5,
  clients: 24,
  changesMap: true,
  work: 'run',
  settings: {},
};

/** A server that was killed leaves the socket of its lock, which cannot be copied. */
export function isCopied(path: string): boolean {
  return !isLockSocket(basename(path));
}

/** Life after life on one data directory, each held against all that went before. */
export class CrashRun {
  readonly dataDir: string;
  readonly random: SeededRandom;
  readonly model: CrashModel = new CrashModel();
  readonly #directory: string;
  readonly #seed: number;
  readonly #own: Partial<CrashServerTask>;
  #round = 0;

  /** `own` is for every life. */
  constructor(directory: string, seed: number, own: Partial<CrashServerTask> = {}) {
    this.#directory = directory;
    this.#seed = seed;
    this.#own = own;
    this.dataDir = join(directory, 'data');
    this.random = new SeededRandom(seed);
  }

  /** A life that is killed at a random moment, often while it is still recovering; what it had said. */
  async killedLife(longestMs: number, own: Partial<CrashServerTask> = {}): Promise<readonly JournalRecord[]> {
    const isEarly = this.random.next() < 0.25;
    const lifeMs = integerBetween(this.random, 0, isEarly ? 150 : longestMs);
    const changesMap = this.random.next() < 0.7;
    return this.#live({ changesMap, ...own }, async (child) => {
      await child.says(isEarly ? 'opening' : 'running');
      await new Promise((resolve) => setTimeout(resolve, lifeMs));
      await child.kill();
    });
  }

  /** A life that waits until everything is level, finds no difference, and stops in order. */
  async wholeLife(own: Partial<CrashServerTask> = {}): Promise<void> {
    await this.#live({ work: 'check-and-stop', ...own }, async (child) => {
      await child.says('done');
      await child.ended();
    });
  }

  async #live(
    own: Partial<CrashServerTask>,
    untilItsEnd: (child: CrashChild) => Promise<void>,
  ): Promise<readonly JournalRecord[]> {
    const name = String(this.#round++);
    const journal = join(this.#directory, `journal-${name}`);
    const seed = integerBetween(this.random, 0, 2 ** 31);
    const child = new CrashChild({
      ...usual,
      ...this.#own,
      ...own,
      dataDir: this.dataDir,
      journal,
      name,
      seed,
    });
    try {
      await untilItsEnd(child);
      const records = readJournal(journal);
      this.model.replay(records);
      return records;
    } catch (error) {
      if (keepIn !== undefined) cpSync(this.#directory, keepIn, { recursive: true, filter: isCopied });
      const found = error instanceof Error ? error.message : String(error);
      throw new Error(
        `life ${name}, RINGFOLD_CRASH_SEED=${this.#seed}: ${found}\nthe server said:\n${child.stderr}`,
        { cause: error },
      );
    } finally {
      await child.kill();
    }
  }
}
