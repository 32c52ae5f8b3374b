import assert from 'node:assert/strict';
import type { PlantedFault } from '../../src/replication/store-settings.ts';
import { Simulation } from './simulation.ts';

/** Every seed from `first` to `last` keeps every rule; the first that does not is reported with its faults. */
export async function expectSeedsToHold(first: number, last: number): Promise<void> {
  for (let seed = first; seed <= last; seed++) {
    const { violation, history } = await new Simulation(seed, undefined, false).run();
    assert.equal(
      violation,
      undefined,
      `npm run simulate -- ${seed}\n${history.slice(-30).join('\n')}\n${violation}`,
    );
  }
}

/** The first seed from `first` on, of at most `count`, in which a run with this bug breaks a rule. */
export async function seedThatFinds(
  fault: PlantedFault,
  first: number,
  count: number,
): Promise<number | undefined> {
  for (let seed = first; seed < first + count; seed++) {
    const { violation } = await new Simulation(seed, fault, false).run();
    if (violation !== undefined) return seed;
  }
  return undefined;
}
