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
 * the first one tells. The origin is moved only as far as this proves it wrong: when the clock is set it follows, and is placed better
 * by every millisecond that begins later, or ends earlier, than it says.
 */
export function microsecondsOf(
  milliseconds: () => number,
  monotonic: () => number,
  originMs: number,
): () => number {
  let origin = originMs;
  return () => {
    // The process may be held up between any two of these, so all that is known of the moment of the second is that it is between.
    const before = monotonic();
    const now = milliseconds();
    const after = monotonic();
    origin = Math.max(now - after, Math.min(now + 1 - before, origin));
    return now * 1_000 + Math.max(0, Math.min(999, Math.floor((origin + after - now) * 1_000)));
  };
}

const now = (): number => Date.now();
const monotonic = (): number => performance.now();

export const systemClock: Clock = {
  now,
  microseconds: microsecondsOf(now, monotonic, performance.timeOrigin),
  monotonic,
};
