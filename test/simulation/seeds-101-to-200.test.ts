import { test } from 'node:test';
import { expectSeedsToHold, seedsFrom } from './expect-seeds.ts';

test('seeds 101 to 200 lose no acknowledged write, show none half, un-read none, and end with equal replicas', () =>
  expectSeedsToHold(seedsFrom(101, 200)));
