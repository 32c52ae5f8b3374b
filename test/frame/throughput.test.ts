// Throughput as somebody outside sees it: set, spent, refused, raised, kept over a restart.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ThroughputView } from '../../src/execution/describe-throughput.ts';
import type { UsageView } from '../../src/execution/describe-usage.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { eventually, postJson, runCommand, temporaryDirectory } from '../support/start-ringfold.ts';
import { heldSplits, type Refusal, standingTime, withServer } from '../support/throughput-client.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('every answer says what it cost, and why', () =>
  withServer({}, async (client) => {
    const container = await client.makeContainer({});
    const created = await client.put(container, 'theo/1', 1_024);
    assert.equal(created.headers.get('x-ms-request-charge'), '4.95');
    assert.equal(created.body.chargeRu, 4.95);
    assert.equal((await client.put(container, 'theo/1', 4_096)).body.chargeRu, 11.62);
    const read = await client.ask(`containers/${container}/rows/theo/1`);
    assert.equal(read.headers.get('x-ms-request-charge'), '1.14');
    const absent = await client.ask(`containers/${container}/rows/theo/2`);
    assert.deepEqual([absent.status, absent.headers.get('x-ms-request-charge')], [404, '1']);
    const listed = await client.ask<{ chargeRu: number; chargeParts: { text: string; chargeRu: number }[] }>(
      `containers/${container}/rows/theo`,
    );
    assert.equal(listed.body.chargeRu, 2.79);
    assert.deepEqual(
      listed.body.chargeParts.map(({ text, chargeRu }) => [text, chargeRu]),
      [
        ['1 physical partition visited', 2.5],
        ['1 item of 4 KB loaded', 0.06],
        ['1 item of 4 KB returned', 0.23],
      ],
    );
    const deleted = await client.ask<{ chargeRu: number }>(`containers/${container}/rows/theo/1`, {
      method: 'DELETE',
    });
    assert.equal(deleted.body.chargeRu, 6.67);
  }));

test('what exceeds 400 RU/s is refused with how long to wait, where and by whom, and succeeds after the wait', (context) =>
  withServer({ throughput: { burst: false } }, async (client) => {
    const container = await client.makeContainer({ ruPerSecond: 400 });
    // What is shown is the last minute's, so all of it must be in one.
    await eventually('a minute has begun', () => systemClock.monotonic() % 60_000 < 40_000);
    const time = standingTime(context);
    // 625 RU for each megabyte: a debt of more than half a second.
    assert.equal((await client.put(container, 'tenant-7/1', 2 ** 20)).status, 200);
    const { status, headers, body } = await client.put(container, 'tenant-8/1', 10);
    assert.equal(status, 429);
    assert.equal(body.code, 'throughput-exceeded');
    const { retryAfterMs, physicalPartition, budgetRuPerSecond, hottestLogicalPartition } = body.details;
    assert.deepEqual([physicalPartition, budgetRuPerSecond, hottestLogicalPartition], [0, 400, 'tenant-7']);
    assert.ok(typeof retryAfterMs === 'number' && retryAfterMs > 0 && retryAfterMs <= 563, `${retryAfterMs}`);
    assert.equal(headers.get('x-ms-retry-after-ms'), String(retryAfterMs));
    assert.equal(headers.get('retry-after'), '1');
    time.goOn();
    await pause(retryAfterMs);
    assert.equal((await client.put(container, 'tenant-8/1', 10)).status, 200);
    await eventually('the second is over', async () => {
      const { body: usage } = await client.ask<UsageView>('usage');
      const [used] = usage.containers;
      const counts = used?.minutes.flatMap(({ counts }) => counts) ?? [];
      const refused = counts.find((count) => count.status === 'throughput-exceeded');
      assert.equal(used?.partitions[0]?.hotKey, 'tenant-7');
      const [partition] = (await client.throughput(container)).partitions;
      return refused?.requests === 1 && partition?.normalizedPercent === 100;
    });
  }));

