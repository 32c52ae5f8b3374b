import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consistencyLevels } from './consistency-level.ts';
import { defaultNosqlSettings } from './nosql-context.ts';
import { consistencyOf, isAsked, multiplierOf, sessionTokenOf, traitsOf } from './request-options.ts';

const none: ReadonlyMap<string, string> = new Map();

test('every level may be weakened and none strengthened', () => {
  for (const [has, consistency] of consistencyLevels.entries()) {
    const context = { settings: { ...defaultNosqlSettings, consistency } };
    assert.equal(consistencyOf({ headers: none }, context), consistency);
    for (const [wants, level] of consistencyLevels.entries()) {
      const ask = () => consistencyOf({ headers: new Map([['x-ms-consistency-level', level]]) }, context);
      if (wants <= has) assert.equal(ask(), level);
      else assert.throws(ask, { code: 'bad-request' });
    }
  }
});

test('a strategy of reading is independent of the level of the account, but for one that needs a strong account', () => {
  for (const consistency of consistencyLevels) {
    const context = { settings: { ...defaultNosqlSettings, consistency } };
    const read = (strategy: string, level = '') =>
      consistencyOf(
        {
          headers: new Map([
            ['x-ms-cosmos-read-consistency-strategy', strategy],
            ['x-ms-consistency-level', level],
          ]),
        },
        context,
      );
    assert.deepEqual(
      ['Default', 'Eventual', 'Session', 'LatestCommitted'].map((strategy) => read(strategy)),
      [consistency, 'Eventual', 'Session', 'BoundedStaleness'],
    );
    assert.equal(read('Default', 'Eventual'), 'Eventual');
    if (consistency === 'Strong') assert.equal(read('GlobalStrong'), 'Strong');
    else assert.throws(() => read('GlobalStrong'), { code: 'bad-request' });
    assert.throws(() => read('Sometimes'), { code: 'bad-request' });
    // The service's gateway refuses both at once, and Java's client sends one.
    assert.throws(() => read('Session', 'Eventual'), { code: 'bad-request' });
  }
});

test('a level that does not exist is refused', () => {
  const headers = new Map([['x-ms-consistency-level', 'Sometimes']]);
  assert.throws(() => consistencyOf({ headers }, { settings: defaultNosqlSettings }), {
    code: 'bad-request',
  });
});

test('strong and bounded reads are paid twice', () => {
  assert.deepEqual(
    consistencyLevels.map((level) => multiplierOf(level)),
    [1, 1, 1, 2, 2],
  );
});

test('what a client has seen matters to the levels that promise not to go back', () => {
  const headers = new Map([['x-ms-session-token', '0:-1#1']]);
  assert.equal(sessionTokenOf({ headers }, 'Eventual'), undefined);
  assert.equal(sessionTokenOf({ headers }, 'Session'), '0:-1#1');
});

test('priority and bucket are read, and wrong ones refused', () => {
  assert.deepEqual(traitsOf({ headers: none }, 'read-item'), {
    operation: 'read-item',
    priority: 'high',
    bucket: 0,
  });
  assert.equal(traitsOf({ headers: none }, 'read-item'), traitsOf({ headers: none }, 'read-item'));
  const headers = new Map([
    ['x-ms-cosmos-priority-level', 'Low'],
    ['x-ms-cosmos-throughput-bucket', '3'],
  ]);
  assert.deepEqual(traitsOf({ headers }, 'query'), { operation: 'query', priority: 'low', bucket: 3 });
  for (const wrong of [
    ['x-ms-cosmos-priority-level', 'Odd'],
    ['x-ms-cosmos-throughput-bucket', '6'],
  ] as const)
    assert.throws(() => traitsOf({ headers: new Map([wrong]) }, 'query'), { code: 'bad-request' });
});

test('true is true in any letters', () => {
  for (const text of ['true', 'True', 'TRUE']) assert.ok(isAsked({ headers: new Map([['a', text]]) }, 'a'));
  for (const text of ['false', '', '1']) assert.ok(!isAsked({ headers: new Map([['a', text]]) }, 'a'));
});
