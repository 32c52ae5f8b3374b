import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HighPriorityDemand } from './request-priority.ts';

test('low leaves what high has spent in this second or the last, and after that nothing', () => {
  const demand = new HighPriorityDemand();
  assert.equal(demand.floorRu(0, 400), 0);
  demand.spend(500, 100);
  assert.equal(demand.floorRu(600, 400), 100);
  demand.spend(1_100, 30);
  assert.equal(demand.floorRu(1_900, 400), 100);
  assert.equal(demand.floorRu(2_000, 400), 30);
  assert.equal(demand.floorRu(3_000, 400), 0);
});

test('a long silence is forgotten at once', () => {
  const demand = new HighPriorityDemand();
  demand.spend(500, 100);
  assert.equal(demand.floorRu(7_000, 400), 0);
});

test('low leaves nine tenths of a second when high was refused or spends more than there is', () => {
  const refused = new HighPriorityDemand();
  refused.refuse(0);
  assert.equal(refused.floorRu(0, 400), 360);
  assert.equal(refused.floorRu(2_000, 400), 0);
  const busy = new HighPriorityDemand();
  busy.spend(0, 1e6);
  assert.equal(busy.floorRu(0, 400), 360);
});
