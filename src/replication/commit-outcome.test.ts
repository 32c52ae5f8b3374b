import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Committed, later, parseTransactionId, refused, sessionMark, unknown } from './commit-outcome.ts';

const u32 = fc.nat({ max: 2 ** 32 - 1 });
const u48 = fc.nat({ max: 2 ** 48 - 1 });

test('the id of a transaction whose outcome is unknown names its place in history', () => {
  fc.assert(
    fc.property(u32, fc.nat({ max: 2 ** 20 - 1 }), u32, u48, (container, physicalPartition, epoch, lsn) => {
      const outcome = unknown({ container, physicalPartition }, epoch, lsn);
      assert(outcome.kind === 'unknown');
      assert.deepEqual(parseTransactionId(outcome.transactionId), {
        container,
        physicalPartition,
        epoch,
        lsn,
      });
    }),
  );
});

test('what is no transaction id is not taken for one', () => {
  for (const id of ['', 'x', '1.2.3', '1.2.3.4.5', '1.2.3.-4', '1.2.3.4e99', 'a.b.c.d', '1.2.3.4.'])
    assert.equal(parseTransactionId(id), undefined, id);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const parsed = parseTransactionId(text);
      if (parsed !== undefined)
        for (const part of Object.values(parsed)) assert(Number.isSafeInteger(part) && part >= 0);
    }),
  );
});

test('an id with an empty part is no id', () => {
  for (const id of ['...', '1..3.4', ' 1.2.3.4', '0x1.2.3.4'])
    assert.equal(parseTransactionId(id), undefined, id);
});

test('a committed outcome has the mark of its partition and LSN', () => {
  const address = { container: 5, physicalPartition: 6 };
  const outcome = new Committed(address, 7, { applied: true });
  assert.deepEqual(
    [outcome.kind, outcome.answer, outcome.mark],
    ['committed', { applied: true }, sessionMark(address, 7)],
  );
  assert.notEqual(outcome.mark, sessionMark(address, 8));
});

test('a refusal has its code and details', () => {
  const outcome = refused('too-few-replicas', { level: 2 });
  assert(outcome.kind === 'refused');
  assert.deepEqual([outcome.error.code, outcome.error.details], ['too-few-replicas', { level: 2 }]);
});

test('an outcome is not told before the call that asked has returned', async () => {
  const told: string[] = [];
  later(({ kind }) => told.push(kind), refused('stopping', {}));
  assert.deepEqual(told, []);
  await Promise.resolve();
  assert.deepEqual(told, ['refused']);
});
