// What is charged besides a plain read or write: reads that a write makes beside its transaction, and what fails after it has begun.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WrittenCql } from '../../../test/support/written-cql.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { chargeOfFailure } from '../../throughput/charged-failure.ts';
import type { RequestUnits } from '../../throughput/request-units.ts';

const listed =
  'CREATE TABLE ks.t (p int, c int, l list<int>, s int static, v text, PRIMARY KEY (p, c)) WITH cosmosdb_provisioned_throughput = 400';

async function chargeOf(cql: WrittenCql, text: string): Promise<RequestUnits> {
  return (await cql.run(text)).chargeRu;
}

async function failureOf(cql: WrittenCql, text: string): Promise<RingfoldError> {
  try {
    await cql.run(text);
  } catch (error) {
    if (error instanceof RingfoldError) return error;
    throw error;
  }
  return assert.fail('it must fail');
}

/** What the partitions of the newest table were charged, by themselves. */
function spentRu({ parts: { throughput } }: WrittenCql): number {
  const container = throughput.store.containers().at(-1) ?? 0;
  const nowMs = throughput.clock.monotonic() + 2_000;
  const minutes = throughput.governor.minutes(nowMs, container);
  return Math.round(minutes.reduce((sum, { charge }) => sum + charge, 0) * 100) / 100;
}

test('a write that looks at lists in several partitions first pays for looking, and all that is paid is told', () =>
  WrittenCql.use(async (cql) => {
    await cql.run(listed);
    let told = 0;
    for (const p of [1, 2])
      told += await chargeOf(cql, `INSERT INTO ks.t (p, c, l) VALUES (${p}, 1, [1, 2])`);
    const alone = await chargeOf(cql, 'UPDATE ks.t SET l[0] = 5 WHERE p = 1 AND c = 1');
    const both = await chargeOf(cql, 'UPDATE ks.t SET l[0] = 5 WHERE p IN (1, 2) AND c = 1');
    // The header, which is not there, and the row, in each partition.
    assert.equal(both, 2 * alone + 4);
    told += alone + both;
    const hopeless = await failureOf(cql, 'UPDATE ks.t SET l[0] = 5 WHERE p IN (1, 3) AND c = 1');
    assert.deepEqual([hopeless.code, chargeOfFailure(hopeless)], ['bad-request', 4]);
    told += chargeOfFailure(hopeless);
    assert.equal(spentRu(cql), Math.round(told * 100) / 100);
  }));

test('a write that was refused for what it found in its partition is charged for looking', () =>
  WrittenCql.use(async (cql) => {
    await cql.run(listed);
    const failure = await failureOf(cql, 'UPDATE ks.t SET l[0] = 5 WHERE p = 1 AND c = 1');
    assert.deepEqual([failure.code, chargeOfFailure(failure), spentRu(cql)], ['bad-request', 1, 1]);
  }));

test('a condition on static columns that does not hold pays for the row that it shows', () =>
  WrittenCql.use(async (cql) => {
    await cql.run(listed);
    let told: number = await chargeOf(cql, 'INSERT INTO ks.t (p, s) VALUES (1, 1)');
    const update = 'UPDATE ks.t SET s = 2 WHERE p = 1 IF s = 7';
    const before = await chargeOf(cql, update);
    const text = 'x'.repeat(100_000);
    told += await chargeOf(cql, `INSERT INTO ks.t (p, c, v) VALUES (1, 1, '${text}')`);
    const shown = await chargeOf(cql, update);
    assert.ok(shown > before, `${shown} is more than ${before}`);
    assert.equal(spentRu(cql), Math.round((told + before + shown) * 100) / 100);
  }));

test('where no request units are left such a write is refused before it looks, and one that was admitted is not refused on its way', () =>
  WrittenCql.use(async (cql) => {
    await cql.run(listed);
    for (const p of [1, 2]) await cql.run(`INSERT INTO ks.t (p, c, l) VALUES (${p}, 1, [1, 2])`);
    const container = cql.parts.throughput.store.containers().at(-1) ?? 0;
    const { governor, clock } = cql.parts.throughput;
    const budget = governor.partition(container, 0)?.measure.budget;
    assert.ok(budget !== undefined);
    const drain = (leftRu: number) => {
      const { balanceRu, bankRu } = budget.rest(clock.monotonic());
      budget.spend(clock.monotonic(), balanceRu + bankRu - leftRu, 'high', 0);
    };
    // Looking costs 4: it leaves a debt, which its own writes do not wait for.
    drain(1);
    await cql.run('UPDATE ks.t SET l[0] = 5 WHERE p IN (1, 2) AND c = 1');
    drain(-4_000);
    const spentBefore = spentRu(cql);
    const refusal = await failureOf(cql, 'UPDATE ks.t SET l[0] = 5 WHERE p IN (1, 2) AND c = 1');
    assert.equal(refusal.code, 'throughput-exceeded');
    assert.equal(spentRu(cql), spentBefore);
  }));

test('who is refused because tables share a budget is told the key that spent it, and its table', () =>
  WrittenCql.use(async (cql) => {
    await cql.runAll(
      "CREATE KEYSPACE shared WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1} AND cosmosdb_provisioned_throughput = 400",
      'CREATE TABLE shared.greedy (p int PRIMARY KEY, v text)',
      'CREATE TABLE shared.modest (p int PRIMARY KEY, v text)',
      "INSERT INTO shared.modest (p, v) VALUES (2, 'x')",
      `INSERT INTO shared.greedy (p, v) VALUES (7, '${'x'.repeat(1_900_000)}')`,
    );
    const refusal = await failureOf(cql, "INSERT INTO shared.modest (p, v) VALUES (1, 'x')");
    assert.equal(refusal.code, 'throughput-exceeded');
    assert.equal(refusal.details['hottestLogicalPartition'], '7 of shared.greedy');
    assert.equal(refusal.details['budgetRuPerSecond'], 400);
  }));

test('a read that fails on a row is charged for the rows it had looked at, and says so', () =>
  WrittenCql.use(async (cql) => {
    await cql.run(listed);
    let told = 0;
    for (const c of [1, 2]) told += await chargeOf(cql, `INSERT INTO ks.t (p, c, s) VALUES (1, ${c}, 0)`);
    const failure = await failureOf(cql, 'SELECT c / s FROM ks.t WHERE p = 1');
    assert.equal(failure.code, 'cql-function-failed');
    assert.ok(chargeOfFailure(failure) > 2.5, `${chargeOfFailure(failure)}`);
    assert.equal(spentRu(cql), Math.round((told + chargeOfFailure(failure)) * 100) / 100);
  }));

test('a point read that too few replicas could answer for certain is charged for the one that was asked', (context) =>
  WrittenCql.use(async (cql) => {
    await cql.run(listed);
    const told = await chargeOf(cql, 'INSERT INTO ks.t (p, c, l) VALUES (1, 1, [1])');
    const { store } = cql.parts.throughput;
    const read = store.read.bind(store);
    context.mock.method(store, 'readCached', () => undefined);
    context.mock.method(store, 'read', async (...request: Parameters<typeof read>) => ({
      ...(await read(...request)),
      certainty: 'unsettled',
    }));
    const failure = await failureOf(cql, 'SELECT l FROM ks.t WHERE p = 1 AND c = 1');
    assert.deepEqual([failure.code, chargeOfFailure(failure)], ['too-few-replicas', 1]);
    assert.equal(spentRu(cql), Math.round((told + 1) * 100) / 100);
  }));
