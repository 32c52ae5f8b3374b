// One kill at every write and every sync of a commit, a split, a merge, a move, a recovery and a rebuild. The kill is a frozen disk in this
// process (frozen-node.ts), so that hundreds of them fit into a test run; strace-sweep.test.ts kills for real.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
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

// A kill takes nothing that was written, synced or not, so a disk in memory shows the same and is five times as fast.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ringfold-sweep-'));
after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));

/** What was being done at each kill. */
const cuts: string[] = [];

let stopped: Base;
let killed: Base;
let lost: Base;
const lostNode = 1 as NodeId;

before(async () => {
  stopped = await makeBase('stopped', async (life) => {
    for (let subject = 0; subject < 12; subject++) await life.load.write(subject);
    await life.load.split();
    for (let subject = 0; subject < 12; subject++) await life.load.write(subject);
    await life.stop();
  });
  lost = { dataDir: join(directory, 'lost'), records: stopped.records };
  cpSync(stopped.dataDir, lost.dataDir, { recursive: true });
  rmSync(join(lost.dataDir, `node-${lostNode}`), { recursive: true });
  // Killed amid a load, so that logs end differently and rows are not applied.
  killed = await makeBase('killed', async (life) => {
    const running = life.load.run(16);
    await new Promise((resolve) => setTimeout(resolve, 100));
    life.freezer.arm(3, 'within');
    await Promise.race([life.freezer.frozen, running]);
  });
});

sweep('a commit', 0, async ({ load, store }) => {
  await Promise.all([load.write(0), load.write(0), load.writeIfEqual(1), load.write(2)]);
  await store.whenQuiet();
});

sweep('a split under writes', 1, async ({ load, store }) => {
  await Promise.all([load.split(), ...writesToAll(load)]);
  await store.whenQuiet();
});

sweep('a merge under writes', 1, async ({ load, store }) => {
  await Promise.all([load.merge(), ...writesToAll(load)]);
  await store.whenQuiet();
});

sweep('a move under writes', 1, async ({ load, store }) => {
  await Promise.all([load.move(), ...writesToAll(load)]);
  await store.whenQuiet();
});

sweep('a stop', 0, async ({ load, stop }) => {
  await load.write(0);
  await stop();
});

sweepOpening('a recovery', () => killed, []);

sweepOpening('the rebuild of a lost node', () => lost, [lostNode]);

test('the kills met logs, runs, manifests, and runs that were removed after a merge', () => {
  const calls = [
    /append to log\//,
    /sync log\//,
    /create rows\/\d+\.run/,
    /append to rows\/\d+\.run/,
    /sync rows\/\d+\.run/,
  ];
  for (const call of [...calls, /replace rows\/manifest/, /remove rows\/\d+\.run/])
    assert.ok(
      cuts.some((cut) => call.test(cut)),
      `no kill came at ${call}`,
    );
});

/** Kills while `act` is under way in an open store; `changes` is how far it takes the version of the map. */
function sweep(what: string, changes: number, act: (life: Life) => Promise<void>): void {
  test(`${what} may be killed at every write and sync`, async (context) => {
    let kills = 0;
    for (const { at, moment } of killsInTurn()) {
      const { model, dataDir } = successorOf(stopped);
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
      kills++;
    }
    context.diagnostic(`${kills} kills`);
    assert.ok(kills >= 4, `${what} writes and syncs more often than ${kills} times`);
  });
}

/** Kills while the store is being opened and brought level. */
function sweepOpening(what: string, baseOf: () => Base, rebuild: readonly NodeId[]): void {
  test(`${what} may be killed at every write and sync`, async (context) => {
    let kills = 0;
    for (const { at, moment } of killsInTurn()) {
      const { model, dataDir } = successorOf(baseOf());
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
      kills++;
    }
    context.diagnostic(`${kills} kills`);
    assert.ok(kills > 10, `${what} writes and syncs more often than ${kills} times`);
  });
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

async function makeBase(name: string, live: (life: Life) => Promise<void>): Promise<Base> {
  const dataDir = join(directory, name);
  mkdirSync(dataDir);
  const journal = new JournalInMemory();
  const life = await Life.open({ dataDir, freezer: new Freezer(), journal, name });
  await live(life);
  await life.end();
  return { dataDir, records: journal.records };
}

let copies = 0;

/** The directory as it was left, to be spoiled, and what is known of it. */
function successorOf(base: Base): { model: CrashModel; dataDir: string } {
  const model = new CrashModel();
  model.replay(base.records);
  const dataDir = join(directory, `copy-${copies++}`);
  cpSync(base.dataDir, dataDir, { recursive: true });
  return { model, dataDir };
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
