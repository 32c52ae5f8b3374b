import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ErrorCode } from '../errors/error-codes.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { PartitionShares } from './partition-shares.ts';
import type { ThroughputRequest } from './throughput-request.ts';
import { provisionedRu, type ThroughputSetting } from './throughput-setting.ts';
import {
  changeThroughput,
  checkEqualizing,
  finishPending,
  initialThroughput,
  migrateThroughput,
  minimumOf,
  nextPendingStep,
  provisionServerless,
  raiseForStorage,
  redistributeThroughput,
  type ThroughputState,
  type ThroughputSurroundings,
} from './throughput-state.ts';

const small: ThroughputSurroundings = {
  storageGb: 0,
  sharingContainers: 0,
  partitionCount: 1,
  sharePolicy: 'equal',
};
const none: ReadonlySet<number> = new Set();

/** Weights in any unit, by partition. */
function sharesOf(...weights: readonly number[]): PartitionShares {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return new PartitionShares(weights.map((weight, id) => ({ id, throughputFraction: weight / sum })));
}

function manual(ruPerSecond: number): ThroughputState {
  return initialThroughput({ kind: 'manual', ruPerSecond });
}

function autoscale(maxRuPerSecond: number): ThroughputState {
  return initialThroughput({ kind: 'autoscale', maxRuPerSecond });
}

function refused(code: ErrorCode, message: RegExp, attempt: () => unknown): void {
  assert.throws(attempt, (error) => {
    assert.ok(error instanceof RingfoldError);
    assert.equal(error.code, code);
    assert.match(String(error.details['cosmosMessage']), message);
    return true;
  });
}

test('what the partitions carry is set at once', () => {
  const state = changeThroughput(manual(30_000), { ruPerSecond: 50_000 }, { ...small, partitionCount: 5 });
  assert.deepEqual(state, manual(50_000));
});

test('what they do not carry waits for as many partitions as it needs, and the old setting holds until then', () => {
  const state = changeThroughput(manual(30_000), { ruPerSecond: 45_000 }, { ...small, partitionCount: 3 });
  assert.deepEqual(state, {
    setting: { kind: 'manual', ruPerSecond: 30_000 },
    highestRuEver: 30_000,
    pending: { kind: 'scale-up', setting: { kind: 'manual', ruPerSecond: 45_000 }, partitionTarget: 5 },
  });
  assert.deepEqual(finishPending(state), manual(45_000));
});

test('while a change is pending every other one is refused', () => {
  const state = changeThroughput(manual(10_000), { ruPerSecond: 20_000 }, small);
  const shares = sharesOf(1);
  const attempts = [
    () => changeThroughput(state, { ruPerSecond: 400 }, small),
    () => migrateThroughput(state, 'autoscale', small),
    () => redistributeThroughput(state, shares, { targets: new Map([[0, 500]]), sources: [] }, small),
    () => checkEqualizing(state),
  ];
  for (const attempt of attempts)
    refused('throughput-change-pending', /Another scaling operation is in progress/, attempt);
});

test('throughput can be lowered at once, but not below a hundredth of what it ever was', () => {
  const high = changeThroughput(manual(400), { ruPerSecond: 60_000 }, { ...small, partitionCount: 6 });
  const lowered = changeThroughput(high, { ruPerSecond: 600 }, { ...small, partitionCount: 6 });
  assert.deepEqual(lowered, {
    setting: { kind: 'manual', ruPerSecond: 600 },
    highestRuEver: 60_000,
    pending: undefined,
  });
  assert.deepEqual(minimumOf(lowered, small), { ruPerSecond: 600, because: 'highest-ever' });
  refused('bad-throughput', /Minimum limit 600 is because of Highest RUs provisioned 60000\.$/, () =>
    changeThroughput(lowered, { ruPerSecond: 500 }, small),
  );
});

test('a scale-up counts as the highest ever only when it is done', () => {
  const state = changeThroughput(manual(400), { ruPerSecond: 90_000 }, small);
  assert.equal(state.highestRuEver, 400);
  assert.equal(finishPending(state).highestRuEver, 90_000);
});

test('the kind changes by migrating only', () => {
  refused('bad-throughput', /^x-ms-cosmos-migrate-offer-to-autopilot must be supplied/, () =>
    changeThroughput(manual(400), { maxRuPerSecond: 1_000 }, small),
  );
  refused('bad-throughput', /^x-ms-cosmos-migrate-offer-to-manual-throughput must be supplied/, () =>
    changeThroughput(autoscale(1_000), { ruPerSecond: 400 }, small),
  );
});

