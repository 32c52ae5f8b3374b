// A server that is killed while CQL clients define tables and write: what was answered is there when it is back.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, type types } from 'cassandra-driver';
import { eventually, StartedRingfold, temporaryDirectory } from '../support/start-ringfold.ts';

const rounds = Number(process.env['RINGFOLD_CRASH_ROUNDS'] ?? 3);
const writers = 12;

/** What clients were answered, over all lives. */
class Acknowledged {
  readonly tables: string[] = [];
  readonly rows = new Map<number, number>();
  /** Each is two rows in two partitions, of one logged batch. */
  readonly batches: number[] = [];
  counted = 0;
}

async function live(
  context: TestContext,
  dataDir: string,
  round: number,
  known: Acknowledged,
): Promise<void> {
  const server = await StartedRingfold.startAgain(context, ['--data-dir', dataDir]);
  const client = new Client({
    contactPoints: [`127.0.0.1:${server.cqlPort}`],
    localDataCenter: 'datacenter1',
    pooling: { heartBeatInterval: 0 },
  });
  await client.connect();
  if (round === 0) await define(client);
  else await verify(client, known);
  let isOver = false;
  const run = (statement: string, values: unknown[]) => client.execute(statement, values, { prepare: true });
  /** Whatever fails after the kill was not answered, and may have happened or not. */
  const until = async (step: (n: number) => Promise<void>): Promise<void> => {
    for (let n = 0; !isOver; n++) await step(n).catch((error: unknown) => assert.ok(isOver, String(error)));
  };
  const writing = [
    ...Array.from({ length: writers }, (_, writer) =>
      until(async (n) => {
        const p = round * 1_000_000 + writer * 10_000 + n;
        await run('INSERT INTO k.plain (p, v) VALUES (?, ?)', [p, n]);
        known.rows.set(p, n);
      }),
    ),
    until(async (n) => {
      const p = 2 * (round * 10_000 + n);
      const queries = [p, p + 1].map((each) => ({
        query: 'INSERT INTO k.pairs (p, v) VALUES (?, ?)',
        params: [each, n],
      }));
      await client.batch(queries, { prepare: true, logged: true });
      known.batches.push(p);
    }),
    until(async () => {
      await run('UPDATE k.counts SET c = c + 1 WHERE p = ?', [0]);
      known.counted++;
    }),
    until(async (n) => {
      const name = `t_${round}_${n}`;
      await client.execute(`CREATE TABLE k.${name} (p int PRIMARY KEY, v text)`);
      known.tables.push(name);
    }),
  ];
  const { rows, batches, counted, tables } = known;
  const wanted = { rows: rows.size + 100, batches: batches.length + 3, tables: tables.length + 1 };
  await eventually(
    'enough was written',
    () =>
      rows.size >= wanted.rows &&
      batches.length >= wanted.batches &&
      known.counted >= counted + 3 &&
      tables.length >= wanted.tables,
  );
  // Not always at the end of something.
  await new Promise((resolve) => setTimeout(resolve, 70 * round));
  isOver = true;
  // The server first: its supervisor would start it again.
  process.kill(server.serverPid, 'SIGKILL');
  await server.end('SIGKILL');
  await client.shutdown();
  await Promise.all(writing);
}

async function define(client: Client): Promise<void> {
  const replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}";
  await client.execute(`CREATE KEYSPACE k WITH replication = ${replication}`);
  for (const table of ['plain', 'pairs'])
    await client.execute(`CREATE TABLE k.${table} (p int PRIMARY KEY, v int)`);
  await client.execute('CREATE TABLE k.counts (p int PRIMARY KEY, c counter)');
}

async function verify(client: Client, known: Acknowledged): Promise<void> {
  const select = (statement: string, values: unknown[] = []) =>
    client.execute(statement, values, { prepare: true, fetchSize: 0 });
  const plain = new Map((await select('SELECT p, v FROM k.plain')).rows.map(({ p, v }) => [p, v]));
  for (const [p, v] of known.rows) assert.equal(plain.get(p), v, `row ${p} was acknowledged`);
  const pairs = new Set((await select('SELECT p FROM k.pairs')).rows.map(({ p }) => p as number));
  for (const p of known.batches) assert.ok(pairs.has(p) && pairs.has(p + 1), `batch ${p} was acknowledged`);
  for (const p of pairs) assert.ok(pairs.has(p % 2 === 0 ? p + 1 : p - 1), `batch of ${p} is there in part`);
  const counted = (await select('SELECT c FROM k.counts WHERE p = 0')).first()['c'] as types.Long;
  assert.ok(counted.toNumber() >= known.counted, `${counted} of ${known.counted} increments`);
  const tables = await select("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'k'");
  const names = new Set(tables.rows.map((row) => row['table_name']));
  for (const name of known.tables) {
    assert.ok(names.has(name), `table ${name} was acknowledged`);
    await client.execute(`INSERT INTO k.${name} (p, v) VALUES (1, 'usable')`);
  }
}

test('what CQL clients were answered survives SIGKILL: rows, logged batches whole, counters, tables', async (context) => {
  const dataDir = temporaryDirectory(context);
  const known = new Acknowledged();
  for (let round = 0; round <= rounds; round++) await live(context, dataDir, round, known);
  const { rows, batches, counted, tables } = known;
  context.diagnostic(
    `${rows.size} rows, ${batches.length} batches, ${counted} increments, ${tables.length} tables`,
  );
  assert.ok(rows.size > 100 && batches.length > 5 && counted > 5 && tables.length > 0);
});
