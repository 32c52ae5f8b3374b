// A logical partition has a largest size: here 1 MB, so that it is reached.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'cassandra-driver';
import { startRingfold } from '../../src/ringfold.ts';
import { eventually } from '../support/start-ringfold.ts';

const limitBytes = 2 ** 20;

async function withClient(
  dataDir: string | undefined,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const server = await startRingfold({
    ...(dataDir === undefined ? {} : { dataDir }),
    throughput: { maxLogicalPartitionBytes: limitBytes },
  });
  const client = new Client({
    contactPoints: [`127.0.0.1:${server.cqlPort}`],
    localDataCenter: 'datacenter1',
  });
  try {
    await work(client);
  } finally {
    await client.shutdown();
    await server.stop();
  }
}

const value = Buffer.alloc(50_000, 1);

function insert(client: Client, p: number, c: number): Promise<unknown> {
  return client.execute('INSERT INTO k.t (p, c, v) VALUES (?, ?, ?)', [p, c, value], { prepare: true });
}

async function fill(client: Client): Promise<void> {
  await client.execute(
    "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
  );
  await client.execute('CREATE TABLE k.t (p int, c int, v blob, PRIMARY KEY (p, c))');
  const refused = async (): Promise<unknown> => {
    // What was written last may not be counted yet, so it goes on for a while.
    for (let c = 0; c < 400; c++) {
      const failure = await insert(client, 1, c).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure !== undefined) return failure;
      if (c > 20) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return undefined;
  };
  assert.match(
    String(await refused()),
    /The partition takes about \d+ bytes, and the limit for all rows with one partition key is 1048576 bytes/,
  );
}

test('rows are refused to a full logical partition, and taken by others; what deletes is always taken', async () => {
  await withClient(undefined, async (client) => {
    await fill(client);
    await insert(client, 2, 1);
    await assert.rejects(
      client.execute(
        'BEGIN BATCH INSERT INTO k.t (p, c) VALUES (1, 1); INSERT INTO k.t (p, c) VALUES (2, 2) APPLY BATCH',
      ),
      /the limit for all rows with one partition key/,
    );
    await client.execute('DELETE FROM k.t WHERE p = 1 AND c = 1');
    await client.execute('DELETE FROM k.t WHERE p = 1');
    const { rows } = await client.execute('SELECT p FROM k.t');
    assert.deepEqual(
      rows.map((row) => row['p']),
      [2],
    );
  });
});

test('a full logical partition on disk is refused, also after a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ringfold-limit-'));
  try {
    await withClient(dataDir, fill);
    await withClient(dataDir, async (client) => {
      await eventually('it is refused', () =>
        insert(client, 1, 1).then(
          () => false,
          () => true,
        ),
      );
      await insert(client, 2, 1);
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