test('a migration chooses the figure: autoscale what fits, manual the maximum', () => {
  assert.deepEqual(migrateThroughput(manual(10_000), 'autoscale', small), autoscale(10_000));
  assert.deepEqual(
    migrateThroughput(autoscale(20_000), 'manual', { ...small, partitionCount: 2 }),
    manual(20_000),
  );
  assert.deepEqual(migrateThroughput(autoscale(1_000), 'autoscale', small), autoscale(1_000));
  const full = migrateThroughput(manual(50_000), 'autoscale', {
    ...small,
    storageGb: 25_000,
    partitionCount: 5,
  });
  assert.deepEqual(full.pending, {
    kind: 'scale-up',
    setting: { kind: 'autoscale', maxRuPerSecond: 250_000 },
    partitionTarget: 25,
  });
});

test('the default is changed and migrated as the manual 400 RU/s it shows, and is set from then on', () => {
  const state = initialThroughput({ kind: 'default' });
  assert.equal(state.highestRuEver, 400);
  assert.deepEqual(changeThroughput(state, { ruPerSecond: 400 }, small), manual(400));
  assert.deepEqual(migrateThroughput(state, 'autoscale', small).setting, {
    kind: 'autoscale',
    maxRuPerSecond: 1_000,
  });
});

test('a change that asks for nothing changes nothing', () => {
  const state = manual(400);
  assert.equal(changeThroughput(state, {}, small), state);
});

test('serverless and sharing containers have no throughput to change', () => {
  const attempts: ((state: ThroughputState) => unknown)[] = [
    (state) => changeThroughput(state, { ruPerSecond: 400 }, small),
    (state) => migrateThroughput(state, 'autoscale', small),
    (state) => minimumOf(state, small),
    (state) => checkEqualizing(state),
  ];
  for (const attempt of attempts) {
    refused(
      'bad-throughput',
      /^Reading or replacing offers is not supported for serverless accounts\.$/,
      () => attempt(initialThroughput({ kind: 'serverless' })),
    );
    refused('bad-throughput', /created without dedicated throughput\.$/, () =>
      attempt(initialThroughput({ kind: 'shared' })),
    );
  }
});

test('a serverless container becomes manual with 5,000 RU/s for each partition', () => {
  assert.deepEqual(provisionServerless(initialThroughput({ kind: 'serverless' }), 3), manual(15_000));
});

test('a redistribution makes the sum the setting, and waits for the partitions it has to split', () => {
  const { state, fractions } = redistributeThroughput(
    manual(6_000),
    sharesOf(1, 1),
    {
      targets: new Map([
        [0, 5_000],
        [1, 20_000],
      ]),
      sources: [],
    },
    { ...small, partitionCount: 2 },
  );
  assert.deepEqual(state, {
    setting: { kind: 'manual', ruPerSecond: 25_000 },
    highestRuEver: 25_000,
    pending: { kind: 'redistribution', toSplit: [1] },
  });
  assert.deepEqual(
    [...fractions],
    [
      [0, 0.2],
      [1, 0.8],
    ],
  );
  assert.deepEqual(finishPending(state).setting, { kind: 'manual', ruPerSecond: 25_000 });
});

test('a sum between the steps is rounded up, and sources leave the setting alone', () => {
  const shares = sharesOf(1, 1, 1);
  const around = { ...small, partitionCount: 3 };
  const targets = new Map([[0, 5_000]]);
  const raised = redistributeThroughput(manual(10_000), shares, { targets, sources: [] }, around);
  assert.deepEqual(raised.state.setting, { kind: 'manual', ruPerSecond: 11_700 });
  const moved = redistributeThroughput(manual(10_000), shares, { targets, sources: [1, 2] }, around);
  assert.deepEqual(moved.state, manual(10_000));
});

test('what could not be used before is given up by a redistribution', () => {
  const moved = redistributeThroughput(
    manual(24_000),
    sharesOf(1_000, 4_000, 1_000),
    { targets: new Map([[0, 6_000]]), sources: [2] },
    { ...small, partitionCount: 3 },
  );
  assert.deepEqual(moved.state.setting, { kind: 'manual', ruPerSecond: 18_000 });
  const rus = [...moved.fractions.values()].map((fraction) => Math.round(fraction * 18_000));
  assert.deepEqual(rus, [6_000, 10_000, 2_000]);
});

test('a database that nobody shares yet scales as far as one partition carries', () => {
  const empty: ThroughputSurroundings = { ...small, partitionCount: 0 };
  assert.deepEqual(changeThroughput(autoscale(1_000), { maxRuPerSecond: 10_000 }, empty), autoscale(10_000));
  refused('bad-throughput', /^There are no collections using the shared database offer\./, () =>
    changeThroughput(autoscale(1_000), { maxRuPerSecond: 12_000 }, empty),
  );
});

test('a redistribution cannot go where the setting could not', () => {
  refused('bad-throughput', /less than required minimum throughput 400/, () =>
    redistributeThroughput(manual(400), sharesOf(1), { targets: new Map([[0, 100]]), sources: [] }, small),
  );
});