test('the default is shown as 400 RU/s and enforced only where the server is told to', async (context) => {
  await withServer({}, async (client) => {
    const container = await client.makeContainer({});
    assert.equal((await client.put(container, 'a/1', 2 ** 20)).status, 200);
    assert.equal((await client.put(container, 'a/1', 10)).status, 200);
    const { setting, isEnforced, provisioned } = await client.throughput(container);
    assert.deepEqual([setting, isEnforced], [{ kind: 'default' }, false]);
    assert.deepEqual(provisioned?.shown, { kind: 'manual', ruPerSecond: 400 });
  });
  await withServer({ throughput: { enforceDefaults: true, burst: false } }, async (client) => {
    const container = await client.makeContainer({});
    standingTime(context);
    assert.equal((await client.put(container, 'a/1', 2 ** 20)).status, 200);
    assert.equal((await client.put(container, 'a/1', 10)).status, 429);
  });
});

test('more than the partitions carry is pending while they are split, then takes effect, and no row is lost', () =>
  withServer({}, async (client) => {
    const container = await client.makeContainer({ ruPerSecond: 400 });
    for (let n = 0; n < 20; n++) await client.put(container, `key-${n}/1`, 20);
    const raised = await client.change(container, { ruPerSecond: 25_000 });
    assert.equal(raised.status, 202);
    assert.deepEqual(raised.body.setting, { kind: 'manual', ruPerSecond: 400 });
    assert.deepEqual(raised.body.pending?.setting, { kind: 'manual', ruPerSecond: 25_000 });
    assert.equal(raised.body.pending?.partitionTarget, 3);
    await eventually('it has taken effect', async () => {
      return (await client.throughput(container)).pending === undefined;
    });
    const view = await client.throughput(container);
    assert.deepEqual(view.setting, { kind: 'manual', ruPerSecond: 25_000 });
    assert.equal(view.provisioned?.instantMaximumRu, 30_000);
    assert.deepEqual(
      view.partitions.map(({ id, ruPerSecond }) => [id, Math.round(ruPerSecond)]),
      [
        [3, 8_333],
        [4, 8_333],
        [2, 8_333],
      ],
    );
    for (let n = 0; n < 20; n++)
      assert.equal((await client.ask(`containers/${container}/rows/key-${n}/1`)).status, 200);
    assert.equal((await client.change(container, { ruPerSecond: 30_000 })).status, 200);
  }));

test('while a change is pending others are refused, and its progress is shown', (context) =>
  withServer({}, async (client) => {
    const container = await client.makeContainer({ ruPerSecond: 400 });
    const splits = heldSplits(context, client);
    assert.equal((await client.change(container, { ruPerSecond: 45_000 })).status, 202);
    await splits.pass(2);
    for (const other of [{ ruPerSecond: 500 }, { migrateTo: 'autoscale' }, { targets: { 1: 500 } }]) {
      const { status, body } = await client.change<Refusal>(container, other);
      assert.deepEqual([status, body.code], [423, 'throughput-change-pending'], JSON.stringify(other));
      assert.match(String(body.details['cosmosMessage']), /Another scaling operation is in progress/);
    }
    const { pending, setting } = await client.throughput(container);
    assert.deepEqual(setting, { kind: 'manual', ruPerSecond: 400 });
    assert.deepEqual(
      [pending?.partitionTarget, pending?.partitionCount, pending?.splitsDone, pending?.failures],
      [5, 3, 2, 0],
    );
    assert.equal(pending?.splitting?.container, container);
    splits.release();
    await eventually('it has taken effect', async () => {
      return (await client.throughput(container)).pending === undefined;
    });
    assert.equal((await client.change(container, { ruPerSecond: 500 })).status, 200);
  }));

