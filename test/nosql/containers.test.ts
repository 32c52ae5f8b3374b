// Containers: made, read, replaced and deleted; what may change, and how much they hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerDefinition, ContainerRequest, Database } from '@azure/cosmos';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';
import { policiesOf } from './support/policies-of.ts';

const server = nosqlServer();
const partitionKey = { paths: ['/pk'] };

type Policies = Readonly<Record<string, unknown>>;

test('a container is shown with what the service fills in', async () => {
  const database = await server.database();
  const { resource, statusCode, headers } = await database.containers.create({
    id: 'orders',
    partitionKey: { paths: ['/customer'], version: 2 },
  });
  assert.equal(statusCode, 201);
  assert.ok(resource);
  assert.deepEqual(policiesOf(resource), {
    id: 'orders',
    indexingPolicy: {
      indexingMode: 'consistent',
      automatic: true,
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/"_etag"/?' }],
    },
    partitionKey: { paths: ['/customer'], kind: 'Hash', version: 2 },
    conflictResolutionPolicy: {
      mode: 'LastWriterWins',
      conflictResolutionPath: '/_ts',
      conflictResolutionProcedure: '',
    },
    geospatialConfig: { type: 'Geography' },
  });
  const { resource: owner } = await database.read();
  const links = resource as unknown as Record<string, unknown>;
  assert.equal(resource._self, `${owner?._self}colls/${resource._rid}/`);
  assert.deepEqual(
    ['_docs', '_sprocs', '_triggers', '_udfs', '_conflicts'].map((name) => links[name]),
    ['docs/', 'sprocs/', 'triggers/', 'udfs/', 'conflicts/'],
  );
  const rid = Buffer.from(resource._rid.replaceAll('-', '/'), 'base64');
  assert.equal(rid.length, 8);
  assert.equal((rid[4] ?? 0) & 0x80, 0x80);
  assert.equal(rid.subarray(0, 4).toString('base64').replaceAll('/', '-'), owner?._rid);
  assert.equal(headers['etag'], resource._etag);
});

test('a container is read by name and by rid, listed and queried, and gone when it is deleted', async () => {
  const database = await server.database();
  for (const id of ['b', 'a', 'c']) await database.containers.create({ id, partitionKey });
  const { resource } = await database.container('a').read();
  assert.ok(resource);
  const path = `/${(resource as unknown as { _self: string })._self}`;
  const rid = (resource as unknown as { _rid: string })._rid;
  const byRid = await server.send('GET', path, { type: 'colls', link: rid.toLowerCase() });
  assert.deepEqual(await byRid.json(), resource);
  const listed = await database.containers.readAll({ maxItemCount: 2 }).fetchAll();
  assert.deepEqual(
    listed.resources.map(({ id }) => id),
    ['b', 'a', 'c'],
  );
  const queried = await database.containers
    .query({ query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: 'a' }] })
    .fetchAll();
  assert.deepEqual(queried.resources, [resource]);
  assert.equal((await database.container('a').delete()).statusCode, 204);
  const missing = await failure(database.container('a').read());
  assert.deepEqual([missing.code, missing.substatus], [404, 0]);
  assert.equal((await failure(database.containers.create({ id: 'b', partitionKey }))).code, 409);
});

test('a container that is made again under its name is empty and another one', async () => {
  const database = await server.database();
  const first = await database.containers.create({ id: 'c', partitionKey });
  await first.container.items.create({ id: '1', pk: 'a' });
  await first.container.delete();
  const second = await database.containers.create({ id: 'c', partitionKey });
  assert.notEqual(first.resource?._rid, second.resource?._rid);
  assert.deepEqual((await second.container.items.readAll().fetchAll()).resources, []);
});

async function replaced(
  database: Database,
  change: (definition: ContainerDefinition & Record<string, unknown>) => void,
): Promise<Policies> {
  const { resource } = await database.container('c').read();
  const definition = structuredClone(resource) as unknown as ContainerDefinition & Record<string, unknown>;
  change(definition);
  return policiesOf((await database.container('c').replace(definition)).resource);
}

test('a container is replaced by another policy, and keeps its items, its rid and what is fixed', async () => {
  const { database } = await server.client.databases.create({ id: 'replacing' });
  const { container, resource } = await database.containers.create({
    id: 'c',
    partitionKey: { paths: ['/pk'], version: 2 },
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] },
  });
  await container.items.create({ id: '1', pk: 'a' });
  const after = await replaced(database, (definition) => {
    definition.defaultTtl = 60;
    definition['indexingPolicy'] = { indexingMode: 'none', automatic: false };
  });
  assert.equal(after['defaultTtl'], 60);
  assert.equal((after['indexingPolicy'] as Policies)['indexingMode'], 'none');
  const read = await container.read();
  assert.equal((read.resource as unknown as { _rid: string })._rid, resource?._rid);
  assert.notEqual((read.resource as unknown as { _etag: string })._etag, resource?._etag);
  assert.equal((await container.item('1', 'a').read()).resource?.id, '1');
  // Clients that only name the paths mean the key that is there.
  const short = await replaced(database, (definition) => {
    definition.partitionKey = { paths: ['/pk'] };
    delete definition['defaultTtl'];
    delete definition['indexingPolicy'];
  });
  assert.deepEqual(short['partitionKey'], { paths: ['/pk'], kind: 'Hash', version: 2 });
  assert.equal(short['defaultTtl'], undefined);
  assert.equal((short['indexingPolicy'] as Policies)['indexingMode'], 'consistent');
});

