import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedTime } from './simulated-time.ts';

test('events run in the order of their times, and those of one moment in the order they were asked for', async () => {
  const time = new SimulatedTime();
  const seen: string[] = [];
  time.after(5, () => seen.push(`c${time.monotonic()}`));
  time.after(1, () => seen.push(`a${time.monotonic()}`));
  time.after(5, () => seen.push(`d${time.monotonic()}`));
  time.after(1, () => seen.push(`b${time.monotonic()}`));
  const cancel = time.after(2, () => seen.push('cancelled'));
  cancel();
  assert.equal(await time.run(() => false, 100), 'idle');
  assert.deepEqual(seen, ['a1', 'b1', 'c5', 'd5']);
});

test('every promise that can settle has settled before the next event', async () => {
  const time = new SimulatedTime();
  const seen: string[] = [];
  const chain = async (): Promise<void> => {
    for (let step = 0; step < 100; step++) await Promise.resolve();
    for (let step = 0; step < 100; step++) await Promise.resolve();
    seen.push('chain');
  };
  time.after(0, () => {
    chain().catch(() => {});
  });
  time.after(0, () => seen.push('next event'));
  await time.run(() => false, 100);
  assert.deepEqual(seen, ['chain', 'next event']);
});

test('a run ends when its condition holds, or at its deadline', async () => {
  const time = new SimulatedTime();
  let count = 0;
  const tick = (): void => {
    count++;
    time.after(10, tick);
  };
  time.after(10, tick);
  assert.equal(await time.run(() => count === 3, 1_000), 'reached');
  assert.equal(time.monotonic(), 30);
  assert.equal(await time.run(() => false, 25), 'too-late');
  assert.equal(time.monotonic(), 55);
});