test('after a redistribution the total changes by redistributing only, until shares are equal again', () => {
  const custom: ThroughputSurroundings = { ...small, partitionCount: 2, sharePolicy: 'custom' };
  refused('bad-throughput', /throughput policy to Equal/, () =>
    changeThroughput(manual(6_000), { ruPerSecond: 8_000 }, custom),
  );
  refused('bad-throughput', /throughput policy to Equal/, () =>
    migrateThroughput(manual(6_000), 'autoscale', custom),
  );
  checkEqualizing(manual(6_000));
});

test('autoscale that its data has outgrown is raised, by splits if it must; nothing else is', () => {
  const around = { ...small, storageGb: 900 };
  assert.equal(raiseForStorage(manual(400), around).setting.kind, 'manual');
  assert.deepEqual(raiseForStorage(autoscale(4_000), around), autoscale(9_000));
  const pending = raiseForStorage(autoscale(4_000), { ...small, storageGb: 1_500 });
  assert.deepEqual(pending.pending?.kind, 'scale-up');
  assert.equal(raiseForStorage(pending, { ...small, storageGb: 5_000 }), pending);
  assert.equal(raiseForStorage(pending, small), pending);
});

test('a pending redistribution is done when the partitions it named are gone', () => {
  const pending = { kind: 'redistribution', toSplit: [1, 4] } as const;
  const candidates = (...ids: number[]) => ids.map((id) => ({ id, ringShare: 1 / ids.length }));
  assert.deepEqual(nextPendingStep(pending, candidates(0, 1, 4), none), {
    kind: 'split',
    physicalPartition: 1,
  });
  assert.deepEqual(nextPendingStep(pending, candidates(0, 1, 4), new Set([1])), {
    kind: 'split',
    physicalPartition: 4,
  });
  assert.deepEqual(nextPendingStep(pending, candidates(0, 1, 5, 6), new Set([1])), { kind: 'stuck' });
  assert.deepEqual(nextPendingStep(pending, candidates(0, 5, 6, 7, 8), none), { kind: 'done' });
});

test('a pending scale-up asks for splits until there are enough partitions', () => {
  const { pending } = changeThroughput(manual(10_000), { ruPerSecond: 30_000 }, small);
  assert.ok(pending !== undefined);
  const wide = [
    { id: 1, ringShare: 0.5 },
    { id: 2, ringShare: 0.5 },
  ];
  assert.deepEqual(nextPendingStep(pending, wide, none), { kind: 'split', physicalPartition: 1 });
  assert.deepEqual(nextPendingStep(pending, [...wide, { id: 3, ringShare: 0 }], none), { kind: 'done' });
});

test('whatever is asked for in whatever order, the setting stays one that can be given and the highest never falls', () => {
  const request: fc.Arbitrary<ThroughputRequest> = fc.oneof(
    fc.integer({ min: 0, max: 12_000 }).map((hundreds) => ({ ruPerSecond: hundreds * 100 })),
    fc.integer({ min: 0, max: 1_200 }).map((thousands) => ({ maxRuPerSecond: thousands * 1_000 })),
  );
  const start = fc.constantFrom<ThroughputSetting>(
    { kind: 'default' },
    { kind: 'manual', ruPerSecond: 400 },
    { kind: 'autoscale', maxRuPerSecond: 4_000 },
  );
  const step = fc.oneof(
    request.map(
      (wished) => (state: ThroughputState, around: ThroughputSurroundings) =>
        changeThroughput(state, wished, around),
    ),
    fc
      .constantFrom('manual' as const, 'autoscale' as const)
      .map(
        (to) => (state: ThroughputState, around: ThroughputSurroundings) =>
          migrateThroughput(state, to, around),
      ),
  );
  fc.assert(
    fc.property(start, fc.array(step, { maxLength: 30 }), (setting, steps) => {
      let state = initialThroughput(setting);
      let partitionCount = 1;
      for (const take of steps) {
        const before = state.highestRuEver;
        try {
          state = take(state, { ...small, partitionCount });
        } catch (error) {
          assert.ok(error instanceof RingfoldError && error.code === 'bad-throughput', String(error));
        }
        if (state.pending?.kind === 'scale-up') {
          partitionCount = state.pending.partitionTarget;
          state = finishPending(state);
        }
        assert.ok(state.highestRuEver >= before);
        if (state.setting.kind === 'manual' || state.setting.kind === 'autoscale') {
          const ru = provisionedRu(state.setting);
          assert.ok(ru >= minimumOf(state, small).ruPerSecond && ru <= 1_000_000);
          assert.ok(ru <= partitionCount * 10_000);
        }
      }
    }),
  );
});
