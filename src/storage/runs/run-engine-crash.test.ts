import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  contentOf,
  openEngine,
  put,
  remove,
  sortedRow,
  tinyOptions,
} from '../../../test/support/engine-rows.ts';
import { type Crash, DeadDiskError, type Death, MortalDisk } from '../../../test/support/mortal-disk.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import type { RunEngine } from './run-engine.ts';

interface Step {
  readonly isDurable: boolean;
  apply(engine: RunEngine): Promise<void>;
  /** What the same does to a Map. */
  change(rows: Map<string, string>): void;
}

function write(isDurable: boolean, rows: Record<string, string | undefined>): Step {
  const entries = Object.entries(rows);
  return {
    isDurable,
    apply: (engine) =>
      engine.write(
        entries.map(([key, value]) => (value === undefined ? remove(key) : put(key, value))),
        isDurable,
      ),
    change: (model) => changeAll(model, entries),
  };
}

function writeSorted(rows: Record<string, string | undefined>, mark: string): Step {
  const entries = Object.entries(rows).sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    isDurable: true,
    apply: (engine) =>
      engine.writeSorted([entries.map(([key, value]) => sortedRow(key, value))], [put('\0mark', mark)]),
    change: (model) => changeAll(model, [...entries, ['\0mark', mark]]),
  };
}

function clear(from: string, to: string): Step {
  return {
    isDurable: true,
    apply: (engine) => engine.clear({ from: from as ByteString, to: to as ByteString }),
    change: (model) => {
      for (const key of [...model.keys()]) if (key >= from && key < to) model.delete(key);
    },
  };
}

const flush: Step = { isDurable: true, apply: (engine) => engine.flush(), change: () => {} };

function changeAll(
  model: Map<string, string>,
  entries: readonly (readonly [string, string | undefined])[],
): void {
  for (const [key, value] of entries) {
    if (value === undefined) model.delete(key);
    else model.set(key, value);
  }
}

const steps: readonly Step[] = [
  write(false, { a: '1', b: '1' }),
  write(true, { c: '1', d: '1', e: '1' }),
  writeSorted({ a: '2', f: '2', g: '2' }, '1'),
  write(false, { b: undefined, h: '3' }),
  clear('c', 'e'),
  writeSorted({ d: '4', h: undefined, i: '4' }, '2'),
  write(false, { j: 'x'.repeat(300) }),
  write(false, { a: '5' }),
  write(false, { c: '5', f: undefined }),
  flush,
  write(true, { k: '6' }),
  write(true, { k: undefined, l: '6' }),
  clear('', '\xff'),
  write(false, { m: '7' }),
  writeSorted({ a: '7', b: '7' }, '3'),
  write(true, { b: '8' }),
  write(true, { b: '9' }),
];

/** The rows after each number of steps. */
const states: readonly Map<string, string>[] = (() => {
  const model = new Map<string, string>();
  const found = [new Map<string, string>()];
  for (const step of steps) {
    step.change(model);
    found.push(new Map([...model].sort()));
  }
  return found;
})();

interface Life {
  /** Steps that were answered, and steps that were begun. */
  readonly answered: number;
  readonly begun: number;
  readonly disk: MortalDisk;
}

async function live(files: ReadonlyMap<string, Buffer>, death: Death): Promise<Life> {
  const disk = new MortalDisk(files, death);
  let answered = 0;
  let begun = 0;
  let engine: RunEngine | undefined;
  try {
    engine = await openEngine(disk);
    for (const step of steps) {
      begun += 1;
      await step.apply(engine);
      answered += 1;
    }
    // What is being merged comes to its end, or to the disk's.
    for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    if (!(error instanceof DeadDiskError)) throw error;
  }
  await engine?.close();
  assert.equal(disk.openFiles, 0, 'no file stays open');
  return { answered, begun, disk };
}

const show = (rows: ReadonlyMap<string, string>): string => JSON.stringify([...rows]);

async function expectPrefix({ answered, begun, disk }: Life, crash: Crash, name: string): Promise<void> {
  const after = new MortalDisk(disk.remains(crash));
  const engine = await openEngine(after);
  const found = show(await contentOf(engine));
  const durable = steps.slice(0, answered).findLastIndex((step) => step.isDurable) + 1;
  const possible = states.slice(durable, begun + 1).map(show);
  assert.ok(possible.includes(found), `${name}: ${found} after ${answered} of ${begun} steps`);
  // The next life can be worked with, whatever was left lying about.
  for (let n = 0; n < 2 * tinyOptions.fanIn; n++) await engine.write([put(`later-${n}`, 'x')], true);
  const content = show(await contentOf(engine));
  await engine.close();
  const again = await openEngine(new MortalDisk(after.remains('power cut')));
  assert.equal(show(await contentOf(again)), content, name);
  await again.close();
}

for (const afterEffect of [false, true]) {
  const when = afterEffect ? 'in the middle of' : 'before';
  test(`a disk that dies ${when} any change leaves the rows of one moment, nothing durable lost`, async () => {
    for (let atChange = 1; ; atChange++) {
      const life = await live(new Map(), { atChange, afterEffect });
      for (const crash of ['kill', 'power cut'] as const)
        await expectPrefix(life, crash, `${crash} at ${atChange}`);
      if (life.disk.isDead) continue;
      assert.equal(life.answered, steps.length);
      assert.ok(atChange > 60, `only ${atChange} changes`);
      return;
    }
  });
}

test('a disk that dies at any change while a store is opened after a crash leaves all of it', async () => {
  // A store with merged runs, and files that belong to nobody.
  const { disk } = await live(new Map(), { atChange: Number.POSITIVE_INFINITY, afterEffect: false });
  const files = disk.remains('power cut');
  for (const number of [3, 5000, 5001])
    files.set(`rows/${String(number).padStart(8, '0')}.run`, Buffer.from('left'));
  for (let atChange = 1; ; atChange++) {
    const dying = new MortalDisk(files, { atChange, afterEffect: true });
    const engine = await openEngine(dying).catch((error: unknown) => {
      assert.ok(error instanceof DeadDiskError);
    });
    await engine?.close();
    assert.equal(dying.openFiles, 0);
    const again = await openEngine(new MortalDisk(dying.remains('power cut')));
    assert.equal(show(await contentOf(again)), show(states.at(-1) ?? new Map()));
    await again.close();
    if (!dying.isDead) return;
  }
});
