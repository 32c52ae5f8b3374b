import type { Clock } from '../../src/foundation/clock.ts';
import type { Scheduler } from '../../src/foundation/scheduler.ts';
import { EventQueue } from './event-queue.ts';

/** The event loop gets a turn after so many events, so that a test runner's own timers are not starved. */
const eventsPerTurn = 1024;

/** Some day in 2026: code that mistakes a duration for a date shows. */
const wallStartMs = 1_790_000_000_000;

export type RunEnd = 'reached' | 'idle' | 'too-late';

/**
 * The one time of a simulated cluster. Events run in the order of (time, sequence), and between two of them every
 * promise that can settle does; so a run depends on nothing but its seed.
 */
export class SimulatedTime implements Clock, Scheduler {
  readonly #queue = new EventQueue();
  #nowMs = 0;
  #wallShiftMs = 0;
  #events = 0;

  now(): number {
    return Math.floor(wallStartMs + this.#wallShiftMs + this.#nowMs);
  }

  microseconds(): number {
    return this.now() * 1_000;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  get events(): number {
    return this.#events;
  }

  after(delayMs: number, task: () => void): () => void {
    return this.#queue.add(this.#nowMs + Math.max(0, delayMs), task);
  }

  /** Steps the wall clock, in either direction. Durations do not notice. */
  jumpWallClock(byMs: number): void {
    this.#wallShiftMs += byMs;
  }

  /** Runs events until the condition holds, nothing is left to do, or the deadline is past. */
  run(isReached: () => boolean, withinMs: number): Promise<RunEnd> {
    const deadlineMs = this.#nowMs + withinMs;
    return new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          const end = this.#step(isReached, deadlineMs);
          if (end === undefined) next();
          else resolve(end);
        } catch (error) {
          reject(error);
        }
      };
      // A tick asked for from within a microtask runs when no microtask is left: a complete drain, without the
      // system call that a turn of the event loop costs.
      const next = (): void => {
        if (this.#events % eventsPerTurn === 0) setImmediate(step);
        else queueMicrotask(() => process.nextTick(step));
      };
      next();
    });
  }

  /** One event; undefined while there is more to do. */
  #step(isReached: () => boolean, deadlineMs: number): RunEnd | undefined {
    if (isReached()) return 'reached';
    const nextAtMs = this.#queue.nextAtMs();
    if (nextAtMs === undefined) return 'idle';
    if (nextAtMs > deadlineMs) {
      this.#nowMs = deadlineMs;
      return 'too-late';
    }
    const event = this.#queue.pop();
    this.#nowMs = nextAtMs;
    this.#events++;
    event?.task();
    return undefined;
  }
}
