import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  contentOf,
  mergerWith,
  openEngine,
  put,
  remove,
  sortedRow,
  tinyOptions,
} from '../../../test/support/engine-rows.ts';
import { type Crash, MortalDisk } from '../../../test/support/mortal-disk.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { positionEnd } from '../../partitioning/logical-partition.ts';
import type { RowIterator } from '../storage-engine.ts';
import type { RunEngine } from './run-engine.ts';

type Rows = ReadonlyMap<string, string>;

interface Range {
  readonly from: string;
  readonly to: string;
  readonly reverse: boolean;
}

interface RowChange {
  readonly key: string;
  /** Undefined removes the row. */
  readonly value: string | undefined;
}

type Step =
  | { readonly do: 'write'; readonly rows: readonly RowChange[]; readonly sync: boolean }
  | { readonly do: 'write sorted'; readonly rows: readonly RowChange[]; readonly mark: string }
  | { readonly do: 'clear'; readonly range: Range }
  | { readonly do: 'flush' }
  | { readonly do: 'begin to iterate'; readonly range: Range }
  | { readonly do: 'iterate on'; readonly pick: number; readonly rows: number }
  | { readonly do: 'look up'; readonly key: string }
  | { readonly do: 'wait'; readonly turns: number }
  | { readonly do: 'close and open' }
  | { readonly do: 'crash'; readonly as: Crash };

const endOfKeys = '\xff\xff\xff\xff';
/** Of three ring positions and of none, so that ranges within one position come up. */
const anyKey = fc
  .tuple(fc.constantFrom('', 'a', 'b', 'c'), fc.integer({ min: 0, max: 7 }))
  .map(([position, n]) => (position === '' ? `0${n}` : position.repeat(positionEnd) + n));
const anyRange: fc.Arbitrary<Range> = fc.record({
  from: fc.oneof(anyKey, fc.constant('')),
  to: fc.oneof(anyKey, fc.constant(endOfKeys)),
  reverse: fc.boolean(),
});
const anyValue = fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom('x', 'y', 'z') });
const anyChanges = fc.array(
  fc.record({ key: anyKey, value: fc.option(anyValue, { nil: undefined, freq: 4 }) }),
  { maxLength: 8 },
);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write' as const), rows: anyChanges, sync: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write sorted' as const), rows: anyChanges, mark: anyValue }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('clear' as const), range: anyRange }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('begin to iterate' as const), range: anyRange }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('iterate on' as const),
      pick: fc.nat(9),
      rows: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look up' as const), key: anyKey }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close and open' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      as: fc.constantFrom<Crash>('kill', 'power cut'),
    }),
  },
);

function within(rows: Rows, { from, to, reverse }: Range): [string, string][] {
  const found = [...rows].filter(([key]) => key >= from && key < to).sort(([a], [b]) => (a < b ? -1 : 1));
  return reverse ? found.reverse() : found;
}

function changed(rows: Rows, changes: readonly RowChange[]): Map<string, string> {
  const after = new Map(rows);
  for (const { key, value } of changes) {
    if (value === undefined) after.delete(key);
    else after.set(key, value);
  }
  return after;
}

const isEqual = (left: Rows, right: Rows): boolean =>
  left.size === right.size && [...left].every(([key, value]) => right.get(key) === value);

/** An engine and a Map that is given the same. */
class Pair {
  #disk = new MortalDisk();
  #engine: RunEngine | undefined;
  /** Engines that a crash left: they go on in a world of their own until the end. */
  readonly #abandoned: RunEngine[] = [];
  #rows: Rows = new Map();
  /** What the store was since it last said that all is durable. A crash may leave any of these. */
  #losable: Rows[] = [new Map()];
  #open: { readonly iterator: RowIterator; readonly left: [string, string][] }[] = [];
  readonly #mergeTurns: number;

  constructor(mergeTurns: number) {
    this.#mergeTurns = mergeTurns;
  }

