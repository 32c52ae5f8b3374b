import type { Scheduler } from './scheduler.ts';

/** The rests that background work takes. Whoever stops the work ends them, and waits for none. */
export class Rests {
  readonly #scheduler: Scheduler;
  readonly #wakes = new Set<() => void>();
  #isOver = false;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Whether the work is to stop. */
  get isOver(): boolean {
    return this.#isOver;
  }

  rest(forMs: number): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#wakes.delete(wake);
        resolve();
      };
      const cancel = this.#scheduler.after(forMs, wake);
      this.#wakes.add(wake);
    });
  }

  /** Those that are being taken end now, and no other begins. */
  end(): void {
    this.#isOver = true;
    for (const wake of this.#wakes) wake();
  }
}
