import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { microsecondsOf, systemClock } from './clock.ts';

test('microseconds are always within the millisecond that the clock tells, however it is set', () => {
  const steps = fc.array(
    fc.record({ elapsed: fc.double({ min: 0, max: 3, noNaN: true }), set: fc.integer({ min: -5, max: 5 }) }),
    { minLength: 1, maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, (moves) => {
      let elapsed = 0;
      let date = 1_800_000_000_000.4;
      const microseconds = microsecondsOf(
        () => Math.floor(date),
        () => elapsed,
        1_800_000_000_000.4,
      );
      for (const move of moves) {
        elapsed += move.elapsed;
        date += move.elapsed + move.set;
        const told = microseconds();
        assert.ok(Number.isSafeInteger(told));
        assert.equal(Math.floor(told / 1_000), Math.floor(date));
      }
    }),
  );
});

test('microseconds tell how much of a millisecond has passed, and do so again after the clock was set', () => {
  let elapsed = 0.7;
  let shift = 0;
  const microseconds = microsecondsOf(
    () => Math.floor(1_000 + shift + elapsed),
    () => elapsed,
    1_000,
  );
  assert.equal(microseconds(), 1_000_700);
  for (shift of [-3.4, 7_200_000.2]) {
    for (let step = 0; step < 5_000; step++) {
      elapsed += 0.0131;
      microseconds();
    }
    const told = microseconds();
    assert.ok(Math.abs(told - (1_000 + shift + elapsed) * 1_000) < 15, `told ${told} at ${elapsed}`);
  }
});

test('a process that is held up while it looks at its clocks tells the time as well afterwards', () => {
  let elapsed = 0;
  let looks = 0;
  const pauses = new Map<number, number>();
  const look = (): number => {
    elapsed += pauses.get(looks++) ?? 0;
    return 1_000.25 + elapsed;
  };
  const microseconds = microsecondsOf(
    () => Math.floor(look()),
    () => look() - 1_000.25,
    1_000.25,
  );
  for (let at = 0; at < 3; at++) {
    for (const pause of [0.4, 0.9, 2.6, 12.3]) {
      pauses.set(looks + at, pause);
      microseconds();
      elapsed += 0.1;
      const told = microseconds();
      assert.ok(Math.abs(told - (1_000.25 + elapsed) * 1_000) < 2, `told ${told} at ${elapsed}`);
    }
  }
});

test('the machine’s clock tells the same time in milliseconds and in microseconds', () => {
  const before = systemClock.now();
  const told = systemClock.microseconds();
  const after = systemClock.now();
  assert.ok(told >= before * 1_000 && told < (after + 1) * 1_000);
});
