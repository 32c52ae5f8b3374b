/** The only way to do something later, so that a simulation decides what "later" means. */
export interface Scheduler {
  /** Runs the task once after the delay. The function returned cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

/** Whether the work ended, well or not, before the time was up. */
export function settlesWithin(
  scheduler: Scheduler,
  limitMs: number,
  work: Promise<unknown>,
): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = scheduler.after(limitMs, () => resolve(false));
    const end = () => {
      cancel();
      resolve(true);
    };
    work.then(end, end);
  });
}

/** Lets whatever else is ready go first. */
export function nextTurn(scheduler: Scheduler): Promise<void> {
  return new Promise((resolve) => {
    scheduler.after(0, resolve);
  });
}

export const systemScheduler: Scheduler = {
  after(delayMs, task) {
    if (delayMs === 0) {
      // A timer of no delay waits a millisecond; this one only lets what is ready go first.
      const turn = setImmediate(task);
      return () => clearImmediate(turn);
    }
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
