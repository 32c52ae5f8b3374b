import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type MergePlan, type MergePolicy, planMerge } from './merge-plan.ts';
import type { RunRecord } from './run.ts';
import { defaultRunEngineOptions } from './run-engine.ts';

/** What an engine does with its plans, without the files. */
class PlannedStore {
  runs: readonly RunRecord[] = [];
  mostRuns = 0;
  givenBytes = 0;
  rewrittenBytes = 0;
  readonly #policy: MergePolicy;
  readonly #running = new Set<MergePlan>();
  #nextNumber = 1;

  constructor(policy: MergePolicy) {
    this.#policy = policy;
  }

  add(sizeBytes: number): void {
    const number = this.#nextNumber++;
    this.runs = [{ number, sequence: number, sizeBytes, crc: 0 }, ...this.runs];
    this.givenBytes += sizeBytes;
    this.mostRuns = Math.max(this.mostRuns, this.runs.length);
  }

  get busy(): ReadonlySet<RunRecord> {
    return new Set([...this.#running].flatMap(({ inputs }) => inputs));
  }

  begin(): MergePlan | undefined {
    const plan = planMerge(this.runs, this.#policy, this.#running);
    if (plan !== undefined) {
      this.#check(plan);
      this.#running.add(plan);
    }
    return plan;
  }

  /** `kept` is the part of the bytes that is left when newer rows have taken the place of older ones. */
  end(plan: MergePlan, kept = 1): void {
    this.#running.delete(plan);
    const number = this.#nextNumber++;
    const inputBytes = plan.inputs.reduce((sum, run) => sum + run.sizeBytes, 0);
    this.rewrittenBytes += inputBytes;
    const merged = {
      number,
      sequence: plan.inputs[0]?.sequence as number,
      sizeBytes: Math.ceil(inputBytes * kept),
      crc: 0,
    };
    const at = this.runs.indexOf(plan.inputs[0] as RunRecord);
    this.runs = this.runs.toSpliced(at, plan.inputs.length, merged);
    const sequences = this.runs.map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      sequences.toSorted((left, right) => right - left),
      'newest first',
    );
  }

  settle(kept = 1): void {
    for (let plan = this.begin(); plan !== undefined; plan = this.begin()) this.end(plan, kept);
  }

  #check({ inputs, isOldest }: MergePlan): void {
    const start = this.runs.indexOf(inputs[0] as RunRecord);
    assert.ok(start >= 0 && inputs.length >= 2, 'a plan is of runs that there are, two at least');
    assert.deepEqual(inputs, this.runs.slice(start, start + inputs.length), 'with none between them in age');
    assert.equal(isOldest, start + inputs.length === this.runs.length);
    assert.ok(
      inputs.every((run) => !this.busy.has(run)),
      'and none that is being merged',
    );
  }
}

const policy: MergePolicy = { fanIn: 4, smallBytes: 100 };
/** How many times as large as another one a store may be, in classes. */
const classesOf = (bytes: number, { fanIn, smallBytes }: MergePolicy): number =>
  Math.max(1, Math.ceil(Math.log(bytes / smallBytes) / Math.log(fanIn)) + 1);

test('nothing is planned for few runs', () => {
  const store = new PlannedStore(policy);
  for (let count = 0; count < policy.fanIn; count++) {
    assert.equal(store.begin(), undefined);
    store.add(1000);
  }
  assert.equal(store.begin()?.inputs.length, policy.fanIn);
});

test('of runs that come in any sizes few are left, whatever merges make of them', () => {
  const property = fc.property(
    fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 300 }),
    fc.double({ min: 0.05, max: 1, noNaN: true }),
    (sizes, kept) => {
      const store = new PlannedStore(policy);
      for (const size of sizes) {
        store.add(size);
        store.settle(kept);
        const largest = Math.max(...store.runs.map(({ sizeBytes }) => sizeBytes));
        // A run may be followed by larger ones only after fewer than fanIn of each class; smaller ones may stand between larger.
        const limit = policy.fanIn ** 2 * classesOf(largest, policy);
        assert.ok(store.runs.length <= limit, `${store.runs.length} runs, largest ${largest}`);
      }
    },
  );
  fc.assert(property);
});

test('merges that run side by side, and end in any order, keep the order of age', () => {
  const property = fc.property(
    fc.array(
      fc.record({
        what: fc.constantFrom('add', 'add', 'add', 'add', 'begin', 'end'),
        pick: fc.nat(),
        size: fc.integer({ min: 1, max: 2_000 }),
      }),
      { maxLength: 300 },
    ),
    (steps) => {
      const store = new PlannedStore(policy);
      const running: MergePlan[] = [];
      for (const { what, pick, size } of steps) {
        if (what === 'add') store.add(size);
        else if (what === 'begin') {
          const plan = store.begin();
          if (plan !== undefined) running.push(plan);
        } else if (running.length > 0) {
          const [plan] = running.splice(pick % running.length, 1);
          store.end(plan as MergePlan, 0.5);
        }
      }
      for (const plan of running) store.end(plan);
      store.settle();
      assert.equal(store.begin(), undefined);
    },
  );
  fc.assert(property);
});

// From the rows of a nearly idle server, several times a second, to full memtables.
for (const flushBytes of [2_000, 10_000, 100_000, 1_000_000, 8_000_000]) {
  test(`runs of ${flushBytes} bytes are rewritten about once for each class, and few stand side by side`, () => {
    const store = new PlannedStore(defaultRunEngineOptions);
    for (let count = 0; count < 20_000 && store.givenBytes < 20e9; count++) {
      store.add(flushBytes);
      store.settle();
    }
    const { fanIn } = defaultRunEngineOptions;
    const classes = Math.ceil(Math.log(store.givenBytes / flushBytes) / Math.log(fanIn));
    const times = store.rewrittenBytes / store.givenBytes;
    assert.ok(times <= 1.5 * classes + 1, `${times} times in ${classes} classes`);
    assert.ok(store.mostRuns <= fanIn * (classes + 1), `${store.mostRuns} runs`);
  });
}

test('rows that are written over and over do not add up', () => {
  const store = new PlannedStore(defaultRunEngineOptions);
  for (let count = 0; count < 2_000; count++) {
    store.add(1_000_000);
    // All runs hold the same rows: a merge leaves one run's worth.
    for (let plan = store.begin(); plan !== undefined; plan = store.begin())
      store.end(plan, 1 / plan.inputs.length);
  }
  assert.ok(store.runs.length < 20, `${store.runs.length} runs`);
});
