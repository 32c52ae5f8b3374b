// Runs operations at a fixed concurrency: each of so many callers begins its next operation when its last is answered. No promise
// is made for an operation unless the operation itself makes one, so the loop adds well under a microsecond to what it measures.

import type { Latencies } from './measure.ts';

/** Begins one operation and calls back once, later, when it is answered. */
export type BeginOperation = (done: () => void) => void;

export interface LoopResult {
  readonly operations: number;
  readonly seconds: number;
}

export function closedLoop(
  callers: number,
  seconds: number,
  begin: BeginOperation,
  latencies: Latencies,
): Promise<LoopResult> {
  return new Promise((resolve) => {
    const start = performance.now();
    const deadline = start + seconds * 1_000;
    let operations = 0;
    let running = callers;
    for (let caller = 0; caller < callers; caller++) {
      let began = start;
      const done = (): void => {
        const now = performance.now();
        latencies.add(now - began);
        operations += 1;
        began = now;
        if (now < deadline) begin(done);
        else if (--running === 0) resolve({ operations, seconds: (now - start) / 1_000 });
      };
      begin(done);
    }
  });
}

/**
 * For operations that are done when they return. On a machine that is busy with other things a second may hold too few of them
 * to get warm, so there is a least number.
 */
export function synchronousLoop(seconds: number, operation: () => void): LoopResult {
  const callsPerLook = 50;
  const leastOperations = 20_000;
  const start = performance.now();
  const deadline = start + seconds * 1_000;
  let operations = 0;
  let now = start;
  while (now < deadline || operations < leastOperations) {
    for (let call = 0; call < callsPerLook; call++) operation();
    operations += callsPerLook;
    now = performance.now();
  }
  return { operations, seconds: (now - start) / 1_000 };
}
