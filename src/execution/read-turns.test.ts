import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { Scheduler } from '../foundation/scheduler.ts';
import { type ReadTurn, ReadTurns, readTurnsOf } from './read-turns.ts';

class HandScheduler implements Scheduler {
  tasks: (() => void)[] = [];

  after(_delayMs: number, task: () => void): () => void {
    this.tasks.push(task);
    return () => {};
  }

  /** As an event loop does: all that is there now, not what comes meanwhile. */
  async turn(): Promise<void> {
    const { tasks } = this;
    this.tasks = [];
    for (const task of tasks) task();
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let round = 0; round < 10; round++) await Promise.resolve();
}

/** Those that have begun, in their order. */
function beginAll(turns: ReadTurns, count: number): ReadTurn[] {
  const begun: ReadTurn[] = [];
  for (let read = 0; read < count; read++) void turns.begin().then((turn) => begun.push(turn));
  return begun;
}

test('one read goes on in each turn, however many wait, and those that waited longest first', async () => {
  const scheduler = new HandScheduler();
  const turns = new ReadTurns(scheduler);
  const steps: string[] = [];
  const walk = async (name: string): Promise<void> => {
    const turn = await turns.begin();
    for (let step = 0; step < 2; step++) {
      await turn.next(0);
      steps.push(name);
    }
  };
  void walk('a');
  void walk('b');
  void walk('c');
  await settled();
  const seen: number[] = [];
  for (let turn = 0; turn < 7; turn++) {
    await scheduler.turn();
    seen.push(steps.length);
  }
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 6]);
  assert.equal(steps.join(''), 'abcabc');
});

test('only so many reads walk at once; the next begins when one ends', async () => {
  const begun = beginAll(new ReadTurns(new HandScheduler()), 40);
  await settled();
  assert.equal(begun.length, 32);
  begun[0]?.end();
  await settled();
  assert.equal(begun.length, 33);
  for (const turn of begun.slice(1)) turn.end();
  await settled();
  assert.equal(begun.length, 40);
});

test('long reads wait for one another, and short ones do not wait for them', async () => {
  const scheduler = new HandScheduler();
  const turns = new ReadTurns(scheduler);
  const long = beginAll(turns, 32);
  await settled();
  const went: number[] = [];
  for (const [at, turn] of long.entries()) void turn.next(100_000).then(() => went.push(at));
  const short = beginAll(turns, 32);
  await settled();
  assert.equal(short.length, 32);
  for (let turn = 0; turn < 10; turn++) await scheduler.turn();
  assert.deepEqual(went, [0, 1, 2, 3]);
  long[2]?.end();
  await settled();
  await scheduler.turn();
  assert.deepEqual(went, [0, 1, 2, 3, 4]);
});

test('a long read that would be one of too many is refused, and its place is free again', async () => {
  const scheduler = new HandScheduler();
  const turns = new ReadTurns(scheduler);
  for (let read = 0; read < 4 + 256; read++) {
    const turn = await turns.begin();
    void turn.next(100_000);
    await settled();
  }
  const turn = await turns.begin();
  await assert.rejects(
    turn.next(100_000),
    (error) => error instanceof RingfoldError && error.code === 'too-much-in-flight',
  );
  turn.end();
  const short = beginAll(turns, 40);
  await settled();
  assert.equal(short.length, 32);
});

test('all reads of one scheduler share their turns', () => {
  const scheduler = new HandScheduler();
  assert.equal(readTurnsOf(scheduler), readTurnsOf(scheduler));
  assert.notEqual(readTurnsOf(scheduler), readTurnsOf(new HandScheduler()));
});
