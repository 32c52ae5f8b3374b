// A server that is killed while NoSQL clients write: what was answered is there when it is back, and batches are there whole or not at all.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Container, CosmosClient } from '@azure/cosmos';
import { eventually, StartedRingfold, temporaryDirectory } from '../support/start-ringfold.ts';

const rounds = Number(process.env['RINGFOLD_CRASH_ROUNDS'] ?? 2);
const writers = 8;
const key = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

interface Item {
  readonly id: string;
  readonly pk: string;
  readonly email: string;
  readonly n: number;
  readonly _rid: string;
}

/** What clients were answered, over all lives. */
class Acknowledged {
  /** By id; the key is that of the writer. */
  readonly items = new Map<string, { readonly pk: string; readonly n: number }>();
  /** Each is two items of one batch. */
  readonly batches: string[] = [];
  readonly deletedKeys: string[] = [];
}

async function live(
  context: TestContext,
  dataDir: string,
  round: number,
  known: Acknowledged,
): Promise<void> {
  const server = await StartedRingfold.startAgain(context, ['--data-dir', dataDir]);
  const client = new CosmosClient({
    endpoint: `http://127.0.0.1:${server.port}`,
    key,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  const container = client.database('d').container('c');
  if (round === 0) await define(client);
  else await verify(container, known);
  let isOver = false;
  /** Whatever fails after the kill was not answered, and may have happened or not. */
  const until = async (step: (n: number) => Promise<void>): Promise<void> => {
    for (let n = 0; !isOver; n++) await step(n).catch((error: unknown) => assert.ok(isOver, String(error)));
  };
  const writing = [
    ...Array.from({ length: writers }, (_, writer) =>
      until(async (n) => {
        const id = `${round}-${writer}-${n}`;
        const item = { id, pk: `w${writer}`, email: `${id}@x`, n };
        await container.items.create(item);
        known.items.set(id, { pk: item.pk, n });
        if (n % 3 !== 0) return;
        await container.item(id, item.pk).replace({ ...item, email: `${id}@y`, n: n + 1_000 });
        known.items.set(id, { pk: item.pk, n: n + 1_000 });
      }),
    ),
    until(async (n) => {
      const name = `${round}-${n}`;
      const pair = ['a', 'b'].map((half) => ({
        operationType: 'Create' as const,
        resourceBody: { id: `${name}-${half}`, pk: 'pairs', email: `${name}-${half}`, n },
      }));
      const { code } = await container.items.batch(pair, 'pairs');
      if (code === 200) known.batches.push(name);
    }),
    until(async (n) => {
      const pk = `gone-${round}-${n}`;
      for (const id of ['1', '2', '3']) await container.items.create({ id, pk, email: id, n });
      await container.deleteAllItemsForPartitionKey(pk);
      known.deletedKeys.push(pk);
    }),
  ];
  const { items, batches, deletedKeys } = known;
  const [itemsWanted, batchesWanted, keysWanted] = [
    items.size + 40,
    batches.length + 3,
    deletedKeys.length + 2,
  ];
  await eventually(
    'enough was written',
    () => items.size >= itemsWanted && batches.length >= batchesWanted && deletedKeys.length >= keysWanted,
  );
  // Not always at the end of something.
  await new Promise((resolve) => setTimeout(resolve, 7 * round));
  isOver = true;
  // The server first: its supervisor would start it again.
  process.kill(server.serverPid, 'SIGKILL');
  await server.end('SIGKILL');
  await Promise.all(writing);
  client.dispose();
}

async function define(client: CosmosClient): Promise<void> {
  const { database } = await client.databases.create({ id: 'd' });
  await database.containers.create({
    id: 'c',
    partitionKey: { paths: ['/pk'] },
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] },
  });
}

async function verify(container: Container, known: Acknowledged): Promise<void> {
  const { resources } = await container.items.readAll<Item>({ maxItemCount: -1 }).fetchAll();
  const found = new Map(resources.map((item) => [`${item.pk}/${item.id}`, item]));
  for (const [id, { pk, n }] of known.items) {
    const item = found.get(`${pk}/${id}`);
    // A replace that was under way may have happened.
    assert.ok(item?.n === n || item?.n === n + 1_000, `${id} was acknowledged with ${n}, and has ${item?.n}`);
  }
  const pairs = new Set(resources.filter(({ pk }) => pk === 'pairs').map(({ id }) => id));
  for (const name of known.batches)
    assert.ok(pairs.has(`${name}-a`) && pairs.has(`${name}-b`), `batch ${name} was acknowledged`);
  for (const id of pairs)
    assert.ok(
      pairs.has(`${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`),
      `batch of ${id} is there in part`,
    );
  const keys = new Set(resources.map(({ pk }) => pk));
  for (const pk of known.deletedKeys) assert.ok(!keys.has(pk), `${pk} was deleted`);
  assert.equal(
    new Set(resources.map(({ _rid }) => _rid)).size,
    resources.length,
    'every item has its own rid',
  );
  assert.equal(new Set(resources.map(({ pk, email }) => `${pk}/${email}`)).size, resources.length);
  await verifyUniqueKeys(container, resources);
}

/** What an item has is taken, and what it had before a replace is free. */
async function verifyUniqueKeys(container: Container, items: readonly Item[]): Promise<void> {
  const some = items.filter(({ email }) => email.endsWith('@y')).slice(-5);
  for (const { id, pk, email } of some) {
    const taken = container.items.create({ id: `${id}-second`, pk, email, n: 0 });
    await assert.rejects(taken, ({ code }: { code: number }) => code === 409, `${email} is taken`);
    const free = { id: `${id}-freed`, pk, email: email.replace('@y', '@x'), n: 0 };
    await container.items.create(free);
    await container.item(free.id, pk).delete();
  }
}

test('what NoSQL clients were answered survives SIGKILL: items, unique keys, batches whole, deleted partition keys', async (context) => {
  const dataDir = temporaryDirectory(context);
  const known = new Acknowledged();
  for (let round = 0; round <= rounds; round++) await live(context, dataDir, round, known);
  const { items, batches, deletedKeys } = known;
  context.diagnostic(`${items.size} items, ${batches.length} batches, ${deletedKeys.length} deleted keys`);
});
