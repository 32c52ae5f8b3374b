// What a client of a table sees of partitions, replicas and request units: the rows A2, A4 to A6, C3 and C6 of the mission.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client, errors, policies, type types } from 'cassandra-driver';
import { bytesOf } from '../../src/foundation/byte-string.ts';
import { cqlRingPosition } from '../../src/partitioning/ring-position.ts';
import { type Ringfold, startRingfold } from '../../src/ringfold.ts';
import { afterTest, eventually, removeDirectory, temporaryDirectory } from '../support/start-ringfold.ts';
import { standingTime } from '../support/throughput-client.ts';
import { isForeignServer } from './support/cql-server.ts';

const replication = "replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
/** These tests do things to a server that nobody can do to Cassandra. */
const options = { skip: isForeignServer };

interface Served {
  readonly server: Ringfold;
  readonly dataDir: string;
  readonly client: Client;
  run(statement: string, values?: unknown[]): Promise<types.ResultSet>;
}

async function serve(context: TestContext): Promise<Served> {
  const dataDir = temporaryDirectory(context);
  const server = await startRingfold({ dataDir });
  afterTest(context, () => server.stop());
  const client = new Client({
    contactPoints: [`127.0.0.1:${server.cqlPort}`],
    localDataCenter: 'datacenter1',
    policies: { retry: new NoRetry() },
  });
  afterTest(context, () => client.shutdown());
  await client.connect();
  const run = (statement: string, values?: unknown[]) =>
    client.execute(statement, values, { prepare: values !== undefined });
  await run(`CREATE KEYSPACE k WITH ${replication}`);
  return { server, dataDir, client, run };
}

/** What is refused is to be seen. */
class NoRetry extends policies.retry.RetryPolicy {
  override onRequestError(): ReturnType<policies.retry.RetryPolicy['onRequestError']> {
    return this.rethrowResult();
  }
}

test(
  'A2 a table whose partition is split under its clients loses no request and no row',
  options,
  async (context) => {
    const { server, run } = await serve(context);
    await run('CREATE TABLE k.t (p int PRIMARY KEY, v int)');
    let written = 0;
    let isOver = false;
    const writing = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const p = written++;
        await run('INSERT INTO k.t (p, v) VALUES (?, ?)', [p, p]);
        assert.equal((await run('SELECT v FROM k.t WHERE p = ?', [p])).first()['v'], p);
      }
    });
    const [container] = server.store.containers().slice(-1);
    assert.ok(container !== undefined);
    for (let split = 0; split < 3; split++) {
      const [widest] = server.store.mapOf(container)?.partitions ?? [];
      assert.ok(widest !== undefined);
      await server.store.splitPartition(container, widest.id, 'midpoint');
    }
    isOver = true;
    await Promise.all(writing);
    const partitions = await run(
      "SELECT partition_id FROM ringfold.partitions WHERE keyspace_name = 'k' AND table_name = 't'",
    );
    assert.equal(partitions.rowLength, 4);
    assert.equal(Number((await run('SELECT count(*) FROM k.t')).first()['count']), written);
  },
);

test(
  'A4 every answer tells its charge, and a table beyond its throughput is refused with the time to wait',
  options,
  async (context) => {
    const { run } = await serve(context);
    await run('CREATE TABLE k.t (p int PRIMARY KEY, v text) WITH cosmosdb_provisioned_throughput = 400');
    standingTime(context);
    const answer = await run('INSERT INTO k.t (p, v) VALUES (?, ?)', [1, 'x'.repeat(1_000)]);
    const charge = answer.info.customPayload?.['RequestCharge'] as Buffer | undefined;
    assert.ok(charge !== undefined && charge.readDoubleBE() > 4, 'a row of a kilobyte costs about 5 RU');
    const refusal = await (async () => {
      for (let p = 0; p < 5_000; p++) {
        try {
          await run('INSERT INTO k.t (p, v) VALUES (?, ?)', [p, 'x'.repeat(100_000)]);
        } catch (error) {
          return error;
        }
      }
      return undefined;
    })();
    assert.ok(refusal instanceof errors.ResponseError);
    assert.equal(refusal.code, 0x1001);
    assert.match(
      refusal.message,
      /^Request rate is large: ActivityID=[0-9a-f-]{36}, RetryAfterMs=[1-9]\d*, /,
    );
  },
);

