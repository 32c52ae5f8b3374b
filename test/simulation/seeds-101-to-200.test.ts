import { test } from 'node:test';
import { expectSeedsToHold } from './expect-seeds.ts';

test('seeds 101 to 200 lose no acknowledged write, show none half, un-read none, and end with equal replicas', () =>
  expectSeedsToHold(101, 200));
