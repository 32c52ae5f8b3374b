// Runs seeds in a thread of its own until one breaks a rule. A test runner follows every promise of its own thread to know which test it
// is of, and a simulation is made of promises: here nobody follows them, which takes a third off its time.

import { parentPort, workerData } from 'node:worker_threads';
import type { PlantedFault } from '../../src/replication/store-settings.ts';
import { Simulation } from './simulation.ts';

export interface SeedTask {
  readonly seeds: readonly number[];
  readonly plantedFault: PlantedFault | undefined;
}

/** What the thread says at its end. */
export interface SeedReport {
  readonly failure:
    | { readonly seed: number; readonly violation: string; readonly history: readonly string[] }
    | undefined;
}

async function runSeeds({ seeds, plantedFault }: SeedTask): Promise<SeedReport> {
  for (const seed of seeds) {
    const { violation, history } = await new Simulation(seed, plantedFault, false).run();
    if (violation !== undefined)
      return { failure: { seed, violation: String(violation), history: history.slice(-30) } };
  }
  return { failure: undefined };
}

if (parentPort !== null) parentPort.postMessage(await runSeeds(workerData as SeedTask));
