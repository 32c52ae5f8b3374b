// Throughput as clients set it: offers of containers and of databases that share it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OfferDefinition, Resource } from '@azure/cosmos';
import { standingTime } from '../support/throughput-client.ts';
import { failure } from './support/failure.ts';
import { NosqlTestServer, nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();
const partitionKey = { paths: ['/pk'] };

interface Content {
  offerThroughput: number;
  offerAutopilotSettings?: { maxThroughput: number; autoUpgradePolicy?: unknown };
}

type Offer = OfferDefinition & Resource;

function contentOf(offer: OfferDefinition | undefined): Content {
  return offer?.content as Content;
}

test('a container with throughput has an offer, which names it by its rid and by its link', async () => {
  const database = await server.database();
  const { container, resource } = await database.containers.create({
    id: 'c',
    partitionKey,
    throughput: 700,
  });
  const { resource: offer } = await container.readOffer();
  assert.ok(offer);
  assert.equal(offer.offerResourceId, resource?._rid);
  assert.equal(offer.resource, resource?._self);
  assert.deepEqual([offer.offerVersion, offer.offerType], ['V2', 'Invalid']);
  assert.equal(offer.id, offer._rid);
  assert.equal(offer._self, `offers/${offer.id}/`);
  assert.deepEqual(contentOf(offer), { offerThroughput: 700, offerIsRUPerMinuteThroughputEnabled: false });
  const read = await server.client.offer(offer.id).read();
  assert.deepEqual(read.resource, offer);
  assert.equal(read.headers['x-ms-cosmos-min-throughput'], '400');
  assert.equal(read.headers['x-ms-offer-replace-pending'], 'false');
  const byRid = await server.client.offers
    .query({
      query: 'SELECT * FROM c WHERE c.offerResourceId = @rid',
      parameters: [{ name: '@rid', value: resource?._rid ?? '' }],
    })
    .fetchAll();
  assert.deepEqual(byRid.resources, [offer]);
  const listed = (await server.client.offers.readAll().fetchAll()).resources;
  assert.ok(listed.some(({ id }) => id === offer.id));
});

test('a container that nobody gave throughput shows 400 RU/s, and gets what is set', async () => {
  const container = await server.container();
  const { resource: offer } = await container.readOffer();
  assert.equal(contentOf(offer).offerThroughput, 400);
  contentOf(offer).offerThroughput = 500;
  const replaced = await server.client.offer(offer?.id ?? '').replace(offer as Offer);
  assert.equal(replaced.statusCode, 200);
  assert.equal(contentOf(replaced.resource).offerThroughput, 500);
  assert.notEqual(replaced.resource?._etag, offer?._etag);
  assert.equal(contentOf((await container.readOffer()).resource).offerThroughput, 500);
});

test('figures that cannot be given are refused, with the minimum', async () => {
  const container = await server.container({ throughput: 600 });
  const { resource: offer } = await container.readOffer();
  for (const figure of [300, 450, 2_000_000, 400.5]) {
    contentOf(offer).offerThroughput = figure;
    const refused = await failure(server.client.offer(offer?.id ?? '').replace(offer as Offer));
    assert.equal(refused.code, 400, String(figure));
  }
  const refused = await failure(server.container({ throughput: 300 }));
  assert.equal(refused.code, 400);
  assert.match(refused.message, /required minimum throughput 400/);
  assert.equal(contentOf((await container.readOffer()).resource).offerThroughput, 600);
});

test('an offer is replaced only by who has seen it as it is', async () => {
  const container = await server.container({ throughput: 600 });
  const { resource: offer } = await container.readOffer();
  const put = (etag: string) =>
    server.send('PUT', `/offers/${offer?.id}`, {
      type: 'offers',
      link: (offer?.id ?? '').toLowerCase(),
      headers: { 'if-match': etag },
      body: JSON.stringify({ ...offer, content: { offerThroughput: 700 } }),
    });
  assert.equal((await put('"another"')).status, 412);
  assert.equal((await put(offer?._etag ?? '')).status, 200);
  assert.equal((await put(offer?._etag ?? '')).status, 412);
});

test('autoscale throughput shows its maximum, and has another one set', async () => {
  const container = await server.container({
    maxThroughput: 4_000,
    autoUpgradePolicy: { throughputPolicy: { incrementPercent: 5 } },
  });
  const { resource: offer } = await container.readOffer();
  const settings = contentOf(offer).offerAutopilotSettings;
  assert.equal(settings?.maxThroughput, 4_000);
  assert.deepEqual(settings?.autoUpgradePolicy, { throughputPolicy: { incrementPercent: 5 } });
  assert.equal(contentOf(offer).offerThroughput, 400, 'a tenth of the maximum while it is idle');
  (settings as { maxThroughput: number }).maxThroughput = 5_000;
  const { resource: replaced } = await server.client.offer(offer?.id ?? '').replace(offer as Offer);
  assert.equal(contentOf(replaced).offerAutopilotSettings?.maxThroughput, 5_000);
  assert.equal(contentOf(replaced).offerThroughput, 500, 'a tenth of the new maximum, at once');
});

test('manual and autoscale throughput become one another by migration alone', async () => {
  const container = await server.container({ throughput: 600 });
  const { resource: offer } = await container.readOffer();
  const put = (content: unknown, headers: Record<string, string> = {}) =>
    server.send('PUT', `/offers/${offer?.id}`, {
      type: 'offers',
      link: (offer?.id ?? '').toLowerCase(),
      headers,
      body: JSON.stringify({ ...offer, content }),
    });
  assert.equal(
    (await put({ offerThroughput: -1, offerAutopilotSettings: { maxThroughput: 4_000 } })).status,
    400,
  );
  const toAutoscale = { 'x-ms-cosmos-migrate-offer-to-autopilot': 'true' };
  assert.equal((await put({ offerThroughput: -1 }, toAutoscale)).status, 200);
  assert.equal(
    contentOf((await container.readOffer()).resource).offerAutopilotSettings?.maxThroughput,
    1_000,
  );
  const toManual = { 'x-ms-cosmos-migrate-offer-to-manual-throughput': 'true' };
  assert.equal((await put({ offerThroughput: -1 }, toManual)).status, 200);
  assert.deepEqual(contentOf((await container.readOffer()).resource), {
    offerThroughput: 1_000,
    offerIsRUPerMinuteThroughputEnabled: false,
  });
});

test('manual and autoscale throughput at once are refused', async () => {
  const create = (path: string, type: string, link: string, body: unknown) =>
    server.send('POST', path, {
      type,
      link,
      headers: {
        'x-ms-offer-throughput': '400',
        'x-ms-cosmos-offer-autopilot-settings': '{"maxThroughput":4000}',
      },
      body: JSON.stringify(body),
    });
  assert.equal((await create('/dbs', 'dbs', '', { id: 'both' })).status, 400);
  const { id } = await server.database();
  assert.equal(
    (await create(`/dbs/${id}/colls`, 'colls', `dbs/${id}`, { id: 'c', partitionKey })).status,
    400,
  );
  const settings = await server.send('POST', '/dbs', {
    type: 'dbs',
    link: '',
    headers: { 'x-ms-cosmos-offer-autopilot-settings': 'nonsense' },
    body: JSON.stringify({ id: 'both' }),
  });
  assert.equal(settings.status, 400);
});

test('more throughput than the partitions carry is pending until they are split, and then it holds', async () => {
  const container = await server.container({ throughput: 10_000 });
  const { resource: offer } = await container.readOffer();
  contentOf(offer).offerThroughput = 20_000;
  const replaced = await server.client.offer(offer?.id ?? '').replace(offer as Offer);
  assert.equal(replaced.statusCode, 202);
  assert.equal(replaced.headers['x-ms-offer-replace-pending'], 'true');
  for (let pending = 'true'; pending === 'true'; ) {
    const read = await server.client.offer(offer?.id ?? '').read();
    pending = String(read.headers['x-ms-offer-replace-pending']);
    if (pending === 'false') assert.equal(contentOf(read.resource).offerThroughput, 20_000);
    else assert.equal(contentOf(read.resource).offerThroughput, 10_000);
  }
  const { resources } = await container.readPartitionKeyRanges().fetchAll();
  assert.equal(resources.length, 2);
});

test('B5 containers share the throughput of their database, up to 25 of them, and others have their own', async () => {
  const { database } = await server.client.databases.create({ id: 'sharing', throughput: 500 });
  assert.equal(contentOf((await database.readOffer()).resource).offerThroughput, 500);
  for (let index = 0; index < 25; index++)
    await database.containers.create({ id: `c${index}`, partitionKey });
  const refused = await failure(database.containers.create({ id: 'c25', partitionKey }));
  assert.deepEqual([refused.code, refused.substatus], [403, 1010]);
  assert.match(refused.message, /has exceeded 25/);
  assert.equal(
    (await database.container('c0').readOffer()).resource,
    undefined,
    'the offer is the database’s',
  );
  const { container } = await database.containers.create({ id: 'own', partitionKey, throughput: 400 });
  assert.equal(contentOf((await container.readOffer()).resource).offerThroughput, 400);
  const { resource: offer } = await database.readOffer();
  contentOf(offer).offerThroughput = 900;
  const { resource: replaced } = await server.client.offer(offer?.id ?? '').replace(offer as Offer);
  assert.equal(contentOf(replaced).offerThroughput, 900);
});

test('B5 containers that share throughput are throttled together', async (context) => {
  const { database } = await server.client.databases.create({ id: 'throttled', throughput: 400 });
  const [one, other] = await Promise.all(
    ['one', 'other'].map(async (id) => (await database.containers.create({ id, partitionKey })).container),
  );
  standingTime(context);
  const path = (id: string) => ({ type: 'docs', link: `dbs/throttled/colls/${id}` });
  const body = (id: string) => JSON.stringify({ id, pk: 'a', text: 'x'.repeat(1_900_000) });
  let status = 201;
  for (let count = 0; status === 201 && count < 500; count++) {
    const answer = await server.send('POST', `/dbs/throttled/colls/${one?.id}/docs`, {
      ...path(one?.id ?? ''),
      headers: { 'x-ms-documentdb-partitionkey': '["a"]' },
      body: body(`i${count}`),
    });
    status = answer.status;
  }
  assert.equal(status, 429);
  const refused = await server.send('POST', `/dbs/throttled/colls/${other?.id}/docs`, {
    ...path(other?.id ?? ''),
    headers: { 'x-ms-documentdb-partitionkey': '["a"]' },
    body: body('first'),
  });
  assert.deepEqual([refused.status, refused.headers.get('x-ms-substatus')], [429, '3200']);
  assert.ok(Number(refused.headers.get('x-ms-retry-after-ms')) > 0);
});

test('a serverless container has no offer, and takes no throughput', async () => {
  const serverless = new NosqlTestServer();
  await serverless.start({ throughput: { serverless: true } });
  try {
    const container = await serverless.container();
    assert.match((await failure(container.readOffer())).message, /not supported for serverless accounts/);
    assert.equal((await failure(serverless.container({ throughput: 400 }))).code, 400);
    const shared = await failure(serverless.client.databases.create({ id: 'shared', throughput: 400 }));
    assert.match(shared.message, /not supported for serverless accounts/);
    assert.equal((await failure(serverless.client.database('shared').read())).code, 404);
  } finally {
    await serverless.stop();
  }
});

test('an offer is that of the request url, and has a content', async () => {
  const container = await server.container({ throughput: 600 });
  const { resource: offer } = await container.readOffer();
  const put = async (body: object) =>
    (
      await server.send('PUT', `/offers/${offer?.id}`, {
        type: 'offers',
        link: (offer?.id ?? '').toLowerCase(),
        body: JSON.stringify(body),
      })
    ).status;
  assert.equal(await put({ ...offer, _rid: 'AAAA' }), 400);
  assert.equal(await put({ ...offer, id: null }), 400);
  assert.equal(await put({ id: offer?.id }), 400);
  assert.equal(await put({ content: { offerThroughput: 700 } }), 200);
});

test('an offer that is not there is not found', async () => {
  assert.equal((await failure(server.client.offer('AAAA').read())).code, 404);
});

test('an offer has the time of its last replace, and its container keeps its own', async () => {
  const container = await server.container({ throughput: 400 });
  const { resource: before } = await container.readOffer();
  const { resource: containerBefore } = await container.read();
  assert.ok(before !== undefined);
  // Times are whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_010));
  const content = { ...contentOf(before), offerThroughput: 500 };
  const { resource: replaced } = await server.client
    .offer(before.id)
    .replace({ ...before, content } as Offer);
  assert.ok((replaced?._ts ?? 0) > before._ts, `${replaced?._ts} is after ${before._ts}`);
  assert.equal((await container.readOffer()).resource?._ts, replaced?._ts);
  assert.equal((await container.read()).resource?._ts, containerBefore?._ts);
});
