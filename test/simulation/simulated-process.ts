import type { Scheduler } from '../../src/foundation/scheduler.ts';
import type { SimulatedTime } from './simulated-time.ts';

/**
 * One life of the database's process. What it asked for is answered only while it lives: after `kill` no timer of its
 * fires and no promise of its settles, so its memory is as good as gone.
 */
export class SimulatedProcess implements Scheduler {
  readonly #time: SimulatedTime;
  #isAlive = true;

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  kill(): void {
    this.#isAlive = false;
  }

  after(delayMs: number, task: () => void): () => void {
    return this.#time.after(delayMs, () => {
      if (this.#isAlive) task();
    });
  }
}