test(
  'A5 a storage node that loses its directory loses no row and refuses no request',
  options,
  async (context) => {
    const { server, dataDir, run } = await serve(context);
    await run('CREATE TABLE k.t (p int PRIMARY KEY, v int)');
    for (let p = 0; p < 100; p++) await run('INSERT INTO k.t (p, v) VALUES (?, ?)', [p, p]);
    removeDirectory(join(dataDir, 'node-1'));
    for (let p = 100; p < 200; p++) await run('INSERT INTO k.t (p, v) VALUES (?, ?)', [p, p]);
    assert.equal(Number((await run('SELECT count(*) FROM k.t')).first()['count']), 200);
    await eventually('the node is noticed, rebuilt and up again', async () => {
      const { rows } = await run('SELECT node_id, state FROM ringfold.nodes');
      const { nodes } = server.store.status();
      return rows.every(({ state }) => state === 'up') && nodes.every(({ state }) => state === 'up');
    });
    await server.store.whenQuiet();
    assert.equal((await server.store.scrub()).differences, 0);
  },
);

test(
  'A6 clients see murmur3 tokens; inside, the ring is wider and in their order',
  options,
  async (context) => {
    const { run } = await serve(context);
    await run('CREATE TABLE k.t (p int PRIMARY KEY)');
    for (let p = 0; p < 50; p++) await run('INSERT INTO k.t (p) VALUES (?)', [p]);
    const { rows } = await run('SELECT p, token(p) FROM k.t');
    const tokens = rows.map((row) => BigInt(String(row.get(1))));
    assert.deepEqual(
      tokens,
      tokens.toSorted((a, b) => (a < b ? -1 : 1)),
    );
    assert.equal(tokens[rows.findIndex(({ p }) => p === 1)], -4069959284402364209n);
    const position = cqlRingPosition(Buffer.from([0, 0, 0, 1]));
    assert.equal(position.length, 16, 'a ring position has 16 bytes, a token 8');
    assert.equal(bytesOf(position).readBigUInt64BE() - 2n ** 63n, -4069959284402364209n);
  },
);

test('C3 the partition that takes most requests is named by its key', options, async (context) => {
  const { run } = await serve(context);
  await run('CREATE TABLE k.t (user text, id int, PRIMARY KEY (user, id))');
  for (let id = 0; id < 60; id++)
    await run('INSERT INTO k.t (user, id) VALUES (?, ?)', [id % 10 === 0 ? 'ada' : 'theo', id]);
  const { rows } = await run(
    "SELECT place, partition_key, is_hot FROM ringfold.hot_partitions WHERE keyspace_name = 'k' AND table_name = 't'",
  );
  const hottest = rows.find(({ place }) => place === 1);
  assert.deepEqual([hottest?.['partition_key'], hottest?.['is_hot']], ["'theo'", true]);
});

test('C6 a table can be made with autoscale, and shows it', options, async (context) => {
  const { run } = await serve(context);
  await run('CREATE TABLE k.t (p int PRIMARY KEY) WITH cosmosdb_autoscale_max_throughput = 4000');
  const row = (
    await run(
      "SELECT kind, ru_per_second, is_enforced FROM ringfold.throughput WHERE keyspace_name = 'k' AND table_name = 't'",
    )
  ).first();
  assert.deepEqual([row['kind'], row['is_enforced']], ['autoscale', true]);
  await run('ALTER TABLE k.t WITH cosmosdb_autoscale_max_throughput = 8000');
  assert.equal(
    (
      await run(
        "SELECT ru_per_second FROM ringfold.throughput WHERE keyspace_name = 'k' AND table_name = 't'",
      )
    ).first()['ru_per_second'],
    8000,
  );
});
