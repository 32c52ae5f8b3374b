import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../../test/support/memory-cluster.ts';
import { AutoscaleHoursRecords } from '../catalog/autoscale-hours.ts';
import { containerOwner, databaseOwner, textOfOwner } from '../catalog/throughput-owner.ts';
import { ThroughputRecords } from '../catalog/throughput-records.ts';
import type { Clock } from '../foundation/clock.ts';
import { silentLog } from '../foundation/log.ts';
import { systemScheduler } from '../foundation/scheduler.ts';
import { SharedStretches } from '../partitioning/shared-stretches.ts';
import type { RequestTraits } from '../routing/governed-partition.ts';
import { ThroughputGovernor } from '../routing/throughput-governor.ts';
import { ThroughputRates } from '../routing/throughput-rates.ts';
import { NO_BUCKET } from '../throughput/control-buckets.ts';
import { fromHundredths } from '../throughput/request-units.ts';
import { initialThroughput } from '../throughput/throughput-state.ts';
import { Autoscaler } from './autoscaler.ts';

const read: RequestTraits = { operation: 'read-item', priority: 'high', bucket: NO_BUCKET };
const hourMs = 3_600_000;

class ManualClock implements Clock {
  nowMs = 0;

  now(): number {
    return 1_000 * hourMs + this.nowMs;
  }

  microseconds(): number {
    return this.now() * 1_000;
  }

  monotonic(): number {
    return this.nowMs;
  }
}

test('the level follows what is spent, hours are billed by their peak, and a restart keeps both', () =>
  TestCluster.use({}, async ({ store, container }) => {
    const owner = containerOwner(container);
    const clock = new ManualClock();
    const records = await ThroughputRecords.load(store.records);
    const governor = new ThroughputGovernor();
    const mapOf = (one: number) => store.mapOf(one);
    const rates = new ThroughputRates({
      governor,
      records,
      mapOf,
      definitionOf: (one) => store.definitionOf(one),
      clock,
      hasBurst: false,
      enforceDefaults: false,
    });
    records.whenChanged((changed) => rates.refresh(changed));
    const state = initialThroughput({ kind: 'autoscale', maxRuPerSecond: 1_000 });
    await records.put(owner, { state, controlBuckets: [], database: undefined });
    const raised: string[] = [];
    const start = async () =>
      new Autoscaler({
        governor,
        records,
        hours: await AutoscaleHoursRecords.load(store.records),
        mapOf,
        clock,
        scheduler: systemScheduler,
        log: silentLog,
        raiseForStorage: async (one) => {
          raised.push(textOfOwner(one));
        },
      });
    const autoscaler = await start();
    const spend = (ru: number) =>
      governor
        .partition(container, 0)
        ?.spend(clock.nowMs, read, 'ok', 'a', fromHundredths(Math.round(ru * 100)));
    const pass = (ms: number) => {
      clock.nowMs += ms;
      autoscaler.tick();
    };
    assert.deepEqual(autoscaler.readingOf(owner), { ruPerSecond: 100, hourPeakRu: 100, pastPeaksRu: [] });
    for (let second = 0; second < 5; second++) {
      spend(1_000);
      // Ticks that come late lose no second.
      if (second !== 2) pass(1_000);
      else clock.nowMs += 1_000;
    }
    assert.equal(autoscaler.readingOf(owner)?.ruPerSecond, 1_000);
    pass(60_000);
    assert.equal(autoscaler.readingOf(owner)?.ruPerSecond, 100);
    assert.equal(autoscaler.readingOf(owner)?.hourPeakRu, 1_000);
    assert.deepEqual(raised, [textOfOwner(owner)]);
    await autoscaler.stop();
    const second = await start();
    assert.equal(second.readingOf(owner)?.hourPeakRu, 1_000);
    await second.stop();
    clock.nowMs += hourMs;
    const third = await start();
    assert.deepEqual(third.readingOf(owner), { ruPerSecond: 100, hourPeakRu: 100, pastPeaksRu: [1_000] });
    await third.stop();
    await records.put(owner, {
      state: initialThroughput({ kind: 'manual', ruPerSecond: 400 }),
      controlBuckets: [],
      database: undefined,
    });
    assert.equal(third.readingOf(owner), undefined);
  }));

test('a shared database is billed for what each of its stretches used', () =>
  TestCluster.use({}, async ({ store, container }) => {
    const clock = new ManualClock();
    const records = await ThroughputRecords.load(store.records);
    const governor = new ThroughputGovernor();
    const mapOf = (one: number) => store.mapOf(one);
    const definitionOf = (one: number) => store.definitionOf(one);
    const settings = { hasBurst: false, enforceDefaults: false };
    const rates = new ThroughputRates({ governor, records, mapOf, definitionOf, clock, ...settings });
    records.whenChanged((changed) => rates.refresh(changed));
    const shop = databaseOwner('shop');
    await records.put(shop, {
      state: initialThroughput({ kind: 'autoscale', maxRuPerSecond: 20_000 }),
      controlBuckets: [],
      database: undefined,
      stretches: SharedStretches.initial(2),
    });
    await records.put(containerOwner(container), {
      state: initialThroughput({ kind: 'shared' }),
      controlBuckets: [],
      database: 'shop',
    });
    const autoscaler = new Autoscaler({
      governor,
      records,
      hours: await AutoscaleHoursRecords.load(store.records),
      mapOf,
      clock,
      scheduler: systemScheduler,
      log: silentLog,
      raiseForStorage: async () => {},
    });
    for (let second = 0; second < 5; second++) {
      governor.partition(container, 0)?.spend(clock.nowMs, read, 'ok', 'a', fromHundredths(1_000_000));
      clock.nowMs += 1_000;
      autoscaler.tick();
    }
    // All of one half, and a tenth of the other.
    assert.equal(Math.round(autoscaler.readingOf(shop)?.ruPerSecond ?? 0), 11_000);
    assert.equal(governor.database('shop')?.seconds(clock.nowMs).at(-1)?.normalizedPercent, 100);
    await autoscaler.stop();
  }));