test('what is fixed for the life of a container is not changed', async () => {
  const database = await server.database();
  await database.containers.create({
    id: 'c',
    partitionKey,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] },
    vectorEmbeddingPolicy: {
      vectorEmbeddings: [{ path: '/v', dataType: 'float32', dimensions: 8, distanceFunction: 'cosine' }],
    },
    indexingPolicy: { vectorIndexes: [{ path: '/v', type: 'flat' }] },
  } as unknown as ContainerRequest);
  const refused = async (
    change: (definition: Record<string, unknown>) => void,
  ): Promise<[number, string]> => {
    const { code, message } = await failure(replaced(database, change));
    return [code as number, message];
  };
  const [code, message] = await refused((definition) => {
    definition['partitionKey'] = { paths: ['/other'] };
  });
  assert.equal(code, 400);
  assert.match(message, /partition key cannot be changed/);
  const [unique, sentence] = await refused((definition) => {
    delete definition['uniqueKeyPolicy'];
  });
  assert.equal(unique, 403);
  assert.match(sentence, /unique index cannot be modified/);
  for (const change of [
    { id: 'd' },
    { partitionKey: { paths: ['/pk'], version: 2 } },
    { conflictResolutionPolicy: { mode: 'Custom' } },
    { vectorEmbeddingPolicy: { vectorEmbeddings: [] } },
    { indexingPolicy: { vectorIndexes: [{ path: '/v', type: 'diskANN' }] } },
    { clientEncryptionPolicy: { includedPaths: [] } },
  ]) {
    const [status] = await refused((definition) => Object.assign(definition, change));
    assert.equal(status, 400, JSON.stringify(change));
  }
});

test('a container is replaced and deleted only by who has seen it as it is', async () => {
  const container = await server.container();
  const { resource } = await container.read();
  const definition = resource as ContainerDefinition;
  const condition = (text: string) => ({ accessCondition: { type: 'IfMatch', condition: text } });
  const etag = (resource as unknown as { _etag: string })._etag;
  assert.equal((await failure(container.replace(definition, condition('"another"')))).code, 412);
  assert.equal((await container.replace(definition, condition(etag))).statusCode, 200);
  assert.equal((await failure(container.delete(condition(etag)))).code, 412);
  assert.equal((await container.delete()).statusCode, 204);
});

test('who asks is told how much a container holds', async () => {
  const container = await server.container();
  for (let index = 0; index < 30; index++)
    await container.items.create({
      id: `${index}`,
      pk: index % 2 === 0 ? 'even' : 'odd',
      text: 'x'.repeat(1_000),
    });
  const { headers } = await container.read({ populateQuotaInfo: true });
  const figures = Object.fromEntries(
    String(headers['x-ms-resource-usage'])
      .split(';')
      .filter(Boolean)
      .map((figure) => figure.split('=')),
  );
  assert.equal(figures['documentsCount'], '30');
  assert.ok(Number(figures['documentsSize']) >= 30 && Number(figures['documentsSize']) < 60);
  assert.ok(Number(figures['collectionSize']) >= 30);
  assert.match(String(headers['x-ms-resource-quota']), /collectionSize=52428800;/);
  assert.equal(headers['x-ms-documentdb-collection-index-transformation-progress'], '100');
  assert.equal((await container.read()).headers['x-ms-resource-usage'], undefined);
  const link = `dbs/${container.database.id}/colls/c`;
  const answer = await server.send('GET', `/${link}`, {
    type: 'colls',
    link,
    headers: { 'x-ms-documentdb-populatepartitionstatistics': 'True' },
  });
  const { statistics } = (await answer.json()) as { statistics: Policies[] };
  assert.equal(statistics.length, 1);
  const [{ id, documentCount, sampledDistinctPartitionKeyCount, partitionKeys } = {}] = statistics;
  assert.deepEqual([id, documentCount, sampledDistinctPartitionKeyCount], ['0', 30, 2]);
  const keys = (partitionKeys as { partitionKey: unknown; sizeInKB: number }[]).map(
    (each) => each.partitionKey,
  );
  assert.deepEqual(keys.sort(), [['even'], ['odd']]);
});

test('a container that is not the one a client means is not served', async () => {
  const container = await server.container();
  const link = `dbs/${container.database.id}/colls/c`;
  const answer = await server.send('GET', `/${link}`, {
    type: 'colls',
    link,
    headers: { 'x-ms-cosmos-intended-collection-rid': 'AAAAAIAAAAA=' },
  });
  assert.deepEqual([answer.status, answer.headers.get('x-ms-substatus')], [400, '1024']);
});

test('operators see containers by name and logical partitions by the values of their keys', async () => {
  const container = await server.container({
    partitionKey: { paths: ['/a', '/b'], kind: 'MultiHash', version: 2 },
  } as Partial<ContainerRequest>);
  await container.items.create({ id: '1', a: 'x', b: 1 });
  const name = `${container.database.id}/c`;
  const usage = (await (await fetch(`${server.endpoint}/_ringfold/usage`)).json()) as {
    containers: {
      container: number;
      table?: string;
      partitions: { hottest: { logicalPartition: string }[] }[];
    }[];
  };
  const found = usage.containers.find(({ table }) => table === name);
  assert.deepEqual(
    found?.partitions.flatMap(({ hottest }) => hottest.map(({ logicalPartition }) => logicalPartition)),
    ['["x",1]'],
  );
  const dropped = await fetch(`${server.endpoint}/_ringfold/containers/${found?.container}`, {
    method: 'DELETE',
  });
  assert.equal(dropped.status, 400);
  assert.match(await dropped.text(), /is the NoSQL container .*: use the NoSQL API/);
});
