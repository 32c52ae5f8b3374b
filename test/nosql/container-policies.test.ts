// What containers are defined by: partition keys and policies, checked, filled in and shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerRequest } from '@azure/cosmos';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';
import { type Policies, policiesOf } from './support/policies-of.ts';

const server = nosqlServer();
const partitionKey = { paths: ['/pk'] };

/** The container as it is shown, without its system properties. */
async function created(request: Policies): Promise<Policies> {
  const database = await server.database();
  const { resource } = await database.containers.create({
    id: 'c',
    partitionKey,
    ...request,
  } as ContainerRequest);
  return policiesOf(resource);
}

async function refusal(request: Policies): Promise<string> {
  const database = await server.database();
  const body = JSON.stringify({ id: 'c', partitionKey, ...request });
  const answer = await server.send('POST', `/dbs/${database.id}/colls`, {
    type: 'colls',
    link: `dbs/${database.id}`,
    body,
  });
  assert.equal(answer.status, 400, body);
  assert.deepEqual((await database.containers.readAll().fetchAll()).resources, [], 'nothing was made');
  return ((await answer.json()) as { message: string }).message;
}

test('partition keys have one path, or up to three that form a hierarchy', async () => {
  const shown = async (key: unknown) => (await created({ partitionKey: key }))['partitionKey'];
  // Not verified: the service's answer to who says no version. SDKs take none for 1.
  assert.deepEqual(await shown({ paths: ['/a'] }), { paths: ['/a'], kind: 'Hash' });
  assert.deepEqual(await shown({ paths: ['/a/b'], kind: 'Hash', version: 1 }), {
    paths: ['/a/b'],
    kind: 'Hash',
    version: 1,
  });
  assert.deepEqual(await shown({ paths: ['/a', '/b', '/c'], kind: 'MultiHash', version: 2 }), {
    paths: ['/a', '/b', '/c'],
    kind: 'MultiHash',
    version: 2,
  });
  assert.deepEqual(await shown({ paths: ['/a', '/b'] }), {
    paths: ['/a', '/b'],
    kind: 'MultiHash',
    version: 2,
  });
  assert.deepEqual(await shown({ paths: ['/"a b"/c'] }), { paths: ['/"a b"/c'], kind: 'Hash' });
  for (const wrong of [
    { paths: [] },
    { paths: ['/a', '/b'], kind: 'Hash' },
    { paths: ['/a', '/b', '/c', '/d'], kind: 'MultiHash', version: 2 },
    { paths: ['/a', '/a'], kind: 'MultiHash', version: 2 },
    { paths: ['/a', '/b'], kind: 'MultiHash', version: 1 },
    { paths: ['/a'], version: 3 },
    { paths: ['/a'], kind: 'Range' },
    { paths: [1] },
    { paths: '/a' },
  ])
    await refusal({ partitionKey: wrong });
  for (const path of ['a', '/', '/a/', '/*', '/a/*', '/a/?', '/a-b', '/"a', '/a/[]/b', ''])
    assert.match(await refusal({ partitionKey: { paths: [path] } }), /could not be accepted/);
  assert.match(await refusal({ partitionKey: undefined }), /Partition key definition is not specified/);
});

