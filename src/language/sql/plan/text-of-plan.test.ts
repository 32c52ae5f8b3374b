import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitionKeyDefinition } from '../../../partitioning/partition-key.ts';
import { parseSql } from '../parse-sql.ts';
import { planQuery } from './plan-query.ts';
import { textOfPlan } from './text-of-plan.ts';

test('weights have a point and keep their values, and nothing else in a plan is touched', () => {
  const scores = 'FullTextScore(c.t, "\\"componentWeights\\":[1]"), VectorDistance(c.v, [1])';
  const query = parseSql(`SELECT TOP 3 c.id FROM c ORDER BY RANK RRF(${scores}, [3, -0.5])`);
  const byKey = { partitionKey: partitionKeyDefinition('v2', ['/pk']), partitionKeyPaths: [['pk']] };
  const plan = planQuery(query, new Map(), byKey);
  const text = textOfPlan(plan);
  assert.ok(text.includes('"componentWeights":[3.0,-0.5]'), text);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(plan)));
});
