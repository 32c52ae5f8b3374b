import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectSeedsToHold } from './expect-seeds.ts';
import { Simulation } from './simulation.ts';

/** Seeds that once failed. What made them fail is in the message of the commit that mended it. */
const keptSeeds: readonly number[] = [
  98, 225, 243, 391, 438, 506, 279, 906, 966, 1205, 1311, 1405, 1713, 2470, 3773, 3939, 5289, 6022, 10135,
];

test('the same seed gives the same run', async () => {
  for (const seed of [7, 8, 9]) {
    const first = await new Simulation(seed, undefined, false).run();
    const second = await new Simulation(seed, undefined, false).run();
    assert.equal(first.digest, second.digest);
    assert.equal(first.events, second.events);
  }
});

test('different seeds give different runs', async () => {
  const one = await new Simulation(1, undefined, false).run();
  const other = await new Simulation(2, undefined, false).run();
  assert.notEqual(one.digest, other.digest);
});

test('seeds that once failed hold', () => expectSeedsToHold(keptSeeds));