  async open(): Promise<void> {
    const merger = mergerWith(this.#disk, () => turns(this.#mergeTurns));
    this.#engine = await openEngine(this.#disk, merger, { ...tinyOptions, smallBytes: 64 });
  }

  get engine(): RunEngine {
    assert.ok(this.#engine !== undefined);
    return this.#engine;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'write': {
        const batch = step.rows.map(({ key, value }) =>
          value === undefined ? remove(key) : put(key, value),
        );
        await this.engine.write(batch, step.sync);
        this.#become(changed(this.#rows, step.rows), step.sync);
        break;
      }
      case 'write sorted': {
        const byKey = new Map(step.rows.map((row) => [row.key, row]));
        const rows = [...byKey.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
        const slices = [rows.slice(0, 3), rows.slice(3)].map((slice) =>
          slice.map(({ key, value }) => sortedRow(key, value)),
        );
        await this.engine.writeSorted(slices, [put('\0mark', step.mark)]);
        this.#become(changed(this.#rows, [...rows, { key: '\0mark', value: step.mark }]), true);
        break;
      }
      case 'clear': {
        const { from, to } = step.range;
        await this.engine.clear({ from: from as ByteString, to: to as ByteString });
        const hidden = within(this.#rows, step.range).map(([key]) => ({ key, value: undefined }));
        // A clear of nothing need not save anything.
        this.#become(changed(this.#rows, hidden), from < to);
        break;
      }
      case 'flush':
        await this.engine.flush();
        this.#become(this.#rows, true);
        break;
      case 'begin to iterate': {
        const { from, to, reverse } = step.range;
        const range = { from: from as ByteString, to: to as ByteString, reverse };
        this.#open.push({ iterator: this.engine.iterate(range), left: within(this.#rows, step.range) });
        break;
      }
      case 'iterate on':
        await this.#iterateOn(step.pick, step.rows);
        break;
      case 'look up':
        assert.equal(
          (await this.engine.get(step.key as ByteString))?.toString('latin1'),
          this.#rows.get(step.key),
        );
        break;
      case 'wait':
        await turns(step.turns);
        break;
      case 'close and open':
        await this.#dropIterators();
        await this.engine.close();
        assert.equal(this.#disk.openFiles, 0);
        await this.#comeBack(this.#disk.remains('power cut'));
        break;
      case 'crash':
        this.#abandoned.push(this.engine);
        this.#open = [];
        await this.#comeBack(this.#disk.remains(step.as));
        break;
    }
  }

  async check(): Promise<void> {
    assert.deepEqual([...(await contentOf(this.engine))], within(this.#rows, all));
  }

  async end(): Promise<void> {
    await this.#dropIterators();
    await this.#engine?.close();
    for (const engine of this.#abandoned) await engine.close();
  }

  #become(rows: Rows, isDurable: boolean): void {
    if (isDurable) this.#losable = [];
    this.#rows = rows;
    this.#losable.push(rows);
  }

  async #iterateOn(pick: number, maxRows: number): Promise<void> {
    const chosen = this.#open[pick % Math.max(1, this.#open.length)];
    if (chosen === undefined) return;
    const page = await chosen.iterator.next(maxRows, 1_000);
    const expected = chosen.left.splice(0, page.length);
    assert.deepEqual(
      page.map(({ key, value }) => [key, value.toString('latin1')]),
      expected,
    );
    if (page.length > 0) return;
    assert.equal(chosen.left.length, 0, 'an iterator ends at its end');
    await chosen.iterator.close();
    this.#open = this.#open.filter((other) => other !== chosen);
  }

  async #comeBack(files: ReadonlyMap<string, Buffer>): Promise<void> {
    this.#disk = new MortalDisk(files);
    await this.open();
    const found = await contentOf(this.engine);
    const state = this.#losable.find((rows) => isEqual(rows, found));
    assert.ok(state !== undefined, 'what is left is what there was at one moment since the last durable one');
    this.#become(state, true);
  }

  async #dropIterators(): Promise<void> {
    for (const { iterator } of this.#open) await iterator.close();
    this.#open = [];
  }
}

const all: Range = { from: '', to: endOfKeys, reverse: false };

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('after any steps, merges, closings and crashes the rows are those of a Map given the same', async () => {
  const property = fc.asyncProperty(
    fc.array(anyStep, { maxLength: 100, size: 'max' }),
    fc.nat(12),
    async (steps, mergeTurns) => {
      const pair = new Pair(mergeTurns);
      await pair.open();
      try {
        for (const [index, step] of steps.entries()) {
          await pair.take(step);
          if (index % 5 === 0) await pair.check();
        }
        await turns(3 * mergeTurns);
        await pair.check();
      } finally {
        await pair.end();
      }
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
