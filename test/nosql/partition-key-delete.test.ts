// All items of one partition key deleted at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '@azure/cosmos';
import { keyRangeOf } from '../../src/partitioning/logical-partition.ts';
import { wholeRing } from '../../src/partitioning/ring-range.ts';
import { eventually, temporaryDirectory } from '../support/start-ringfold.ts';
import { NosqlTestServer, nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

test('all items of a partition key are gone at once, and those of others stay', async () => {
  const container = await server.container({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/n'] }] } });
  const creates = Array.from({ length: 90 }, (_, n) =>
    container.items.create({ id: `i${n}`, pk: n % 2 === 0 ? 'p' : 'q', n }),
  );
  await Promise.all(creates);
  const { statusCode, requestCharge } = await container
    .deleteAllItemsForPartitionKey('p')
    .then((response) => ({ statusCode: response.statusCode, requestCharge: response.requestCharge }));
  assert.equal(statusCode, 200);
  assert.ok(requestCharge > 0);
  assert.equal((await container.item('i0', 'p').read()).statusCode, 404);
  const { resources } = await container.items.readAll<{ pk: string }>().fetchAll();
  assert.equal(resources.length, 45);
  assert.ok(resources.every(({ pk }) => pk === 'q'));
});

test('what is written after the deletion is there, with ids and unique keys that were deleted', async () => {
  const container = await server.container({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/n'] }] } });
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => container.items.create({ id: `i${n}`, pk: 'p', n })),
  );
  await container.deleteAllItemsForPartitionKey('p');
  await container.items.create({ id: 'i0', pk: 'p', n: 1 });
  await container.items.create({ id: 'new', pk: 'p', n: 0 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { resources } = await container.items.readAll<{ id: string }>().fetchAll();
  assert.deepEqual(resources.map(({ id }) => id).sort(), ['i0', 'new']);
  await container.deleteAllItemsForPartitionKey('p');
  assert.deepEqual((await container.items.readAll().fetchAll()).resources, []);
});

test('a partition key without items can be deleted', async () => {
  const container = await server.container();
  await container.deleteAllItemsForPartitionKey('none');
});

test('what was deleted is removed from the disks in the background, also after a restart', async (context) => {
  const dataDir = temporaryDirectory(context);
  const options = { dataDir, nodes: 4 };
  const first = new NosqlTestServer();
  await first.start(options);
  const container = await first.container({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/n'] }] } });
  await Promise.all(
    Array.from({ length: 150 }, (_, n) =>
      container.items.create({ id: `i${n}`, pk: n < 130 ? 'p' : 'q', n }),
    ),
  );
  const number = await numberOf(container);
  await container.deleteAllItemsForPartitionKey('p');
  await first.stop();
  const second = new NosqlTestServer();
  await second.start(options);
  try {
    await eventually('only the others are left', async () => (await rowsOf(second, number)) === 3 * 20);
  } finally {
    await second.stop();
  }
});

/** A container's number in the store is in its rid. */
async function numberOf(container: Container): Promise<number> {
  const { resource } = await container.read();
  return Buffer.from((resource?._rid ?? '').replaceAll('-', '/'), 'base64').readUInt32BE(4) & 0x7fff_ffff;
}

/** An item has three: its own, its number's and its unique key's. */
async function rowsOf({ ringfold }: NosqlTestServer, number: number): Promise<number> {
  const range = keyRangeOf(number, wholeRing);
  const limits = { maxRows: 10_000, maxBytes: 2 ** 24, reverse: false };
  const outcome = await ringfold.store.scan(
    { container: number, physicalPartition: 0 },
    { ...range, ...limits },
  );
  assert.ok(outcome.kind === 'read');
  return outcome.page.rows.length;
}
