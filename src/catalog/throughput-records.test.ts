import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../../test/support/memory-cluster.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { SharedStretches } from '../partitioning/shared-stretches.ts';
import { initialThroughput } from '../throughput/throughput-state.ts';
import { encodeThroughputState } from '../throughput/throughput-state-json.ts';
import { containerOwner, databaseOwner, ownerOfText, textOfOwner } from './throughput-owner.ts';
import { type ThroughputRecord, ThroughputRecords } from './throughput-records.ts';

const manual: ThroughputRecord = {
  state: initialThroughput({ kind: 'manual', ruPerSecond: 700 }),
  controlBuckets: [{ id: 1, maxThroughputPercentage: 20 }],
  database: undefined,
};
const shared: ThroughputRecord = {
  state: initialThroughput({ kind: 'shared' }),
  controlBuckets: [],
  database: 'a/b',
};

test('owners are told apart by their texts', () => {
  for (const owner of [containerOwner(12), databaseOwner('12'), databaseOwner('a/b')])
    assert.deepEqual(ownerOfText(textOfOwner(owner)), owner);
  assert.throws(() => ownerOfText('12'), RingfoldError);
});

test('what was put is there when it is loaded again, and a container without a record has the default', () =>
  TestCluster.use({}, async ({ store }) => {
    const records = await ThroughputRecords.load(store.records);
    const told: string[] = [];
    records.whenChanged((owner) => told.push(textOfOwner(owner)));
    await records.put(containerOwner(7), manual);
    await records.put(containerOwner(8), shared);
    await records.put(databaseOwner('a/b'), { ...manual, controlBuckets: [] });
    await records.put(databaseOwner('gone'), manual);
    await records.remove(databaseOwner('gone'), []);
    assert.deepEqual(told.slice(0, 2), ['container/7', 'container/8']);
    const again = await ThroughputRecords.load(store.records);
    assert.deepEqual(again.ofContainer(7), manual);
    assert.deepEqual(again.ofContainer(9).state.setting, { kind: 'default' });
    assert.deepEqual(again.sharing('a/b'), [8]);
    assert.deepEqual(again.databases(), ['a/b']);
    assert.equal(again.of(databaseOwner('gone')), undefined);
  }));

test('how a database is divided is kept, and one of before there were shares is divided equally', () =>
  TestCluster.use({}, async ({ store }) => {
    const records = await ThroughputRecords.load(store.records);
    const state = initialThroughput({ kind: 'manual', ruPerSecond: 25_000 });
    const stretches = SharedStretches.initial(3)
      .withThroughputFractions(
        new Map([
          [0, 0.5],
          [1, 0.3],
          [2, 0.2],
        ]),
      )
      .split(0);
    await records.put(databaseOwner('new'), { state, controlBuckets: [], database: undefined, stretches });
    await records.put(databaseOwner('old'), { state, controlBuckets: [], database: undefined });
    const again = await ThroughputRecords.load(store.records);
    assert.deepEqual(again.of(databaseOwner('new'))?.stretches, stretches);
    assert.deepEqual(again.of(databaseOwner('old'))?.stretches, SharedStretches.initial(3));
    const value = {
      throughput: encodeThroughputState(state),
      stretches: { ...stretches.toJSON(), nextId: 1 },
    };
    await store.records.put([{ kind: 'throughput', id: 'database/bad', value }]);
    await assert.rejects(ThroughputRecords.load(store.records), { code: 'corrupt-data' });
  }));

test('changes of one owner wait for one another, also after one that failed', () =>
  TestCluster.use({}, async ({ store }) => {
    const records = await ThroughputRecords.load(store.records);
    const order: number[] = [];
    const slow = records.inTurn(containerOwner(7), async () => {
      await records.put(containerOwner(7), manual);
      order.push(1);
      throw new Error('failed');
    });
    const next = records.inTurn(containerOwner(7), async () => order.push(2));
    await assert.rejects(slow, /failed/);
    await next;
    assert.deepEqual(order, [1, 2]);
  }));

test('a stored record that cannot be is refused', () =>
  TestCluster.use({}, async ({ store }) => {
    const value = { throughput: { version: 1, setting: { kind: 'manual' }, highestRuEver: 0 } };
    await store.records.put([{ kind: 'throughput', id: 'container/7', value }]);
    await assert.rejects(ThroughputRecords.load(store.records), { code: 'corrupt-data' });
  }));
