import type { Log } from './log.ts';

/** Work that nobody waits for, except whoever stops the whole. A failure is written down: there is no caller to tell. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  add(work: Promise<unknown>): void {
    const tracked = work
      .catch((error) => this.#log.warn('background work failed', { reason: String(error) }))
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  async settle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
