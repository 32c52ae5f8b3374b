// Encryption is the client's: what the server is asked for is to keep keys and policies, and to notice a client with an old policy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContainerRequest, CosmosClient, type EncryptionKeyResolver } from '@azure/cosmos';
import { failure } from './support/failure.ts';
import { nosqlServer, wellKnownKey } from './support/nosql-server.ts';

const server = nosqlServer();
const algorithm = 'AEAD_AES_256_CBC_HMAC_SHA256';
const flip = async (_id: string, _algorithm: string, key: Uint8Array): Promise<Uint8Array> =>
  key.map((byte) => byte ^ 7);
const keyEncryptionKeyResolver = {
  encryptionKeyResolverName: 'TEST',
  wrapKey: flip,
  unwrapKey: flip,
} as EncryptionKeyResolver;

function request(...paths: string[]): ContainerRequest {
  const includedPaths = paths.map((path) => ({
    path,
    clientEncryptionKeyId: 'key',
    encryptionType: 'Deterministic',
    encryptionAlgorithm: algorithm,
  }));
  return {
    id: 'c',
    partitionKey: { paths: ['/pk'] },
    clientEncryptionPolicy: { includedPaths, policyFormatVersion: 2 },
  } as ContainerRequest;
}

test('a client that encrypts reads what it wrote, and another sees nothing of it', async () => {
  const client = new CosmosClient({
    endpoint: server.endpoint,
    key: wellKnownKey,
    clientEncryptionOptions: { keyEncryptionKeyResolver },
  });
  try {
    const { database } = await client.databases.create({ id: 'encrypted' });
    const metadata = { type: 'TEST', name: 'first', value: 'v', algorithm: 'RSA-OAEP' } as never;
    await database.createClientEncryptionKey('key', algorithm as never, metadata);
    const { container } = await database.containers.create(request('/secret', '/number'));
    await container.items.create({ id: '1', pk: 'a', secret: 'hush', number: 5 });
    const { resource } = await container.item('1', 'a').read();
    assert.deepEqual([resource?.secret, resource?.number], ['hush', 5]);
    const { resource: seen } = await server.client.database('encrypted').container('c').item('1', 'a').read();
    assert.doesNotMatch(JSON.stringify(seen), /hush/);
    assert.equal(typeof seen?.number, 'string');
    await database.rewrapClientEncryptionKey('key', { ...(metadata as object), name: 'second' } as never);
    await container.items.upsert({ id: '2', pk: 'b', secret: 'more' });
    const all = await container.items.readAll<{ secret: string }>().fetchAll();
    assert.deepEqual(
      all.resources.map(({ secret }) => secret),
      ['hush', 'more'],
    );
    await container.delete();
    await server.client.database('encrypted').containers.create(request('/secret'));
    const stale = await failure(container.items.create({ id: '1', pk: 'a', secret: 'again' }));
    assert.match(stale.message, /Client Encryption Policy/);
    await container.items.create({ id: '1', pk: 'a', secret: 'again' });
    assert.equal((await container.item('1', 'a').read()).resource?.secret, 'again');
  } finally {
    client.dispose();
  }
});
