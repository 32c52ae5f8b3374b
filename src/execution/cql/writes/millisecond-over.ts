import type { Clock } from '../../../foundation/clock.ts';
import type { Scheduler } from '../../../foundation/scheduler.ts';

/** Timers may be a little early, and a clock that stands still is not waited for. */
const maxWaits = 3;
/** More than this lies ahead only after a crash, or when the clock was set back. */
const maxAheadMs = 2;

/**
 * Resolves when the clock is in a later millisecond than the timestamp. Drivers stamp plain writes by their own clock, and some only
 * number those of a millisecond: one that writes as soon as it is told of a write with the server's microseconds would lose against it.
 */
export async function millisecondOver(
  clock: Pick<Clock, 'now'>,
  scheduler: Scheduler,
  timestamp: bigint,
): Promise<void> {
  const overMs = Math.floor(Number(timestamp) / 1_000) + 1;
  for (let waits = 0; waits < maxWaits; waits++) {
    const leftMs = overMs - clock.now();
    if (leftMs <= 0 || leftMs > maxAheadMs) return;
    await new Promise<void>((resolve) => {
      scheduler.after(leftMs, resolve);
    });
  }
}
