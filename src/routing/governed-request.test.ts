import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { NO_BUCKET } from '../throughput/control-buckets.ts';
import { priceLists } from '../throughput/request-charge.ts';
import { RequestMeter } from '../throughput/request-meter.ts';
import { type GovernedWork, runGoverned } from './governed-request.ts';
import { ThroughputGovernor } from './throughput-governor.ts';

let nowMs = 0;
const clock = { now: () => nowMs, microseconds: () => nowMs * 1_000, monotonic: () => nowMs };
const address = { container: 7, physicalPartition: 0 };
const budget = { isEnforced: true, hasBurst: false, controlBuckets: [] };

function governed(): ThroughputGovernor {
  nowMs = 0;
  const governor = new ThroughputGovernor();
  const partitions = [{ id: 0, parents: [], ruPerSecond: 2 }];
  governor.govern(nowMs, 7, { kind: 'own', ...budget, partitions });
  return governor;
}

function work(): GovernedWork {
  const meter = new RequestMeter(priceLists['docs-2026']);
  const traits = { operation: 'read-item', priority: 'high', bucket: NO_BUCKET } as const;
  return { address, traits, logicalPartition: 'a', meter };
}

function readTwoMegabytes({ meter }: GovernedWork): void {
  meter.add({ kind: 'read-item', itemBytes: 2 ** 21, consistencyMultiplier: 1 });
}

test('work is spent when it is done, and what comes after it is refused without running', async () => {
  const governor = governed();
  const first = work();
  const result = await runGoverned(governor, clock, first, async () => {
    readTwoMegabytes(first);
    return 'read';
  });
  assert.equal(result, 'read');
  await assert.rejects(
    runGoverned(governor, clock, work(), async () => assert.fail('it must not run')),
    (error) => error instanceof RingfoldError && error.code === 'throughput-exceeded',
  );
});

test('work that fails is charged for what it did, under the code it failed with', async () => {
  const governor = governed();
  const failing = work();
  const failure = new RingfoldError('outcome-unknown');
  await assert.rejects(
    runGoverned(governor, clock, failing, async () => {
      readTwoMegabytes(failing);
      throw failure;
    }),
    (error) =>
      error instanceof RingfoldError && error.code === failure.code && error.details['chargeRu'] === 291.8,
  );
  nowMs = 1_000;
  const [count] = governor.minutes(nowMs, 7)[0]?.counts ?? [];
  assert.deepEqual([count?.status, count?.charge], ['outcome-unknown', 291.8]);
});

test('a partition that has moved has done nothing, and counts nothing', async () => {
  const governor = governed();
  assert.equal(await runGoverned(governor, clock, work(), async () => undefined), undefined);
  const elsewhere = { ...work(), address: { ...address, physicalPartition: 3 } };
  assert.equal(await runGoverned(governor, clock, elsewhere, async () => 'read'), undefined);
  nowMs = 1_000;
  assert.deepEqual(governor.minutes(nowMs, 7), []);
});

test('what belongs to a request that was admitted is charged, and not refused', async () => {
  const governor = governed();
  for (let time = 0; time < 2; time++) {
    const part = { ...work(), isAdmitted: true };
    await runGoverned(governor, clock, part, async () => {
      readTwoMegabytes(part);
      return 'read';
    });
  }
  nowMs = 1_000;
  assert.equal(governor.minutes(nowMs, 7)[0]?.charge, 2 * 291.8);
});
