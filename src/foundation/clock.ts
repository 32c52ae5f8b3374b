/** The only way to ask the time. The simulator gives a clock that moves when it says so. */
export interface Clock {
  /** Milliseconds since 1970. May step backwards: never order by it. */
  now(): number;
  /** The same time in whole microseconds: clients stamp their writes in them, and the server's own must not lose by being coarse. */
  microseconds(): number;
  /** Milliseconds from an arbitrary start that never go back: for durations. */
  monotonic(): number;
}

/** Whole seconds since 1970, as expiry counts them. */
export function secondsNow(clock: Pick<Clock, 'now'>): number {
  return Math.floor(clock.now() / 1_000);
}

/**
 * Microseconds of a clock that tells milliseconds, by one that counts fractions from an origin. They stay within the millisecond that
 * the first one tells: when it is set, the origin follows, and is placed better with every millisecond that begins later than it says.
 */
export function microsecondsOf(
  milliseconds: () => number,
  monotonic: () => number,
  originMs: number,
): () => number {
  let origin = originMs;
  return () => {
    const now = milliseconds();
    const elapsed = monotonic();
    // Between the two questions a millisecond may have ended, which is no reason to move the origin.
    if (origin + elapsed < now || origin + elapsed > now + 2) origin = now - elapsed;
    return now * 1_000 + Math.min(999, Math.floor((origin + elapsed - now) * 1_000));
  };
}

const now = (): number => Date.now();
const monotonic = (): number => performance.now();

export const systemClock: Clock = {
  now,
  microseconds: microsecondsOf(now, monotonic, performance.timeOrigin),
  monotonic,
};
