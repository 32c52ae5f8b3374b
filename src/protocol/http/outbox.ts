import type { Scheduler } from '../../foundation/scheduler.ts';

export interface Sender {
  sendDue(): void;
}

/**
 * Has connections send when all that has come in this turn of the event loop has been read. To write as soon as an answer is known is to
 * change between our code and the kernel's with every request, and to wake the client in between: with 16 connections that made a
 * point read cost 82 µs of CPU, and this 54 (bench/results/2026-11-16-nosql.md).
 */
export class Outbox {
  readonly #scheduler: Scheduler;
  #due: Sender[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Once for each time that it has to send. */
  add(sender: Sender): void {
    if (this.#due.length === 0) this.#scheduler.after(0, this.#send);
    this.#due.push(sender);
  }

  readonly #send = (): void => {
    const due = this.#due;
    this.#due = [];
    for (const sender of due) sender.sendDue();
  };
}
