import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rests } from './rests.ts';
import type { Scheduler } from './scheduler.ts';

/** Tasks that wait until a test runs them. */
class HeldTasks implements Scheduler {
  readonly waiting = new Set<() => void>();

  after(_delayMs: number, task: () => void): () => void {
    this.waiting.add(task);
    return () => this.waiting.delete(task);
  }
}

test('a rest ends when its time is over', async () => {
  const tasks = new HeldTasks();
  const rest = new Rests(tasks).rest(1_000);
  for (const task of tasks.waiting) task();
  await rest;
  assert.equal(tasks.waiting.size, 0);
});

test('all rests end with the work, leave no timer behind, and no other begins', async () => {
  const tasks = new HeldTasks();
  const rests = new Rests(tasks);
  const taken = [rests.rest(1_000), rests.rest(2_000)];
  assert.equal(rests.isOver, false);
  rests.end();
  await Promise.all(taken);
  await rests.rest(1_000);
  assert.equal(rests.isOver, true);
  assert.equal(tasks.waiting.size, 0);
});
