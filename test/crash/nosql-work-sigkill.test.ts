// A server that is killed while it works for NoSQL clients in the background: a database's throughput grows, a partition key is being
// deleted, and what has expired is removed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Container, CosmosClient, type Database } from '@azure/cosmos';
import type { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { keyRangeOf } from '../../src/partitioning/logical-partition.ts';
import { wholeRing } from '../../src/partitioning/ring-range.ts';
import { type Ringfold, startRingfold } from '../../src/ringfold.ts';
import { afterTest, eventually, StartedRingfold, temporaryDirectory } from '../support/start-ringfold.ts';

const key = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const partitions = 8;
const perKey = 200;

function clientOf(context: TestContext, port: number): CosmosClient {
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableEndpointDiscovery: false } });
  context.after(() => client.dispose());
  return client;
}

/** The mark is in the text of each, for who looks at stored rows. */
async function fill(container: Container, pk: string, mark: string, ttl?: number): Promise<void> {
  for (let from = 0; from < perKey; from += 100) {
    const operations = Array.from({ length: 100 }, (_, at) => ({
      operationType: 'Create' as const,
      resourceBody: { id: `${from + at}`, pk, mark, ...(ttl === undefined ? {} : { ttl }) },
    }));
    assert.equal((await container.items.batch(operations, pk)).code, 200);
  }
}

async function countOf(container: Container, pk: string): Promise<number> {
  const query = 'SELECT VALUE COUNT(1) FROM c';
  const { resources } = await container.items.query<number>(query, { partitionKey: pk }).fetchAll();
  return resources[0] ?? 0;
}

async function define(client: CosmosClient): Promise<{ shared: Container; plain: Container }> {
  const { database } = await client.databases.create({ id: 'd', throughput: 400 });
  const partitionKey = { paths: ['/pk'] };
  const { container: shared } = await database.containers.create({ id: 'shared', partitionKey });
  const { container: plain } = await database.containers.create({
    id: 'plain',
    partitionKey,
    defaultTtl: -1,
    throughput: 10_000,
  });
  for (let n = 0; n < 10; n++) await shared.items.create({ id: `${n}`, pk: `k${n}` });
  await fill(plain, 'kept', 'kept');
  await fill(plain, 'expiring', 'expired', 1);
  await fill(plain, 'deleted', 'deleted');
  return { shared, plain };
}

async function scaleUp(database: Database): Promise<void> {
  const { resource: offer } = await database.readOffer();
  assert.ok(offer?.content !== undefined);
  const content = { ...offer.content, offerThroughput: partitions * 10_000 };
  const { headers } = await database.client.offer(offer.id).replace({ ...offer, content });
  assert.equal(headers['x-ms-offer-replace-pending'], 'true');
}

/** How many rows of all containers have that in their bytes. */
async function rowsWith({ store }: Ringfold, mark: string): Promise<number> {
  let count = 0;
  for (const container of store.containers()) {
    for (const { id } of store.mapOf(container)?.partitions ?? []) {
      const range = keyRangeOf(container, wholeRing);
      const scan = { ...range, maxRows: 10_000, maxBytes: 2 ** 24, reverse: false };
      const outcome = await store.scan({ container, physicalPartition: id }, scan);
      if (outcome.kind !== 'read') return Number.NaN;
      count += outcome.page.rows.filter(({ value }) => value.includes(`"mark":"${mark}"`)).length;
    }
  }
  return count;
}

/** A process that was killed holds its directory until its last thread has come back from the disk. */
async function startAgain(dataDir: string): Promise<Ringfold> {
  const purge = { intervalMs: 30, shortestGraceSeconds: 0, restFactor: 1 };
  const started: Ringfold[] = [];
  await eventually('the directory is free', async () => {
    try {
      started.push(await startRingfold({ dataDir, purge }));
    } catch (error) {
      assert.equal((error as RingfoldError).code, 'data-directory-in-use');
    }
    return started.length > 0;
  });
  return started[0] as Ringfold;
}

test('a database that scales up, a partition key being deleted and expired items being removed are finished after SIGKILL', async (context) => {
  const dataDir = temporaryDirectory(context);
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir, '--purge-interval-s', '1']);
  const client = clientOf(context, server.port);
  const { shared, plain } = await define(client);
  await eventually('the items have expired', async () => (await countOf(plain, 'expiring')) === 0);
  await scaleUp(client.database('d'));
  await plain.deleteAllItemsForPartitionKey('deleted');
  const { serverPid } = server;
  // Otherwise it might start another one before it ends itself.
  process.kill(server.pid, 'SIGSTOP');
  process.kill(serverPid, 'SIGKILL');
  await server.end('SIGKILL');

  const again = await startAgain(dataDir);
  afterTest(context, () => again.stop());
  const left = { expired: await rowsWith(again, 'expired'), deleted: await rowsWith(again, 'deleted') };
  context.diagnostic(`left to the next life: ${JSON.stringify(left)}`);
  const later = clientOf(context, again.port);
  const find = ({ id, database }: Container): Container => later.database(database.id).container(id);
  assert.equal(await countOf(find(plain), 'deleted'), 0);
  assert.equal(await countOf(find(plain), 'expiring'), 0);
  assert.equal(await countOf(find(plain), 'kept'), perKey);
  // What is written now is not what was deleted.
  await find(plain).items.create({ id: 'new', pk: 'deleted' });
  await eventually('the scale-up is finished', async () => {
    const { resource, headers } = await later.database('d').readOffer();
    return (
      resource?.content?.offerThroughput === partitions * 10_000 &&
      headers['x-ms-offer-replace-pending'] !== 'true'
    );
  });
  const { resources: ranges } = await find(shared).readPartitionKeyRanges().fetchAll();
  assert.equal(ranges.length, partitions);
  const { resources } = await find(shared).items.readAll<{ id: string }>().fetchAll();
  assert.equal(resources.length, 10);
  await eventually('nothing of what is gone is stored', async () => {
    return (await rowsWith(again, 'expired')) === 0 && (await rowsWith(again, 'deleted')) === 0;
  });
  assert.equal(await countOf(find(plain), 'deleted'), 1);
  assert.equal(await rowsWith(again, 'kept'), perKey);
});
