import type { Scheduler } from '../../foundation/scheduler.ts';

/**
 * The end of a turn of the event loop, for all nodes of a store together: what one turn has queued on several nodes is handed to all of
 * them before any of them can have answered.
 */
export class TurnEnds {
  readonly #scheduler: Scheduler;
  #waiting: (() => void)[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Runs the task, which must not throw, at the end of this turn; or of the next, if this is the end of one. */
  add(task: () => void): void {
    if (this.#waiting.length === 0) this.#scheduler.after(0, this.#run);
    this.#waiting.push(task);
  }

  readonly #run = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const task of waiting) task();
  };
}
