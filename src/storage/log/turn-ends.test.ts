import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn, systemScheduler } from '../../foundation/scheduler.ts';
import { TurnEnds } from './turn-ends.ts';

test('all tasks of a turn run before what any of them leads to', async () => {
  const ends = new TurnEnds(systemScheduler);
  const events: string[] = [];
  for (const name of ['a', 'b', 'c'])
    ends.add(() => {
      events.push(name);
      queueMicrotask(() => events.push(`after ${name}`));
    });
  assert.deepEqual(events, []);
  await nextTurn(systemScheduler);
  assert.deepEqual(events, ['a', 'b', 'c', 'after a', 'after b', 'after c']);
});

test('what is added at the end of a turn waits for the end of the next', async () => {
  let turns = 0;
  const ends = new TurnEnds({
    after: (delayMs, task) => {
      turns += 1;
      return systemScheduler.after(delayMs, task);
    },
  });
  const events: number[] = [];
  ends.add(() => {
    events.push(turns);
    ends.add(() => events.push(turns));
    assert.deepEqual(events, [1]);
  });
  ends.add(() => events.push(turns));
  await nextTurn(systemScheduler);
  await nextTurn(systemScheduler);
  assert.deepEqual(events, [1, 2, 2]);
});
