// Throughput that the containers of a database share, as somebody outside sees it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ThroughputView } from '../../src/execution/describe-throughput.ts';
import { LogicalPartition } from '../../src/partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../src/partitioning/partition-key.ts';
import { eventually, postJson, temporaryDirectory } from '../support/start-ringfold.ts';
import {
  type Refusal,
  standingTime,
  type ThroughputClient,
  withServer,
} from '../support/throughput-client.ts';

test('containers that share a database spend one budget, and the database goes when nobody shares it', (context) =>
  withServer({ throughput: { burst: false } }, async (client) => {
    const made = await client.ask('databases', postJson({ database: 'shop', ruPerSecond: 400 }));
    assert.equal(made.status, 201);
    const [one, two] = [
      await client.makeContainer({ database: 'shop' }),
      await client.makeContainer({ database: 'shop' }),
    ];
    assert.deepEqual((await client.throughput(one)).setting, { kind: 'shared' });
    const time = standingTime(context);
    assert.equal((await client.put(one, 'a/1', 2 ** 20)).status, 200);
    const refused = await client.put(two, 'b/1', 10);
    assert.deepEqual([refused.status, refused.body.details['budgetRuPerSecond']], [429, 400]);
    time.goOn();
    const own = await client.change<Refusal>(one, { ruPerSecond: 400 });
    assert.match(String(own.body.details['cosmosMessage']), /created without dedicated throughput/);
    const change = (body: object) =>
      client.ask<ThroughputView>('databases/shop/throughput', { ...postJson(body), method: 'PUT' });
    assert.equal((await change({ ruPerSecond: 30_000 })).status, 202);
    await eventually('there are three partitions', async () => {
      const { body } = await client.ask<ThroughputView>('databases/shop/throughput');
      return body.pending === undefined && body.partitionCount === 3;
    });
    assert.equal((await client.ask('databases/shop', { method: 'DELETE' })).status, 409);
    for (const container of [one, two]) await client.ask(`containers/${container}`, { method: 'DELETE' });
    assert.equal((await client.ask('databases/shop', { method: 'DELETE' })).status, 200);
    assert.equal((await client.ask('databases/shop/throughput')).status, 404);
    assert.equal((await client.ask('containers', postJson({ database: 'shop' }))).status, 404);
  }));

test('a shared database beyond 10,000 RU/s spends each part of it in its stretch of ring, is redistributed, and survives a restart', async (context) => {
  const dataDir = join(temporaryDirectory(context), 'data');
  const containers: number[] = [];
  const database = async (client: ThroughputClient): Promise<ThroughputView> =>
    (await client.ask<ThroughputView>('databases/shop/throughput')).body;
  const change = <T = ThroughputView>(client: ThroughputClient, body: object) =>
    client.ask<T>('databases/shop/throughput', { ...postJson(body), method: 'PUT' });
  const rates = ({ partitions }: ThroughputView) =>
    partitions.map(({ id, ruPerSecond }) => [id, Math.round(ruPerSecond)]);
  /** A key of the container in its physical partition. */
  const keyIn = (client: ThroughputClient, container: number, physicalPartition: number): string => {
    const map = client.server.store.mapOf(container);
    for (let n = 0; ; n++) {
      const { ringPosition } = new LogicalPartition(container, cqlPartitionKey([Buffer.from(`key-${n}`)]));
      if (map?.ownerOf(ringPosition).id === physicalPartition) return `key-${n}`;
    }
  };
  await withServer({ dataDir, throughput: { burst: false } }, async (client) => {
    assert.equal(
      (await client.ask('databases', postJson({ database: 'shop', ruPerSecond: 20_000 }))).status,
      201,
    );
    // Nobody shares it yet: there is nothing to split.
    const early = await change<Refusal>(client, { ruPerSecond: 50_000 });
    assert.match(String(early.body.details['cosmosMessage']), /There are no collections/);
    for (let n = 0; n < 2; n++) containers.push(await client.makeContainer({ database: 'shop' }));
    const [one = 0, two = 0] = containers;
    assert.deepEqual(rates(await database(client)), [
      [0, 10_000],
      [1, 10_000],
    ]);
    // Lowered, so that few rows are a debt that lasts: one key spends what its stretch has, in both containers, and nothing of the other.
    assert.deepEqual(rates((await change(client, { ruPerSecond: 800 })).body), [
      [0, 400],
      [1, 400],
    ]);
    const greedy = keyIn(client, one, 0);
    const time = standingTime(context);
    await client.put(one, `${greedy}/1`, 2 ** 20);
    const other = await client.put(two, `${keyIn(client, two, 0)}/1`, 10);
    const { budgetRuPerSecond, hottestLogicalPartition, retryAfterMs } = other.body.details;
    assert.deepEqual([other.status, budgetRuPerSecond, hottestLogicalPartition], [429, 400, greedy]);
    assert.ok(Number(retryAfterMs) > 0);
    for (const container of containers)
      assert.equal((await client.put(container, `${keyIn(client, container, 1)}/1`, 10)).status, 200);
    time.goOn();
    // Two partitions carry it, so it is there at once.
    assert.equal((await change(client, { ruPerSecond: 20_000 })).status, 200);
    // A redistribution splits what one partition does not carry, in both containers.
    const given = await change(client, { targets: { 1: 16_000 } });
    assert.deepEqual([given.status, given.body.provisioned?.policy], [202, 'custom']);
    await eventually('it is split', async () => (await database(client)).pending === undefined);
    const bound = await change<Refusal>(client, { ruPerSecond: 30_000 });
    assert.match(String(bound.body.details['cosmosMessage']), /throughput policy to Equal/);
  });
  await withServer({ dataDir, throughput: { burst: false } }, async (client) => {
    const view = await database(client);
    assert.deepEqual(view.setting, { kind: 'manual', ruPerSecond: 26_000 });
    assert.deepEqual(rates(view), [
      [0, 10_000],
      [2, 8_000],
      [3, 8_000],
    ]);
    for (const container of containers) {
      assert.deepEqual(
        (await client.throughput(container)).partitions.map(({ ruPerSecond }) => Math.round(ruPerSecond)),
        [10_000, 8_000, 8_000],
      );
    }
    assert.equal((await change(client, { policy: 'equal' })).status, 200);
    // Lowering takes no partition away, and leaves the minimum of what it once was.
    const lowered = await change(client, { ruPerSecond: 3_000 });
    assert.deepEqual(rates(lowered.body), [
      [0, 1_000],
      [2, 1_000],
      [3, 1_000],
    ]);
    assert.equal(lowered.body.provisioned?.instantMaximumRu, 30_000);
    const merged = await change(client, { mergeStretches: [2, 3] });
    assert.deepEqual(rates(merged.body), [
      [0, 1_500],
      [4, 1_500],
    ]);
    const wrong = await change<Refusal>(client, { mergeStretches: [4, 0] });
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'merge-refused']);
  });
});

test('the 26th container that would share is refused, and one with throughput of its own is not', () =>
  withServer({}, async (client) => {
    await client.ask('databases', postJson({ database: 'shop', ruPerSecond: 400 }));
    for (let n = 0; n < 25; n++) await client.makeContainer({ database: 'shop' });
    const refused = await client.ask<Refusal>('containers', postJson({ database: 'shop' }));
    assert.equal(refused.body.code, 'too-many-shared-containers');
    assert.match(String(refused.body.details['cosmosMessage']), /has exceeded 25/);
    await client.makeContainer({ database: 'shop', ruPerSecond: 400 });
  }));
