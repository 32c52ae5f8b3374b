import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlantedFault } from '../../src/replication/store-settings.ts';
import { seedsFrom, seedThatFinds } from './expect-seeds.ts';

/**
 * How many seeds, from 1 on, each bug may take to be found. When this was written a run in so many found them: 14, 3, 33, 80, 4
 * and 15. Three of them need two histories to meet in one partition, or the only two holders of a write to be gone.
 */
const seedsAllowed: Record<PlantedFault, number> = {
  'acknowledge-at-two': 120,
  'skip-sync': 30,
  'write-on-after-failure': 250,
  'join-without-epochs': 400,
  'skip-entry-in-catch-up': 50,
  'copy-without-clearing': 120,
};

for (const [fault, allowed] of Object.entries(seedsAllowed)) {
  test(`the simulation finds a store with the bug ${fault} within ${allowed} seeds`, async (context) => {
    const seed = await seedThatFinds(fault as PlantedFault, seedsFrom(1, allowed));
    context.diagnostic(`found by seed ${seed}`);
    assert.notEqual(seed, undefined);
  });
}
