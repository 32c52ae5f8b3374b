import { RingfoldError } from '../errors/ringfold-error.ts';
import type { Scheduler } from '../foundation/scheduler.ts';

/** A page of a driver's usual size is done with fewer rows than this; beyond it a read is long. */
const rowsOfShortRead = 6_000;
/** Each holds some rows, so as many as this are in memory at once. */
const maxShort = 32;
/** Each may hold as much as an answer may have. A few that end are better than many that all come too late. */
const maxLong = 4;
/** Each holds what it has read up to here. */
const maxWaitingLong = 256;

/**
 * Reads that do not end in their first turn take turns. What a scheduler has for "now" it runs all before it looks at any socket, so
 * reads that each ask it for a turn would make everybody wait for all of them: here one goes on in each turn. Only so many walk at
 * once; the others wait and hold nothing. Long reads have a lane of their own, so that short ones do not wait until they end.
 */
export class ReadTurns {
  readonly #scheduler: Scheduler;
  readonly #short = new Lane(maxShort, Number.POSITIVE_INFINITY);
  readonly #long = new Lane(maxLong, maxWaitingLong);
  readonly #ready: (() => void)[] = [];
  #isPlanned = false;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Whoever is given a turn ends it. */
  async begin(): Promise<ReadTurn> {
    await this.#short.enter();
    let lane = this.#short;
    return {
      next: async (examined) => {
        if (examined > rowsOfShortRead && lane === this.#short) {
          this.#long.refuseIfFull();
          lane = this.#long;
          this.#short.leave();
          await this.#long.enter();
        }
        await this.#turn();
      },
      end: () => lane.leave(),
    };
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#ready.push(resolve);
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#scheduler.after(0, () => {
      this.#isPlanned = false;
      this.#ready.shift()?.();
      if (this.#ready.length > 0) this.#plan();
    });
  }
}

export interface ReadTurn {
  /** Lets whatever else is ready go first, and reads that have waited longer. The rows are those the read has looked at by now. */
  next(examined: number): Promise<void>;
  end(): void;
}

class Lane {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  constructor(max: number, maxWaiting: number) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
  }

  refuseIfFull(): void {
    if (this.#waiting.length < this.#maxWaiting) return;
    throw new RingfoldError('too-much-in-flight', {
      reason: 'Too many long reads at once',
      retryAfterMs: 1_000,
    });
  }

  async enter(): Promise<void> {
    if (this.#count < this.#max) {
      this.#count++;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    // Whoever comes in takes the place of the one that leaves.
    if (next === undefined) this.#count--;
    else next();
  }
}

const turnsOf = new WeakMap<Scheduler, ReadTurns>();

/** One for all reads of a server. */
export function readTurnsOf(scheduler: Scheduler): ReadTurns {
  const known = turnsOf.get(scheduler);
  if (known !== undefined) return known;
  const turns = new ReadTurns(scheduler);
  turnsOf.set(scheduler, turns);
  return turns;
}
