// One kill at every write and every sync of a commit, a split, a merge, a move, a stop, a recovery and a rebuild. The kill is a frozen disk
// in this process (frozen-node.ts), so that hundreds of them fit into a test run; strace-sweep.test.ts kills for real.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from '../../src/foundation/log.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import { eventually } from '../support/start-ringfold.ts';
import { JournalInMemory, type JournalRecord } from './crash-journal.ts';
import type { CrashLoad } from './crash-load.ts';
import { CrashModel } from './crash-model.ts';
import { Life } from './frozen-life.ts';
import { Freezer, type KillMoment } from './frozen-node.ts';

// Every fourth write and sync is cut, at one of the three moments in turn; with RINGFOLD_FULL_SWEEP=1 every one at all three.
const moments: readonly KillMoment[] = ['before', 'within', 'after'];
const isFull = process.env['RINGFOLD_FULL_SWEEP'] === '1';
/** Nothing here takes a second; a store that does not answer at all must not hold up the run for ever. */
const patienceMs = 20_000;

interface Base {
  readonly dataDir: string;
  /** What was said by the process that left the directory so. */
  readonly records: readonly JournalRecord[];
}

interface Bases {
  readonly stopped: Base;
  readonly killed: Base;
  readonly lost: Base;
}

const lostNode = 1 as NodeId;

/** What is done in a store that is open, and how far it takes the version of the map. */
interface Act {
  readonly changes: number;
  readonly act: (life: Life) => Promise<void>;
}

export type SweptAct =
  | 'a commit'
  | 'a split under writes'
  | 'a merge under writes'
  | 'a move under writes'
  | 'a stop';

const acts: Record<SweptAct, Act> = {
  'a commit': {
    changes: 0,
    act: async ({ load, store }) => {
      await Promise.all([load.write(0), load.write(0), load.writeIfEqual(1), load.write(2)]);
      await store.whenQuiet();
    },
  },
  'a split under writes': {
    changes: 1,
    act: async ({ load, store }) => {
      await Promise.all([load.split(), ...writesToAll(load)]);
      await store.whenQuiet();
    },
  },
  'a merge under writes': {
    changes: 1,
    act: async ({ load, store }) => {
      await Promise.all([load.merge(), ...writesToAll(load)]);
      await store.whenQuiet();
    },
  },
  'a move under writes': {
    changes: 1,
    act: async ({ load, store }) => {
      await Promise.all([load.move(), ...writesToAll(load)]);
      await store.whenQuiet();
    },
  },
  'a stop': {
    changes: 0,
    act: async ({ load, stop }) => {
      await load.write(0);
      await stop();
    },
  },
};

/** What happens while a store is being opened and brought level. */
interface Opening {
  readonly base: keyof Bases;
  readonly rebuild: readonly NodeId[];
}

export type SweptOpening = 'a recovery' | 'the rebuild of a lost node';

const openings: Record<SweptOpening, Opening> = {
  'a recovery': { base: 'killed', rebuild: [] },
  'the rebuild of a lost node': { base: 'lost', rebuild: [lostNode] },
};

export const sweptActs: readonly SweptAct[] = Object.keys(acts) as SweptAct[];
export const sweptOpenings: readonly SweptOpening[] = Object.keys(openings) as SweptOpening[];

export class KillSweep {
  readonly #directory: string;
  readonly #bases: Bases;
  #copies = 0;

  private constructor(directory: string, bases: Bases) {
    this.#directory = directory;
    this.#bases = bases;
  }

  /** In a directory of its own, which is not removed. */
  static async prepare(directory: string): Promise<KillSweep> {
    const stopped = await makeBase(join(directory, 'stopped'), async (life) => {
      for (let subject = 0; subject < 12; subject++) await life.load.write(subject);
      await life.load.split();
      for (let subject = 0; subject < 12; subject++) await life.load.write(subject);
      await life.stop();
    });
    const lost = { dataDir: join(directory, 'lost'), records: stopped.records };
    cpSync(stopped.dataDir, lost.dataDir, { recursive: true });
    rmSync(join(lost.dataDir, `node-${lostNode}`), { recursive: true });
    // Killed amid a load, so that logs end differently and rows are not applied.
    const killed = await makeBase(join(directory, 'killed'), async (life) => {
      const running = life.load.run(16);
      await new Promise((resolve) => setTimeout(resolve, 100));
      life.freezer.arm(3, 'within');
      await Promise.race([life.freezer.frozen, running]);
    });
    return new KillSweep(directory, { stopped, killed, lost });
  }

  /** What was being done at each kill. */
  run(what: SweptAct | SweptOpening): Promise<string[]> {
    return isOpening(what) ? this.#sweepOpening(what, openings[what]) : this.#sweepAct(what, acts[what]);
  }

