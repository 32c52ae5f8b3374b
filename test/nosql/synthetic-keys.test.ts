// Rows B1 to B4 and C2 of the mission: partition keys that clients choose and make.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

const synthetic = { partitionKey: { paths: ['/partitionKey'] } };

interface Range {
  readonly id: string;
}

/** How many items each physical partition has. */
async function spread(container: Awaited<ReturnType<typeof server.container>>): Promise<number[]> {
  const link = `dbs/${container.database.id}/colls/c`;
  const ranges = (await (
    await server.send('GET', `/${link}/pkranges`, { type: 'pkranges', link })
  ).json()) as {
    PartitionKeyRanges: Range[];
  };
  const counts = ranges.PartitionKeyRanges.map(async ({ id }) => {
    const headers = { 'x-ms-documentdb-partitionkeyrangeid': id, 'x-ms-max-item-count': '-1' };
    const page = await server.send('GET', `/${link}/docs`, { type: 'docs', link, headers });
    return ((await page.json()) as { _count: number })._count;
  });
  return Promise.all(counts);
}

test('B1 a container with a partition key path takes hundreds of distinct values and spreads them', async () => {
  const container = await server.container({ throughput: 20_000, partitionKey: { paths: ['/deviceId'] } });
  await Promise.all(
    Array.from({ length: 400 }, (_, n) => container.items.create({ id: '1', deviceId: `device-${n}` })),
  );
  const counts = await spread(container);
  assert.ok(counts.length > 1);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    400,
  );
  assert.ok(Math.min(...counts) > 0.5 * (400 / counts.length));
  assert.equal((await container.item('1', 'device-77').read()).requestCharge, 1);
});

test('B2 a key is concatenated from several properties', async () => {
  const container = await server.container(synthetic);
  const withKey = (item: { id: string; deviceId: string; date: number }) => ({
    ...item,
    partitionKey: `${item.deviceId}-${item.date}`,
  });
  await container.items.create(withKey({ id: '1', deviceId: 'abc-123', date: 2018 }));
  const { resource } = await container.item('1', 'abc-123-2018').read<{ date: number }>();
  assert.equal(resource?.date, 2018);
});

test('B3 a random suffix spreads the writes of one day over partitions', async () => {
  const container = await server.container({ ...synthetic, throughput: 20_000 });
  const suffix = (n: number) => 1 + ((n * 7_919) % 400);
  await Promise.all(
    Array.from({ length: 400 }, (_, n) =>
      container.items.create({ id: `i${n}`, partitionKey: `2018-08-09.${suffix(n)}` }),
    ),
  );
  const counts = await spread(container);
  assert.ok(counts.length > 1 && Math.min(...counts) > 0.5 * (400 / counts.length));
});

test('B4 a precalculated suffix spreads writes, and one item is read by computing its key', async () => {
  const container = await server.container({ ...synthetic, throughput: 20_000 });
  const keyOf = (vin: string) => {
    const hash = [...vin].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
    return `2018-08-09.${1 + (hash % 400)}`;
  };
  const vins = Array.from({ length: 300 }, (_, n) => `VIN${String(n * 104_729).padStart(12, '0')}`);
  await Promise.all(vins.map((vin) => container.items.create({ id: vin, vin, partitionKey: keyOf(vin) })));
  const counts = await spread(container);
  assert.ok(Math.min(...counts) > 0.5 * (300 / counts.length));
  for (const vin of vins.slice(0, 20)) {
    const { resource } = await container.item(vin, keyOf(vin)).read<{ vin: string }>();
    assert.equal(resource?.vin, vin);
  }
});

test('C2 the partition key is set when a container is made: it must be said, and cannot become another', async () => {
  const container = await server.container({ partitionKey: { paths: ['/deviceId'] } });
  const link = `dbs/${container.database.id}`;
  const body = JSON.stringify({ id: 'without' });
  const answer = await server.send('POST', `/${link}/colls`, { type: 'colls', link, body });
  assert.equal(answer.status, 400);
  const other = { id: container.id, partitionKey: { paths: ['/date'] } };
  const { code, message } = await failure(container.replace(other));
  assert.equal(code, 400);
  assert.match(message, /partition key cannot be changed/);
  assert.deepEqual((await container.read()).resource?.partitionKey?.paths, ['/deviceId']);
});
