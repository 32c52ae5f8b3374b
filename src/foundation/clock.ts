/** The only way to ask the time. The simulator gives a clock that moves when it says so. */
export interface Clock {
  /** Milliseconds since 1970. May step backwards: never order by it. */
  now(): number;
  /** Milliseconds from an arbitrary start that never go back: for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
