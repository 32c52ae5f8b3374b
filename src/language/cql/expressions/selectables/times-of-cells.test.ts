import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longBytes } from '../../../../values/cql-text.ts';
import { latestTimes, printTimes, type TimesOfCells, timesAt, timesBetween } from './times-of-cells.ts';

function at(timestamp: bigint) {
  return { timestamp, ttlSeconds: undefined };
}

function printed(times: TimesOfCells): string | undefined {
  return printTimes(times, ({ timestamp }) => longBytes(timestamp))?.toString('hex');
}

const many = [at(5n), undefined, at(9n), at(7n)];

test('of many cells the latest is the one that was written last, wherever it stands', () => {
  assert.deepEqual(latestTimes(many), { one: at(9n) });
  assert.deepEqual(latestTimes([undefined, at(3n)]), { one: at(3n) });
  assert.equal(latestTimes([undefined, undefined]), 'none');
  assert.deepEqual(latestTimes({ one: at(4n) }), { one: at(4n) });
});

test('a part of a value has the times of its own cells; a part of one cell has those of the cell', () => {
  assert.deepEqual(timesAt(many, 2), { one: at(9n) });
  assert.deepEqual(timesAt({ one: at(4n) }, 2), { one: at(4n) });
  assert.deepEqual(timesBetween(many, 1, 3), [undefined, at(9n)]);
  assert.deepEqual(timesBetween({ one: at(4n) }, 1, 3), { one: at(4n) });
  for (const times of [many, { one: at(4n) }]) assert.equal(timesBetween(times, 2, 2), 'none');
});

test('many are a list in which those that have none are null, and none at all is no list', () => {
  assert.equal(printed([at(5n), undefined]), '00000002000000080000000000000005ffffffff');
  assert.equal(printed({ one: at(5n) }), '0000000000000005');
  for (const times of ['none', { one: undefined }, []] as const) assert.equal(printed(times), undefined);
});