test('what Cosmos would refuse is refused in its words, and changes nothing', () =>
  withServer({}, async (client) => {
    const container = await client.makeContainer({ ruPerSecond: 400 });
    const before = await client.throughput(container);
    const cases: readonly (readonly [body: object, message: RegExp])[] = [
      [{ ruPerSecond: 300 }, /Requested throughput 300 is less than required minimum throughput 400\./],
      [{ ruPerSecond: 450 }, /in increments of 100\.$/],
      [{ ruPerSecond: 2_000_000 }, /more than possible maximum throughput 1000000/],
      [{ ruPerSecond: 400.5 }, /The value '400.5' specified/],
      [{ ruPerSecond: 400, maxRuPerSecond: 1_000 }, /cannot be specified together/],
      [{ maxRuPerSecond: 1_000 }, /^x-ms-cosmos-migrate-offer-to-autopilot must be supplied/],
      [{ targets: { 7: 500 } }, /Physical partition 7 does not exist/],
    ];
    for (const [body, message] of cases) {
      const { status, body: refusal } = await client.change<Refusal>(container, body);
      assert.deepEqual([status, refusal.code], [400, 'bad-throughput'], JSON.stringify(body));
      assert.match(String(refusal.details['cosmosMessage']), message);
    }
    for (const body of [{}, { ruPerSecond: 500, policy: 'equal' }, { policy: 'custom' }, { migrateTo: 'x' }])
      assert.equal((await client.change<Refusal>(container, body)).body.code, 'bad-request');
    const buckets = { controlBuckets: [{ id: 9, maxThroughputPercentage: 10 }] };
    assert.equal((await client.change<Refusal>(container, buckets)).status, 400);
    const { partitions: _now, ...after } = await client.throughput(container);
    const { partitions: _then, ...expected } = before;
    assert.deepEqual(after, expected);
    const refused = await client.ask<Refusal>('containers', postJson({ ruPerSecond: 100 }));
    assert.deepEqual([refused.status, refused.body.code], [400, 'bad-throughput']);
    const many = await client.ask<Refusal>('containers', postJson({ ruPerSecond: 25_000, partitions: 2 }));
    assert.deepEqual([many.status, many.body.code], [400, 'bad-throughput']);
  }));

test('autoscale is migrated to, shows its level and peak, and is billed by the hour', () =>
  withServer({ throughput: { burst: false } }, async (client) => {
    const container = await client.makeContainer({ ruPerSecond: 400 });
    const migrated = await client.change(container, { migrateTo: 'autoscale' });
    assert.deepEqual(migrated.body.setting, { kind: 'autoscale', maxRuPerSecond: 1_000 });
    assert.deepEqual(migrated.body.autoscale, { levelRu: 100, hourPeakRu: 100 });
    await client.put(container, 'a/1', 2 ** 20);
    await eventually('it has scaled', async () => {
      return ((await client.throughput(container)).autoscale?.hourPeakRu ?? 0) > 100;
    });
    const { autoscale, monthUsd } = await client.throughput(container);
    // 625 of 1,000 RU/s in one second of five.
    assert.equal(Math.round(autoscale?.hourPeakRu ?? 0), 125);
    assert.equal(Math.round(monthUsd.throughputUsd * 100), Math.round(2 * 0.012 * 730 * 100));
    const back = await client.change(container, { migrateTo: 'manual' });
    assert.deepEqual(back.body.setting, { kind: 'manual', ruPerSecond: 1_000 });
  }));

