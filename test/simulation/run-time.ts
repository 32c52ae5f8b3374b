import type { SimulatedTime } from './simulated-time.ts';

/** Simulated time runs until the work has ended. */
export async function during<T>(time: SimulatedTime, work: Promise<T>): Promise<T> {
  let isSettled = false;
  const end = (): void => {
    isSettled = true;
  };
  work.then(end, end);
  await time.run(() => isSettled, 10_000);
  return work;
}

/** Simulated time that never stops, for a suite that knows nothing of it, until what this returns is called. */
export function runOn(time: SimulatedTime): () => Promise<void> {
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      await time.run(() => isOver, 1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const running = run();
  return async () => {
    isOver = true;
    await running;
  };
}
