import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SharedStretches } from '../partitioning/shared-stretches.ts';
import { NO_BUCKET } from '../throughput/control-buckets.ts';
import { PartitionShares } from '../throughput/partition-shares.ts';
import { errorOfRefusal } from '../throughput/request-refusal.ts';
import { fromHundredths } from '../throughput/request-units.ts';
import type { BudgetRest } from '../throughput/throughput-budget.ts';
import type { GovernedPartition, RequestTraits } from './governed-partition.ts';
import type { StretchedThroughput } from './governed-stretches.ts';
import { type OwnThroughput, ThroughputGovernor } from './throughput-governor.ts';

const container = 12;
const read: RequestTraits = { operation: 'read-item', priority: 'high', bucket: NO_BUCKET };
const ru = (amount: number) => fromHundredths(Math.round(amount * 100));

function throughput(
  partitions: OwnThroughput['partitions'],
  changed: Partial<OwnThroughput> = {},
): OwnThroughput {
  return { kind: 'own', isEnforced: true, hasBurst: false, controlBuckets: [], partitions, ...changed };
}

const first = (id: number, ruPerSecond: number) => ({ id, parents: [], ruPerSecond });

function governed(governor: ThroughputGovernor, id: number): GovernedPartition {
  const partition = governor.partition(container, id);
  assert.ok(partition !== undefined);
  return partition;
}

function restOf(governor: ThroughputGovernor, id: number, nowMs: number): BudgetRest {
  const rest = governed(governor, id).measure.budget?.rest(nowMs);
  assert.ok(rest !== undefined);
  return rest;
}

test('each physical partition spends a budget of its own', () => {
  const governor = new ThroughputGovernor();
  governor.govern(0, container, throughput([first(0, 400), first(1, 400)]));
  governed(governor, 0).spend(0, read, 'ok', 'a', ru(500));
  assert.notEqual(governed(governor, 0).admit(0, read), undefined);
  assert.equal(governed(governor, 1).admit(0, read), undefined);
});

test('a refusal says how long, where, of how much and by whom, and becomes an error with all of it', () => {
  const governor = new ThroughputGovernor();
  governor.govern(0, container, throughput([first(3, 400)]));
  const partition = governed(governor, 3);
  partition.spend(0, read, 'ok', 'small', ru(100));
  partition.spend(0, read, 'ok', 'large', ru(500));
  const refusal = partition.admit(0, read);
  const hottest = { logicalPartition: 'large', share: 500 / 600, shareAtLeast: 500 / 600 };
  assert.deepEqual(refusal, {
    cause: 'budget',
    waitMs: 501,
    physicalPartition: 3,
    budgetRuPerSecond: 400,
    hottest,
  });
  assert.equal(partition.hotOne()?.logicalPartition, 'large');
  assert.ok(refusal !== undefined);
  const error = errorOfRefusal(refusal);
  assert.equal(error.code, 'throughput-exceeded');
  assert.equal(error.details['retryAfterMs'], 501);
  assert.equal(errorOfRefusal({ ...refusal, cause: 'bucket' }).code, 'throughput-bucket-exceeded');
});

test('where throughput is only metered nobody is refused, all is counted, and nothing is held against anybody later', () => {
  const governor = new ThroughputGovernor();
  governor.govern(0, container, throughput([first(0, 400)], { isEnforced: false }));
  const partition = governed(governor, 0);
  partition.spend(0, read, 'ok', 'a', ru(100_000));
  assert.equal(partition.admit(0, read), undefined);
  assert.equal(governor.seconds(1_000, container)[0]?.normalizedPercent, 100);
  assert.equal(governor.seconds(1_000, container)[0]?.charge, 100_000);
  governor.govern(1_000, container, throughput([first(0, 400)]));
  assert.equal(partition.admit(1_000, read), undefined);
  partition.spend(1_000, read, 'ok', 'a', ru(400));
  assert.notEqual(partition.admit(1_000, read), undefined);
});

test('refused requests are counted by what refused them, at no charge', () => {
  const governor = new ThroughputGovernor();
  const controlBuckets = [{ id: 1, maxThroughputPercentage: 10 }];
  governor.govern(0, container, throughput([first(0, 400)], { controlBuckets }));
  const partition = governed(governor, 0);
  const inBucket: RequestTraits = { ...read, bucket: 1 };
  partition.spend(0, inBucket, 'ok', 'a', ru(100));
  assert.equal(partition.admit(0, inBucket)?.cause, 'bucket');
  partition.spend(0, read, 'ok', 'a', ru(400));
  assert.equal(partition.admit(0, { ...read, priority: 'low' })?.cause, 'budget');
  const counts = governor.minutes(1_000, container)[0]?.counts;
  assert.deepEqual(
    counts?.map(({ status, requests, charge }) => [status, requests, charge]),
    [
      ['ok', 2, 500],
      ['throughput-bucket-exceeded', 1, 0],
      ['throughput-exceeded', 1, 0],
    ],
  );
});

