// What has expired and what was deleted is removed in the background, from all replicas, and a restart finds it gone.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'cassandra-driver';
import { keyRangeOf } from '../../src/partitioning/logical-partition.ts';
import { wholeRing } from '../../src/partitioning/ring-range.ts';
import { type Ringfold, startRingfold } from '../../src/ringfold.ts';
import { eventually } from '../support/start-ringfold.ts';

const purge = { intervalMs: 30, shortestGraceSeconds: 0, restFactor: 1 };

async function withServer(
  dataDir: string | undefined,
  work: (client: Client, server: Ringfold) => Promise<void>,
): Promise<void> {
  const server = await startRingfold({ ...(dataDir === undefined ? {} : { dataDir }), purge });
  const client = new Client({
    contactPoints: [`127.0.0.1:${server.cqlPort}`],
    localDataCenter: 'datacenter1',
  });
  try {
    await client.connect();
    await work(client, server);
  } finally {
    await client.shutdown();
    await server.stop();
  }
}

async function storedRows({ store }: Ringfold): Promise<number> {
  let count = 0;
  for (const container of store.containers()) {
    for (const { id } of store.mapOf(container)?.partitions ?? []) {
      const scan = {
        ...keyRangeOf(container, wholeRing),
        maxRows: 10_000,
        maxBytes: 2 ** 24,
        reverse: false,
      };
      const outcome = await store.scan({ container, physicalPartition: id }, scan);
      assert.ok(outcome.kind === 'read');
      count += outcome.page.rows.length;
    }
  }
  return count;
}

function untilStored(server: Ringfold, expected: number): Promise<void> {
  return eventually(`${expected} rows are stored`, async () => (await storedRows(server)) === expected);
}

async function fill(client: Client): Promise<void> {
  await client.execute(
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
  );
  await client.execute(
    'CREATE TABLE k.t (p int, c int, v text, s text static, PRIMARY KEY (p, c)) WITH gc_grace_seconds = 1',
  );
  const run = (statement: string, values: unknown[]) => client.execute(statement, values, { prepare: true });
  const fillPartition = async (p: number): Promise<void> => {
    for (let c = 0; c < 20; c++) await run('INSERT INTO k.t (p, c, v) VALUES (?, ?, ?)', [p, c, 'v']);
    await run('UPDATE k.t USING TTL 1 SET s = ? WHERE p = ?', ['s', p]);
    await run('INSERT INTO k.t (p, c, v) VALUES (?, 99, ?) USING TTL 1', [p, 'brief']);
    await run('DELETE FROM k.t WHERE p = ? AND c >= 5 AND c < 15', [p]);
    await run('DELETE FROM k.t WHERE p = ? AND c = 1', [p]);
    await run('DELETE v FROM k.t WHERE p = ? AND c = 2', [p]);
    if (p < 10) await run('DELETE FROM k.t WHERE p = ?', [p]);
  };
  await Promise.all(Array.from({ length: 20 }, (_, p) => fillPartition(p)));
}

const rowsLeft = 10 * 9;

test('what expired or was deleted is removed with its tombstones, and what clients write meanwhile stays, also across a split', async () => {
  await withServer(undefined, async (client, server) => {
    await fill(client);
    const [container = 0] = server.store.containers();
    const write = async (p: number): Promise<void> => {
      for (let c = 100; c < 130; c++) {
        const values = [p, c, 'late'];
        await client.execute('INSERT INTO k.t (p, c, v) VALUES (?, ?, ?)', values, { prepare: true });
        await setTimeout(50);
      }
    };
    const writing = Promise.all(Array.from({ length: 20 }, (_, p) => write(p)));
    await server.store.splitPartition(container, 0, 'midpoint');
    await writing;
    await untilStored(server, rowsLeft + 20 * 30);
    const { rows } = await client.execute('SELECT p FROM k.t', [], { fetchSize: 5_000 });
    assert.equal(rows.length, rowsLeft + 20 * 30);
    await client.execute("INSERT INTO k.t (p, c, v) VALUES (3, 3, 'again')");
    const again = await client.execute('SELECT v FROM k.t WHERE p = 3 AND c < 100');
    assert.deepEqual(
      again.rows.map((row) => row['v']),
      ['again'],
    );
  });
});

test('it is purged on disk too, and not twice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ringfold-purge-'));
  try {
    await withServer(dataDir, async (client, server) => {
      await fill(client);
      await untilStored(server, rowsLeft);
    });
    await withServer(dataDir, async (client, server) => {
      assert.equal(await storedRows(server), rowsLeft);
      const { rows } = await client.execute('SELECT p, c FROM k.t', [], { fetchSize: 1_000 });
      assert.equal(rows.length, rowsLeft);
      const [container = 0] = server.store.containers();
      const lsns = () =>
        (server.store.mapOf(container)?.partitions ?? []).map(({ id }) =>
          server.store.committedLsn({ container, physicalPartition: id }),
        );
      // A cell that was deleted late is due after the rows are.
      await eventually('a pass that finds nothing writes nothing', async () => {
        const before = lsns();
        await setTimeout(300);
        return isDeepStrictEqual(lsns(), before);
      });
      const report = await server.store.scrub();
      assert.equal(report.differences, 0);
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