test('throughput is redistributed between partitions, which are split where one cannot carry it, and made equal again', () =>
  withServer({}, async (client) => {
    const container = await client.makeContainer({ ruPerSecond: 6_000, partitions: 2 });
    const answer = await client.change(container, { targets: { 0: 5_000, 1: 20_000 } });
    assert.equal(answer.status, 202);
    assert.deepEqual(answer.body.setting, { kind: 'manual', ruPerSecond: 25_000 });
    await eventually('it is split', async () => (await client.throughput(container)).pending === undefined);
    const rates = async () =>
      (await client.throughput(container)).partitions.map(({ id, ruPerSecond }) => [
        id,
        Math.round(ruPerSecond),
      ]);
    assert.deepEqual(await rates(), [
      [0, 5_000],
      [2, 10_000],
      [3, 10_000],
    ]);
    const refused = await client.change<Refusal>(container, { ruPerSecond: 10_000 });
    assert.match(String(refused.body.details['cosmosMessage']), /throughput policy to Equal/);
    assert.equal((await client.change(container, { policy: 'equal' })).body.provisioned?.policy, 'equal');
    assert.equal((await client.change(container, { ruPerSecond: 12_000 })).status, 200);
    assert.deepEqual(await rates(), [
      [0, 4_000],
      [2, 4_000],
      [3, 4_000],
    ]);
  }));

test('a serverless server takes no throughput, gives each partition 5,000 RU/s, and can be left', () =>
  withServer({ throughput: { serverless: true } }, async (client) => {
    const refused = await client.ask<Refusal>('containers', postJson({ ruPerSecond: 400 }));
    assert.match(String(refused.body.details['cosmosMessage']), /not supported for serverless accounts/);
    const container = await client.makeContainer({});
    await client.put(container, 'a/1', 1_024);
    const view = await client.throughput(container);
    assert.deepEqual([view.setting, view.partitions[0]?.ruPerSecond], [{ kind: 'serverless' }, 5_000]);
    const moved = await client.change(container, { migrateTo: 'provisioned' });
    assert.deepEqual(moved.body.setting, { kind: 'manual', ruPerSecond: 5_000 });
  }));

test('low priority and throughput buckets are refused first', (context) =>
  withServer({ throughput: { burst: false } }, async (client) => {
    const container = await client.makeContainer({ ruPerSecond: 1_000 });
    const buckets = { controlBuckets: [{ id: 2, maxThroughputPercentage: 10 }] };
    assert.equal((await client.change(container, buckets)).status, 200);
    standingTime(context);
    const put = (headers: Record<string, string>, sizeBytes: number) =>
      client.ask<Refusal>(`containers/${container}/rows/a/1`, {
        method: 'PUT',
        body: Buffer.alloc(sizeBytes, 'x'),
        headers,
      });
    const inBucket = { 'x-ms-cosmos-throughput-bucket': '2' };
    assert.equal((await put(inBucket, 600_000)).status, 200);
    assert.equal((await put(inBucket, 10)).body.code, 'throughput-bucket-exceeded');
    assert.equal((await put({}, 300_000)).status, 200);
    assert.equal((await put({ 'x-ms-cosmos-priority-level': 'Low' }, 10)).status, 429);
    assert.equal((await put({ 'x-ms-cosmos-priority-level': 'urgent' }, 10)).status, 400);
  }));

