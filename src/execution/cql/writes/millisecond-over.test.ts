import assert from 'node:assert/strict';
import { test } from 'node:test';
import { millisecondOver } from './millisecond-over.ts';

/** Time that moves with what is waited for; timers may be early. */
class Waits {
  nowMs: number;
  readonly delays: number[] = [];
  readonly #earlyMs: number[];

  constructor(nowMs: number, earlyMs: number[] = []) {
    this.nowMs = nowMs;
    this.#earlyMs = earlyMs;
  }

  async over(timestamp: bigint): Promise<void> {
    const after = (delayMs: number, task: () => void): (() => void) => {
      this.delays.push(delayMs);
      this.nowMs += delayMs - (this.#earlyMs.shift() ?? 0);
      queueMicrotask(task);
      return () => {};
    };
    await millisecondOver({ now: () => this.nowMs }, { after }, timestamp);
  }
}

test('a millisecond that is over is not waited for', async () => {
  for (const timestamp of [5_000n, 4_999_999n]) {
    const waits = new Waits(5_000);
    await waits.over(timestamp);
    assert.deepEqual(waits.delays, []);
  }
});

test('the rest of the present millisecond, and one that the clock has not reached yet, are waited for', async () => {
  for (const [timestamp, nowMs] of [
    [5_000_000n, 5_001],
    [5_000_999n, 5_001],
    [5_001_003n, 5_002],
  ] as const) {
    const waits = new Waits(5_000);
    await waits.over(timestamp);
    assert.equal(waits.nowMs, nowMs);
  }
});

test('a timer that is early is set again', async () => {
  const waits = new Waits(5_000, [1]);
  await waits.over(5_000_500n);
  assert.deepEqual([waits.delays, waits.nowMs], [[1, 1], 5_001]);
});

test('a timestamp far ahead and a clock that stands still are not waited for', async () => {
  const far = new Waits(5_000);
  await far.over(5_900_000n);
  assert.deepEqual(far.delays, []);
  const standing = new Waits(5_000, [1, 1, 1, 1]);
  await standing.over(5_000_500n);
  assert.equal(standing.delays.length, 3);
});
