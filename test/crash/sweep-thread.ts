// A test runner follows every promise and handle of its own thread to know which test it is of, and a store is made of them: in a thread
// of its own nobody does, which takes a quarter off the time of a sweep.

import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { KillSweep, type SweptAct, type SweptOpening } from './kill-sweep.ts';

type Reply = { readonly cuts: string[] } | { readonly failure: unknown };

/** The thread as its test sees it. */
export class SweepThread {
  readonly #worker: Worker;

  constructor(directory: string) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: directory });
  }

  /** What was being done at each kill. One sweep at a time. */
  async run(what: SweptAct | SweptOpening): Promise<string[]> {
    const reply = once(this.#worker, 'message');
    this.#worker.postMessage(what);
    const [message] = (await reply) as [Reply];
    if ('failure' in message) throw message.failure;
    return message.cuts;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

async function answer(preparing: Promise<KillSweep>, what: SweptAct | SweptOpening): Promise<Reply> {
  try {
    return { cuts: await (await preparing).run(what) };
  } catch (failure) {
    return { failure };
  }
}

if (!isMainThread && parentPort !== null) {
  const preparing = KillSweep.prepare(workerData as string);
  const port = parentPort;
  port.on('message', (what: SweptAct | SweptOpening) => {
    void answer(preparing, what).then((reply) => port.postMessage(reply));
  });
}
