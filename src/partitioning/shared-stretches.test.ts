import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { SharedStretches } from './shared-stretches.ts';

const fractionsOf = ({ list }: SharedStretches) => list.map(({ throughputFraction }) => throughputFraction);
const idsOf = ({ list }: SharedStretches) => list.map(({ id }) => id);

function isRefusedWith(code: string): (error: unknown) => boolean {
  return (error) => error instanceof RingfoldError && error.code === code;
}

test('at first all are of one width and have the same', () => {
  const three = SharedStretches.initial(3);
  assert.ok(three.areOfOneWidth);
  assert.deepEqual(fractionsOf(three), [1 / 3, 1 / 3, 1 / 3]);
  assert.ok(Math.abs(three.widthOf(2) - 1 / 3) < 1e-12);
});

test('under the equal policy a split or a merge makes all shares equal again, whatever the widths', () => {
  const three = SharedStretches.initial(2).split(0);
  assert.deepEqual(idsOf(three), [2, 3, 1]);
  assert.deepEqual(
    three.list.map(({ from }) => from),
    [0, 0.25, 0.5],
  );
  assert.ok(!three.areOfOneWidth);
  assert.deepEqual(fractionsOf(three), [1 / 3, 1 / 3, 1 / 3]);
  assert.deepEqual(fractionsOf(three.merge(3, 1)), [1 / 2, 1 / 2]);
});

test('under the custom policy children halve what their parent had, and a merge adds', () => {
  const custom = SharedStretches.initial(2).withThroughputFractions(
    new Map([
      [0, 0.75],
      [1, 0.25],
    ]),
  );
  const three = custom.split(0);
  assert.deepEqual(fractionsOf(three), [0.375, 0.375, 0.25]);
  assert.deepEqual(fractionsOf(three.merge(3, 1)), [0.375, 0.625]);
  assert.deepEqual(fractionsOf(three.withEqualThroughput()), [1 / 3, 1 / 3, 1 / 3]);
});

test('a partition belongs to the stretch it begins in, and one that begins a hair before it too', () => {
  const three = SharedStretches.initial(3);
  assert.deepEqual(
    [0, 0.3, 1 / 3 - 1e-9, 0.5, 2 / 3, 0.99].map((place) => three.ownerOf(place).id),
    [0, 0, 1, 1, 2, 2],
  );
});

test('only neighbours are merged, only what is there is changed, and what is too narrow is not split', () => {
  const three = SharedStretches.initial(3);
  assert.throws(() => three.merge(0, 2), isRefusedWith('merge-refused'));
  assert.throws(() => three.merge(1, 0), isRefusedWith('merge-refused'));
  assert.throws(() => three.split(9), isRefusedWith('partition-not-found'));
  let narrow = SharedStretches.initial(1);
  assert.throws(() => {
    for (;;) narrow = narrow.split(narrow.list[0]?.id ?? 0);
  }, isRefusedWith('split-refused'));
  assert.equal(narrow.list.length, 13);
});

test('what could not have been written is not read', () => {
  const good = SharedStretches.initial(2).toJSON();
  const [one, two] = good.list;
  const bad: readonly unknown[] = [
    null,
    [],
    { ...good, throughputPolicy: 'fair' },
    { ...good, nextId: -1 },
    { ...good, nextId: 1 },
    { ...good, list: [] },
    { ...good, list: [two, one] },
    { ...good, list: [{ ...one, from: 0.1 }, two] },
    { ...good, list: [one, { ...two, from: 1 }] },
    { ...good, list: [one, { ...two, id: 0 }] },
    { ...good, list: [one, { ...two, parents: 'x' }] },
    { ...good, list: [one, { ...two, throughputFraction: 0 }] },
    { ...good, list: [one, { ...two, throughputFraction: 0.6 }] },
  ];
  for (const json of bad)
    assert.throws(() => SharedStretches.fromJSON(json), isRefusedWith('corrupt-data'), JSON.stringify(json));
});
