/** The only way to ask the time. The simulator gives a clock that moves when it says so. */
export interface Clock {
  /** Milliseconds since 1970. May step backwards: never order by it. */
  now(): number;
  /** Milliseconds from an arbitrary start that never go back: for durations. */
  monotonic(): number;
}

/** Whole seconds since 1970, as expiry counts them. */
export function secondsNow(clock: Pick<Clock, 'now'>): number {
  return Math.floor(clock.now() / 1_000);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