test('a restart keeps settings, shares, buckets and the peak of the hour', async (context) => {
  const dataDir = join(temporaryDirectory(context), 'data');
  const containers: number[] = [];
  await withServer({ dataDir }, async (client) => {
    // So that nothing is saved up to pay with.
    const time = standingTime(context);
    await client.ask('databases', postJson({ database: 'shop', maxRuPerSecond: 4_000 }));
    containers.push(
      await client.makeContainer({ ruPerSecond: 700 }),
      await client.makeContainer({ ruPerSecond: 6_000, partitions: 2 }),
      await client.makeContainer({ database: 'shop' }),
      await client.makeContainer({ maxRuPerSecond: 1_000 }),
      await client.makeContainer({}),
    );
    const [manual = 0, shared = 0, , autoscale = 0] = containers;
    await client.change(manual, { controlBuckets: [{ id: 1, maxThroughputPercentage: 20 }] });
    await client.change(shared, { targets: { 0: 5_000 }, sources: [1] });
    // A debt of some seconds, which the next life knows nothing of.
    await Promise.all(Array.from({ length: 5 }, (_, n) => client.put(manual, `a/${n}`, 2 ** 20)));
    assert.equal((await client.put(manual, 'a/9', 10)).status, 429);
    time.goOn();
    await client.put(autoscale, 'a/1', 2 ** 20);
    await eventually('the peak is known', async () => {
      return ((await client.throughput(autoscale)).autoscale?.hourPeakRu ?? 0) > 120;
    });
  });
  await withServer({ dataDir }, async (client) => {
    const views = await Promise.all(containers.map((container) => client.throughput(container)));
    assert.deepEqual(
      views.map(({ setting }) => setting),
      [
        { kind: 'manual', ruPerSecond: 700 },
        { kind: 'manual', ruPerSecond: 6_000 },
        { kind: 'shared' },
        { kind: 'autoscale', maxRuPerSecond: 1_000 },
        { kind: 'default' },
      ],
    );
    assert.deepEqual(views[0]?.controlBuckets, [{ id: 1, maxThroughputPercentage: 20 }]);
    assert.deepEqual(
      views[1]?.partitions.map(({ ruPerSecond }) => Math.round(ruPerSecond)),
      [5_000, 1_000],
    );
    assert.equal(views[2]?.database, 'shop');
    // Rounded up to what a bill counts in. The hour may have ended between the two lives.
    assert.ok([100, 200].includes(views[3]?.autoscale?.hourPeakRu ?? 0));
    const [manual = 0] = containers;
    const { balanceRu = 0, bankRu = 0 } = views[0]?.partitions[0] ?? {};
    assert.ok(balanceRu === 700 && bankRu < 60 * 700, `${balanceRu}, ${bankRu}`);
    assert.equal((await client.put(manual, 'a/9', 10)).status, 200);
    await client.ask(`containers/${manual}`, { method: 'DELETE' });
    const { body } = await client.ask<{ throughput: readonly ThroughputView[] }>('throughput');
    assert.deepEqual(
      body.throughput.map(({ container, database }) => container ?? database),
      ['shop', ...containers.slice(1)],
    );
  });
});

test('ringfold throughput shows and changes it', () =>
  withServer({}, async (client) => {
    const container = String(await client.makeContainer({ ruPerSecond: 400 }));
    const ringfold = (...words: string[]) =>
      runCommand(['throughput', ...words, '--port', String(client.server.port)]);
    const all = await ringfold();
    assert.equal(all.code, 0, all.stderr);
    assert.match(all.stdout, /^container +throughput +enforced/);
    const set = await ringfold(container, '--set', '1000');
    assert.equal(set.code, 0, set.stderr);
    assert.match(set.stdout, /^Container \d+: 1,000 RU\/s\n/);
    assert.match(set.stdout, /400 RU\/s at least \(the least there is\); up to 10,000 RU\/s at once/);
    assert.match(set.stdout, /partition +share % +RU\/s/);
    const refused = await ringfold(container, '--set', '950');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /in increments of 100/);
    assert.match(
      (await ringfold(container, '--migrate', 'autoscale')).stdout,
      /scaled to 100 RU\/s; this hour's peak/,
    );
    const given = await ringfold(container, '--give', '0=6000', '--json');
    assert.equal((JSON.parse(given.stdout) as ThroughputView).provisioned?.policy, 'custom');
    assert.match((await ringfold(container, '--bucket', '1=20,2=5')).stdout, /buckets +1: 20 %, 2: 5 %/);
    await client.ask('databases', postJson({ database: 'my shop', ruPerSecond: 20_000 }));
    const shared = await ringfold('--database', 'my shop', '--give', '1=5000');
    assert.equal(shared.code, 0, shared.stderr);
    assert.match(shared.stdout, /^Database my shop: 15,000 RU\/s\n/);
    assert.match(shared.stdout, /\n +1 +33\.33 +5000 /);
  }));
