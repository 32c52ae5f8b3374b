import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WrittenCql } from '../../../../test/support/written-cql.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { StatementAnswer } from '../../../execution/cql/statement-request.ts';
import type { Outcome } from '../../../storage/partition-store.ts';
import { runBatch } from './run-batch.ts';

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

async function reasonOf(run: () => Promise<unknown>): Promise<unknown> {
  const error: unknown = await run().then(
    () => undefined,
    (failure) => failure,
  );
  assert.ok(error instanceof RingfoldError);
  return error.details['reason'] ?? error.details['writeType'];
}

test('a write is charged, and its trace says where it went and what it cost', async () => {
  await WrittenCql.use(async (cql) => {
    await cql.run('CREATE TABLE ks.t (k text PRIMARY KEY, v int)');
    const events: string[] = [];
    const trace = { id: Buffer.alloc(16), event: (activity: string) => events.push(activity) };
    const { chargeRu } = await cql.run("INSERT INTO ks.t (k, v) VALUES ('theo', 1)", { trace });
    assert.ok(chargeRu > 0);
    assert.deepEqual(events, [
      "Writing 'theo' to physical partition 0",
      `Wrote 1 rows of 'theo' to physical partition 0: ${chargeRu} request units (${chargeRu} for 1 item of 0.02 KB created)`,
    ]);
  });
});

test('a larger row costs more, and a condition costs the reading of the row', async () => {
  await WrittenCql.use(async (cql) => {
    await cql.run('CREATE TABLE ks.t (k int PRIMARY KEY, v text)');
    const chargeOf = async (text: string): Promise<number> => (await cql.run(text)).chargeRu;
    const small = await chargeOf("INSERT INTO ks.t (k, v) VALUES (1, 'x')");
    const large = await chargeOf(`INSERT INTO ks.t (k, v) VALUES (2, '${'x'.repeat(9_000)}')`);
    const conditional = await chargeOf("INSERT INTO ks.t (k, v) VALUES (3, 'x') IF NOT EXISTS");
    const refused = await chargeOf("INSERT INTO ks.t (k, v) VALUES (3, 'x') IF NOT EXISTS");
    assert.ok(
      large > small && conditional > small && refused < small,
      `${[small, large, conditional, refused]}`,
    );
  });
});

test('clients learn which markers are the partition key, if all of it has markers of its own', async () => {
  await WrittenCql.use(async (cql) => {
    await cql.run('CREATE TABLE ks.t (a int, b int, c int, v int, PRIMARY KEY ((a, b), c))');
    const indexes = (text: string): readonly number[] => cql.prepare(text).partitionKeyIndexes;
    assert.deepEqual(indexes('INSERT INTO ks.t (v, b, c, a) VALUES (?, ?, ?, ?)'), [3, 1]);
    assert.deepEqual(indexes('UPDATE ks.t SET v = ? WHERE b = ? AND c = ? AND a = ?'), [3, 1]);
    assert.deepEqual(indexes('DELETE FROM ks.t WHERE a = 1 AND b = ?'), []);
    assert.deepEqual(indexes('DELETE FROM ks.t WHERE a = ? AND b IN ?'), []);
  });
});

test('a statement is prepared anew when its table has changed, and not when another has', async () => {
  await WrittenCql.use(async (cql) => {
    await cql.runAll('CREATE TABLE ks.t (k int PRIMARY KEY, v int)');
    const { catalog } = cql.parts;
    const prepared = cql.prepare('INSERT INTO ks.t (k, v) VALUES (?, ?)');
    await cql.run('CREATE TABLE ks.other (k int PRIMARY KEY)');
    assert.equal(prepared.isCurrent(catalog.schema), true);
    await cql.run('ALTER TABLE ks.t ADD w int');
    assert.equal(prepared.isCurrent(catalog.schema), false);
  });
});

test('the BATCH message takes writes only, and all of them have one time', async () => {
  await WrittenCql.use(async (cql) => {
    await cql.run('CREATE TABLE ks.t (k int, c int, v int, PRIMARY KEY (k, c))');
    const insert = cql.prepare('INSERT INTO ks.t (k, c, v) VALUES (?, ?, ?)');
    const remove = cql.prepare('DELETE FROM ks.t WHERE k = ?');
    const request = cql.request({});
    const run = async (...entries: Parameters<typeof runBatch>[0]['entries']): Promise<StatementAnswer> =>
      await runBatch({ type: 'logged', entries }, request, cql.parts);
    await run(
      { prepared: insert, values: [int(1), int(1), int(1)] },
      { prepared: insert, values: [int(1), int(2), int(2)] },
      { prepared: insert, values: [int(2), int(1), int(3)] },
    );
    assert.equal((await cql.rows('SELECT * FROM ks.t')).length, 3);
    const times = await cql.rows('SELECT writetime(v) FROM ks.t');
    assert.equal(new Set(times.flat()).size, 1);
    await run({ prepared: insert, values: [int(1), int(9), int(9)] }, { prepared: remove, values: [int(1)] });
    assert.deepEqual(await cql.rows('SELECT k FROM ks.t'), [['00000002']], 'at one time the deletion wins');
    const select = cql.prepare('SELECT * FROM ks.t');
    assert.equal(
      await reasonOf(() => run({ prepared: select, values: [] })),
      'Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.',
    );
  });
});

test('a write whose outcome nobody knows says of which type it was', async () => {
  await WrittenCql.use(async (cql) => {
    await cql.runAll(
      'CREATE TABLE ks.t (k int PRIMARY KEY, v int)',
      'CREATE TABLE ks.n (k int PRIMARY KEY, n counter)',
    );
    const { store } = cql.parts.throughput;
    const unknown: Outcome = { kind: 'unknown', transactionId: 'x' };
    store.transact = (_address, _partition, _operation, done) => setImmediate(done, unknown);
    const insert = (key: number): string => `INSERT INTO ks.t (k, v) VALUES (${key}, 1)`;
    assert.equal(await reasonOf(() => cql.run(insert(1))), 'SIMPLE');
    assert.equal(await reasonOf(() => cql.run('UPDATE ks.n SET n = n + 1 WHERE k = 1')), 'COUNTER');
    assert.equal(await reasonOf(() => cql.run(`${insert(1)} IF NOT EXISTS`)), 'CAS');
    const batch = (kind: string): string => `BEGIN ${kind} BATCH ${insert(1)}; ${insert(2)}; APPLY BATCH`;
    assert.equal(await reasonOf(() => cql.run(batch('UNLOGGED'))), 'UNLOGGED_BATCH');
    assert.equal(await reasonOf(() => cql.run(batch(''))), 'BATCH');
  });
});

test('a write goes on to where its partition has moved', async () => {
  await WrittenCql.use(async (cql) => {
    await cql.run('CREATE TABLE ks.t (k int PRIMARY KEY, v int)');
    const { store } = cql.parts.throughput;
    const transact = store.transact.bind(store);
    let moves = 3;
    store.transact = (address, partition, operation, done) => {
      if (moves-- > 0) setImmediate(done, { kind: 'moved', mapVersion: 2 });
      else transact(address, partition, operation, done);
    };
    await cql.run('INSERT INTO ks.t (k, v) VALUES (1, 1)');
    assert.deepEqual(await cql.rows('SELECT v FROM ks.t'), [['00000001']]);
  });
});