test('indexing policies are checked, filled in and shown', async () => {
  const shown = async (policy: Policies) =>
    (await created({ indexingPolicy: policy }))['indexingPolicy'] as Policies;
  assert.deepEqual(await shown({ indexingMode: 'None' }), {
    indexingMode: 'none',
    automatic: false,
    includedPaths: [],
    excludedPaths: [],
  });
  const indexes = [{ kind: 'Hash', dataType: 'String', precision: 3 }];
  const mixed = await shown({
    includedPaths: [{ path: '/*', indexes }, { path: '/tags/[]/name/?' }],
    excludedPaths: [{ path: '/"odd name"/*' }],
    compositeIndexes: [[{ path: '/a', order: 'descending' }, { path: '/b/c' }]],
    spatialIndexes: [{ path: '/place/*', types: ['Point'] }, { path: '/area/*' }],
  });
  assert.deepEqual(mixed['includedPaths'], [{ path: '/*' }, { path: '/tags/[]/name/?' }]);
  assert.deepEqual(mixed['excludedPaths'], [{ path: '/"odd name"/*' }, { path: '/"_etag"/?' }]);
  assert.deepEqual(mixed['compositeIndexes'], [
    [
      { path: '/a', order: 'descending' },
      { path: '/b/c', order: 'ascending' },
    ],
  ]);
  assert.deepEqual(mixed['spatialIndexes'], [
    { path: '/place/*', types: ['Point'] },
    { path: '/area/*', types: ['Point', 'LineString', 'Polygon', 'MultiPolygon'] },
  ]);
  const nothing = await shown({ excludedPaths: [{ path: '/*' }] });
  assert.deepEqual(nothing['includedPaths'], []);
  for (const path of ['/name', 'name/?', '/a-b/?', '/*/a', '/a?', ''])
    assert.match(
      await refusal({ indexingPolicy: { includedPaths: [{ path: '/*' }, { path }] } }),
      /indexing path/,
    );
  assert.match(await refusal({ indexingPolicy: { includedPaths: [{ path: '/a/?' }] } }), /special mandatory/);
  for (const wrong of [
    { indexingMode: 'sometimes' },
    { automatic: 'yes' },
    { includedPaths: '/*' },
    { includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/*' }] },
    { compositeIndexes: [[{ path: '/a' }]] },
    { compositeIndexes: [[{ path: '/a' }, { path: '/b', order: 'up' }]] },
    { compositeIndexes: [Array.from({ length: 9 }, (_, index) => ({ path: `/p${index}` }))] },
    { spatialIndexes: [{ path: '/a/*', types: ['Circle'] }] },
  ])
    await refusal({ indexingPolicy: wrong });
});

test('old forms of indexing policies become those of today: lazy is consistent, and / is the root', async () => {
  const { indexingPolicy } = await created({
    indexingPolicy: {
      indexingMode: 'lazy',
      includedPaths: [{ path: '/', indexes: [{ kind: 'Hash', dataType: 'Number', precision: 2 }] }],
      excludedPaths: [{ path: '/"systemMetadata"/*' }],
    },
  });
  assert.deepEqual(indexingPolicy, {
    indexingMode: 'consistent',
    automatic: true,
    includedPaths: [{ path: '/*' }],
    excludedPaths: [{ path: '/"systemMetadata"/*' }, { path: '/"_etag"/?' }],
  });
});

test('a spatial index of a plane has a bounding box, on a globe it needs none', async () => {
  const boundingBox = { xmin: 0, ymin: -5.5, xmax: 10, ymax: 10 };
  const spatialIndexes = [{ path: '/place/?', types: ['Point'] }];
  const geospatialConfig = { type: 'Geometry' };
  assert.match(await refusal({ geospatialConfig, indexingPolicy: { spatialIndexes } }), /boundingBox/);
  const boxed = spatialIndexes.map((index) => ({ ...index, boundingBox }));
  const { indexingPolicy } = await created({ geospatialConfig, indexingPolicy: { spatialIndexes: boxed } });
  assert.deepEqual((indexingPolicy as Policies)['spatialIndexes'], boxed);
  await created({ indexingPolicy: { spatialIndexes } });
});

test('what a container would have to be filled by is refused, since it is not served', async () => {
  const source = { sourceCollectionId: 'other', definition: 'SELECT c.a FROM c' };
  const embedding = { path: '/v', dataType: 'float32', dimensions: 8, distanceFunction: 'cosine' };
  const vectorEmbeddings = [{ ...embedding, embeddingSource: { sourcePaths: ['/text'] } }];
  for (const policies of [
    { materializedViewDefinition: source },
    { globalSecondaryIndexDefinition: source },
    { vectorEmbeddingPolicy: { vectorEmbeddings } },
  ]) {
    const { code, message } = await failure(created(policies));
    assert.equal(code, 501);
    assert.match(message, /cannot be set/);
  }
});

test('vector and full text policies go with their indexes', async () => {
  const vectorEmbeddingPolicy = {
    vectorEmbeddings: [{ path: '/v', dataType: 'float32', dimensions: 8, distanceFunction: 'cosine' }],
  };
  const fullTextPolicy = {
    defaultLanguage: 'en-US',
    fullTextPaths: [{ path: '/text', language: 'en-US' }],
  };
  const indexingPolicy = {
    vectorIndexes: [
      { path: '/v', type: 'quantizedFlat', quantizationByteSize: 8, vectorIndexShardKeys: ['/pk'] },
    ],
    fullTextIndexes: [{ path: '/text' }],
  };
  const shown = await created({ vectorEmbeddingPolicy, fullTextPolicy, indexingPolicy });
  assert.deepEqual(shown['vectorEmbeddingPolicy'], vectorEmbeddingPolicy);
  assert.deepEqual(shown['fullTextPolicy'], fullTextPolicy);
  const { vectorIndexes, fullTextIndexes } = shown['indexingPolicy'] as Policies;
  assert.deepEqual({ vectorIndexes, fullTextIndexes }, indexingPolicy);
  await refusal({ indexingPolicy, fullTextPolicy });
  await refusal({ indexingPolicy, vectorEmbeddingPolicy });
  const embedding = vectorEmbeddingPolicy.vectorEmbeddings[0];
  for (const wrong of [
    { dataType: 'float64' },
    { distanceFunction: 'manhattan' },
    { dimensions: 0 },
    { dimensions: 5_000 },
    { path: 'v' },
  ])
    await refusal({ vectorEmbeddingPolicy: { vectorEmbeddings: [{ ...embedding, ...wrong }] } });
  await refusal({
    vectorEmbeddingPolicy: { vectorEmbeddings: [{ ...embedding, dimensions: 506 }] },
    indexingPolicy: { vectorIndexes: [{ path: '/v', type: 'flat' }] },
  });
  for (const sizes of [
    { quantizationByteSize: 0 },
    { quantizationByteSize: 513 },
    { indexingSearchListSize: 9 },
    { indexingSearchListSize: 501 },
  ])
    await refusal({
      vectorEmbeddingPolicy,
      indexingPolicy: { vectorIndexes: [{ path: '/v', type: 'diskANN', ...sizes }] },
    });
  await refusal({ fullTextPolicy: { defaultLanguage: 'tlh', fullTextPaths: [] } });
});

test('other policies are kept as they were given', async () => {
  const policies = {
    defaultTtl: -1,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }, { paths: ['/a/b', '/c'] }] },
    conflictResolutionPolicy: {
      mode: 'Custom',
      conflictResolutionPath: '',
      conflictResolutionProcedure: 'dbs/d/colls/c/sprocs/s',
    },
    geospatialConfig: { type: 'Geometry' },
    computedProperties: [{ name: 'lower', query: 'SELECT VALUE LOWER(c.name) FROM c' }],
    changeFeedPolicy: { retentionDuration: 10 },
    analyticalStorageTtl: -1,
  };
  const { id: _id, indexingPolicy: _policy, partitionKey: _key, ...shown } = await created(policies);
  assert.deepEqual(shown, policies);
  for (const wrong of [
    { defaultTtl: 0 },
    { defaultTtl: -2 },
    { defaultTtl: 1.5 },
    { defaultTtl: '10' },
    { defaultTtl: 2_147_483_648 },
    { uniqueKeyPolicy: { uniqueKeys: [{ paths: [] }] } },
    { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['email'] }] } },
    {
      uniqueKeyPolicy: { uniqueKeys: Array.from({ length: 11 }, (_, index) => ({ paths: [`/p${index}`] })) },
    },
    { uniqueKeyPolicy: { uniqueKeys: [{ paths: Array.from({ length: 17 }, (_, index) => `/p${index}`) }] } },
    { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/a', '/b'] }, { paths: ['/b', '/a'] }] } },
    { conflictResolutionPolicy: { mode: 'Both' } },
    { geospatialConfig: { type: 'Flat' } },
    { computedProperties: [{ name: 'a' }] },
    { computedProperties: [{ name: 'id', query: 'SELECT VALUE 1 FROM c' }] },
    { computedProperties: [{ name: 'a', query: 'not a query' }] },
    { computedProperties: [{ name: 'a', query: 'SELECT VALUE c.x FROM c ORDER BY c.x' }] },
    { computedProperties: [{ name: 'a', query: 'SELECT VALUE c FROM c.x c' }] },
    { computedProperties: [{ name: 'a', query: 'SELECT VALUE x FROM (SELECT TOP 1 * FROM c) x' }] },
    { computedProperties: [{ name: 'a', query: 'SELECT VALUE ST_ISVALID(c.x) FROM c' }] },
    { changeFeedPolicy: { retentionDuration: -1 } },
    { indexingPolicy: [] },
  ])
    await refusal(wrong);
});