  async #sweepAct(what: SweptAct, { changes, act }: Act): Promise<string[]> {
    const cuts: string[] = [];
    for (const { at, moment } of killsInTurn()) {
      const { model, dataDir } = this.#successorOf(this.#bases.stopped);
      const journal = new JournalInMemory();
      const life = await Life.open({ dataDir, freezer: new Freezer(), journal, name: `${at}-${moment}` });
      await life.store.whenQuiet();
      const { version } = life.load.map;
      life.freezer.arm(at, moment);
      const isDone = await inTime(
        Promise.race([act(life).then(() => true), life.freezer.frozen.then(() => false)]),
        `${what} with a kill at call ${at}, ${moment}`,
      );
      await life.end();
      model.replay(journal.records);
      const cut = `${what} cut at call ${at}: ${life.freezer.cutCall}`;
      const found = await verify(dataDir, model, cut);
      const possible = isDone ? [version + changes] : [version, version + changes];
      assert.ok(possible.includes(found), `map ${found} instead of ${possible.join(' or ')} after ${cut}`);
      if (isDone) break;
      cuts.push(life.freezer.cutCall);
    }
    return cuts;
  }

  async #sweepOpening(what: SweptOpening, { base, rebuild }: Opening): Promise<string[]> {
    const cuts: string[] = [];
    for (const { at, moment } of killsInTurn()) {
      const { model, dataDir } = this.#successorOf(this.#bases[base]);
      const journal = new JournalInMemory();
      const freezer = new Freezer();
      freezer.arm(at, moment);
      const opening = Life.open({ dataDir, freezer, journal, name: `${at}-${moment}`, rebuild }).then(
        async (life) => {
          await life.load.readAll();
          await life.store.whenQuiet();
          return life;
        },
      );
      const killed = freezer.frozen.then(() => undefined);
      const life = await inTime(
        Promise.race([opening, killed]),
        `${what} with a kill at call ${at}, ${moment}`,
      );
      if (life === undefined) await Life.release(freezer);
      else await life.end();
      model.replay(journal.records);
      await verify(dataDir, model, `${what} cut at call ${at}: ${freezer.cutCall}`);
      if (life !== undefined) break;
      cuts.push(freezer.cutCall);
    }
    return cuts;
  }

  /** The directory as it was left, to be spoiled, and what is known of it. */
  #successorOf(base: Base): { model: CrashModel; dataDir: string } {
    const model = new CrashModel();
    model.replay(base.records);
    const dataDir = join(this.#directory, `copy-${this.#copies++}`);
    cpSync(base.dataDir, dataDir, { recursive: true });
    return { model, dataDir };
  }
}

function isOpening(what: SweptAct | SweptOpening): what is SweptOpening {
  return Object.hasOwn(openings, what);
}

function* killsInTurn(): Generator<{ at: number; moment: KillMoment }> {
  for (let at = 1; ; at += isFull ? 1 : 4) {
    for (const [index, moment] of moments.entries()) if (isFull || at % 3 === index) yield { at, moment };
  }
}

/** A process that opens the directory after the kill has everything, can go on, and finds its replicas equal. The map's version. */
async function verify(dataDir: string, model: CrashModel, what: string): Promise<number> {
  const journal = new JournalInMemory();
  const events: string[] = [];
  const freezer = new Freezer();
  try {
    const rebuild = existsSync(join(dataDir, `node-${lostNode}`, 'superblock-a')) ? [] : [lostNode];
    const opening = Life.open({ dataDir, freezer, journal, name: 'after', rebuild, log: logTo(events) });
    const life = await inTime(opening, `opening after ${what}`);
    await life.load.readAll();
    // A change that recovery completes may send the client to the next map first.
    await eventually(`writes are accepted after ${what}`, () => life.load.write(5));
    await inTime(life.store.whenQuiet(), `quiet after ${what}`);
    await life.load.scrub();
    await life.load.readAll();
    const { version } = life.load.map;
    await life.end();
    model.replay(journal.records);
    rmSync(dataDir, { recursive: true });
    return version;
  } catch (error) {
    freezer.freeze();
    await Life.release(freezer);
    const found = error instanceof Error ? error.stack : String(error);
    throw new Error(`after ${what}\n${found}\n${events.join('\n')}`, { cause: error });
  }
}

async function makeBase(dataDir: string, live: (life: Life) => Promise<void>): Promise<Base> {
  mkdirSync(dataDir);
  const journal = new JournalInMemory();
  const life = await Life.open({ dataDir, freezer: new Freezer(), journal, name: basename(dataDir) });
  await live(life);
  await life.end();
  return { dataDir, records: journal.records };
}

function writesToAll(load: CrashLoad): Promise<boolean>[] {
  return Array.from({ length: 12 }, (_, subject) => load.write(subject));
}

async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it takes for ever: ${what}`)), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function logTo(events: string[]): Log {
  const note = (event: string, fields?: Readonly<Record<string, unknown>>) => {
    events.push(`${event} ${JSON.stringify(fields ?? {})}`);
  };
  return { info: note, warn: note };
}