test('a container whose partitions are split goes on with its debts and its figures', () => {
  const governor = new ThroughputGovernor();
  governor.govern(0, container, throughput([first(0, 400)]));
  governed(governor, 0).spend(0, read, 'ok', 'a', ru(1_200));
  const children = [1, 2].map((id) => ({ id, parents: [0], ruPerSecond: 200 }));
  governor.govern(0, container, throughput(children));
  assert.equal(governor.partition(container, 0), undefined);
  assert.deepEqual(restOf(governor, 1, 0), { balanceRu: -400, bankRu: 0 });
  assert.equal(governor.minutes(5_000, container)[0]?.charge, 1_200);
  governor.govern(2 * 3_600_000, container, throughput(children));
  assert.deepEqual(governor.minutes(2 * 3_600_000, container), []);
});

test('a partition that nobody knew before has nothing to begin with, but in a new container', () => {
  const governor = new ThroughputGovernor();
  governor.govern(0, container, throughput([first(0, 400)]));
  assert.equal(restOf(governor, 0, 0).balanceRu, 400);
  governor.govern(0, container, throughput([first(0, 400), { id: 7, parents: [5], ruPerSecond: 400 }]));
  assert.equal(restOf(governor, 7, 0).balanceRu, 0);
  governor.forget(container);
  assert.equal(governor.partition(container, 0), undefined);
  assert.deepEqual(governor.minutes(0, container), []);
});

const halves = [
  { id: 0, ringPlace: 0 },
  { id: 1, ringPlace: 0.5 },
];

function stretched(ruPerSecond: number, stretches: SharedStretches): StretchedThroughput {
  const shares = new PartitionShares(stretches.list);
  const ruOf = (id: number) => shares.ruOf(id, ruPerSecond);
  return { stretches, ruOf, hasBurst: false, controlBuckets: [] };
}

test('more than one partition carries is divided: containers that share spend the budget of their stretch of ring', () => {
  const governor = new ThroughputGovernor();
  const two = SharedStretches.initial(2);
  governor.governDatabase(0, 'shop', stretched(20_000, two));
  for (const id of [1, 2]) governor.govern(0, id, { kind: 'shared', database: 'shop', partitions: halves });
  assert.equal(governor.partition(1, 1)?.measure.ruPerSecond, 10_000);
  governor.partition(1, 1)?.spend(0, read, 'ok', 'a', ru(11_000));
  assert.equal(governor.partition(2, 1)?.admit(0, read)?.budgetRuPerSecond, 10_000);
  assert.equal(governor.partition(2, 0)?.admit(0, read), undefined);
  // Lowering takes no stretch away.
  governor.governDatabase(0, 'shop', stretched(6_000, two));
  assert.equal(governor.partition(1, 1)?.measure.budget, governor.partition(2, 1)?.measure.budget);
  assert.equal(governor.partition(1, 1)?.measure.ruPerSecond, 3_000);
  assert.equal(governor.database('shop')?.seconds(1_000)[0]?.normalizedPercent, 100);
  governor.governDatabase(0, 'shop', stretched(6_000, two.merge(0, 1)));
  assert.equal(governor.partition(1, 1)?.measure.budget, governor.partition(2, 0)?.measure.budget);
  assert.equal(governor.partition(1, 1)?.measure.ruPerSecond, 6_000);
  assert.equal(governor.database('shop')?.minutes(1_000)[0]?.charge, 11_000);
});

test('who spends most of a shared budget is told to whoever is refused for it, whichever container it is in', () => {
  const governor = new ThroughputGovernor();
  governor.governDatabase(0, 'shop', stretched(400, SharedStretches.initial(1)));
  for (const id of [1, 2]) governor.govern(0, id, { kind: 'shared', database: 'shop', partitions: halves });
  governor.partition(1, 1)?.spend(0, read, 'ok', 'greedy', ru(500));
  governor.partition(2, 0)?.spend(0, read, 'ok', 'modest', ru(5));
  assert.equal(governor.partition(2, 0)?.admit(0, read)?.hottest?.logicalPartition, 'greedy');
  assert.equal(governor.partition(2, 0)?.hottest()[0]?.logicalPartition, 'modest');
});

