import { test } from 'node:test';
import { expectSeedsToHold, seedsFrom } from './expect-seeds.ts';

// In two files, so that two processes share the work.
test('seeds 1 to 100 lose no acknowledged write, show none half, un-read none, and end with equal replicas', () =>
  expectSeedsToHold(seedsFrom(1, 100)));