test('no splits, merges and shares of a database make request units', () => {
  const change = fc.record({
    gapMs: fc.nat(1_500),
    kind: fc.constantFrom('split', 'merge', 'redistribute', 'equalize', 'spend'),
    at: fc.nat(20),
    ruPerSecond: fc.integer({ min: 1, max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const governor = new ThroughputGovernor();
      let stretches = SharedStretches.initial(1);
      const totalRu = 2_000;
      governor.governDatabase(0, 'shop', stretched(totalRu, stretches));
      let nowMs = 0;
      const allRu = () =>
        stretches.list.reduce(
          (sum, { id }) => sum + (governor.database('shop')?.stretch(id)?.budget.rest(nowMs).balanceRu ?? 0),
          0,
        );
      for (const { gapMs, kind, at, ruPerSecond } of changes) {
        nowMs += gapMs;
        const beforeRu = allRu();
        const index = at % stretches.list.length;
        const [chosen, next] = [stretches.list[index]?.id ?? 0, stretches.list[index + 1]?.id];
        if (kind === 'spend') {
          governor.database('shop')?.stretch(chosen)?.budget.spend(nowMs, ruPerSecond, 'high', NO_BUCKET);
          continue;
        }
        if (kind === 'split' && stretches.list.length < 20) stretches = stretches.split(chosen);
        else if (kind === 'merge' && next !== undefined) stretches = stretches.merge(chosen, next);
        else if (kind === 'equalize') stretches = stretches.withEqualThroughput();
        else if (kind === 'redistribute') {
          const shares = new PartitionShares(stretches.list);
          const { fractions } = shares.redistribute(totalRu, {
            targets: new Map([[chosen, ruPerSecond]]),
            sources: [],
          });
          stretches = stretches.withThroughputFractions(fractions);
        }
        governor.governDatabase(nowMs, 'shop', stretched(totalRu, stretches));
        assert.ok(allRu() <= beforeRu + 1e-6);
      }
    }),
  );
});

test('containers that share spend one budget, and how much they use is told of the database', () => {
  const governor = new ThroughputGovernor();
  const one = SharedStretches.initial(1);
  governor.governDatabase(0, 'shop', stretched(400, one));
  for (const id of [1, 2]) {
    governor.govern(0, id, { kind: 'shared', database: 'shop', partitions: halves });
  }
  governor.partition(1, 0)?.spend(0, read, 'ok', 'a', ru(100));
  governor.partition(2, 1)?.spend(0, read, 'ok', 'b', ru(200));
  assert.equal(governor.partition(2, 0)?.admit(0, read), undefined);
  assert.equal(governor.database('shop')?.minutes(1_000)[0]?.normalizedPercent, 75);
  assert.equal(governor.minutes(1_000, 2)[0]?.charge, 200);
  governor.partition(2, 1)?.spend(1_000, read, 'ok', 'b', ru(600));
  assert.equal(governor.partition(1, 0)?.admit(1_000, read)?.budgetRuPerSecond, 400);
  governor.governDatabase(1_000, 'shop', stretched(1_000, one));
  assert.equal(governor.partition(1, 0)?.admit(1_000, read)?.waitMs, 201);
  assert.equal(governor.partition(1, 0)?.measure.ruPerSecond, 1_000);
  governor.forgetDatabase('shop');
  assert.equal(governor.database('shop'), undefined);
});

test('no sequence of splits, merges and new rates makes request units', () => {
  const change = fc.record({
    gapMs: fc.nat(2_000),
    kind: fc.constantFrom('split', 'merge', 'redistribute', 'spend'),
    at: fc.nat(20),
    weights: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 20, maxLength: 20 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), fc.boolean(), (changes, hasBurst) => {
      const totalRu = 2_000;
      const governor = new ThroughputGovernor();
      let partitions = [first(0, totalRu)] as OwnThroughput['partitions'];
      governor.govern(0, container, throughput(partitions, { hasBurst }));
      let nextId = 1;
      let nowMs = 0;
      const allRu = () =>
        partitions.reduce((sum, { id }) => {
          const { balanceRu, bankRu } = restOf(governor, id, nowMs);
          return sum + balanceRu + bankRu;
        }, 0);
      for (const { gapMs, kind, at, weights } of changes) {
        nowMs += gapMs;
        const beforeRu = allRu();
        const index = at % partitions.length;
        const chosen = partitions[index]?.id ?? 0;
        if (kind === 'spend') {
          governed(governor, chosen).spend(nowMs, read, 'ok', 'a', ru((weights[0] ?? 0) * 50));
          continue;
        }
        // Who stays is no child of anybody any more: its parents are not governed.
        if (kind === 'split' && partitions.length < 20) {
          const children = [nextId, nextId + 1].map((id) => ({ id, parents: [chosen], ruPerSecond: 1 }));
          partitions = partitions.toSpliced(index, 1, ...children);
          nextId += 2;
        } else if (kind === 'merge' && index + 1 < partitions.length) {
          const parents = partitions.slice(index, index + 2).map(({ id }) => id);
          partitions = partitions.toSpliced(index, 2, { id: nextId++, parents, ruPerSecond: 1 });
        }
        const weightSum = partitions.reduce((sum, _, place) => sum + (weights[place] ?? 1), 0);
        partitions = partitions.map((partition, place) => ({
          ...partition,
          ruPerSecond: (totalRu * (weights[place] ?? 1)) / weightSum,
        }));
        governor.govern(nowMs, container, throughput(partitions, { hasBurst }));
        assert.ok(allRu() <= beforeRu + 1e-6);
      }
    }),
  );
});
