import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogicalPartitionModel, type ModelTransaction } from './reference-model.ts';
import { Violation } from './violation.ts';

function put(row: number, value: string | null): ModelTransaction {
  return { condition: undefined, writes: [{ row, value }] };
}

function sees(model: LogicalPartitionModel, rows: Record<number, string | null>): boolean {
  const ticket = model.readBegins();
  try {
    model.seen(ticket, new Map(Object.entries(rows).map(([row, value]) => [Number(row), value])), true);
    return true;
  } catch (error) {
    assert(error instanceof Violation);
    return false;
  }
}

test('what was committed must be read, also after a crash', () => {
  const model = new LogicalPartitionModel('p', 2);
  model.committed(model.begin(put(0, 'a')), true);
  assert(!sees(model, { 0: null }));
  model.restart();
  assert(!sees(model, { 0: null }));
  assert(sees(model, { 0: 'a' }));
});

test('what was refused is never read', () => {
  const model = new LogicalPartitionModel('p', 2);
  model.refused(model.begin(put(0, 'a')));
  assert(!sees(model, { 0: 'a' }));
  model.restart();
  assert(!sees(model, { 0: 'a' }));
});

test('what nobody was told of may be there or not, and is never un-read', () => {
  const model = new LogicalPartitionModel('p', 2);
  model.begin(put(0, 'a'));
  assert(sees(model, { 0: null }));
  assert(sees(model, { 0: 'a' }));
  assert(!sees(model, { 0: null }));
  model.restart();
  assert(!sees(model, { 0: null }));
});

test('a read that began before another one ended may see less than it', () => {
  const model = new LogicalPartitionModel('p', 2);
  model.begin(put(0, 'a'));
  const early = model.readBegins();
  assert(sees(model, { 0: 'a' }));
  model.seen(early, new Map([[0, null]]), true);
});

test('no transaction is read in part', () => {
  const model = new LogicalPartitionModel('p', 2);
  model.begin({
    condition: undefined,
    writes: [
      { row: 0, value: 'a' },
      { row: 1, value: 'b' },
    ],
  });
  assert(!sees(model, { 0: 'a', 1: null }));
  assert(sees(model, { 0: 'a', 1: 'b' }));
});

test('after a crash a beginning of what was under way is there, never a later one without an earlier', () => {
  const model = new LogicalPartitionModel('p', 2);
  model.begin(put(0, 'a'));
  model.begin(put(1, 'b'));
  model.restart();
  assert(!sees(model, { 0: null, 1: 'b' }));
  assert(sees(model, { 0: 'a', 1: null }));
});

test('a settlement must agree with what was read', () => {
  const model = new LogicalPartitionModel('p', 1);
  const serial = model.begin(put(0, 'a'));
  model.mayBeAskedFor(serial);
  model.restart();
  assert(sees(model, { 0: null }));
  assert.throws(() => model.settled(serial, 'kept'), Violation);
  model.settled(serial, 'dropped');
});

test('a condition is judged by what was there', () => {
  const model = new LogicalPartitionModel('p', 1);
  model.committed(model.begin(put(0, 'a')), true);
  const wrong = model.begin(
    { condition: { row: 0, expected: null }, writes: [{ row: 0, value: 'b' }] },
    'p0',
  );
  assert.throws(() => model.committed(wrong, true), Violation);
  model.committed(wrong, false);
  assert(sees(model, { 0: 'a' }));
});

test('what waits at a partition that has ended may be missing while a later one at its heir is there', () => {
  const model = new LogicalPartitionModel('p', 2);
  model.begin(put(0, 'a'), 'parent');
  model.begin(put(1, 'b'), 'child');
  model.restart();
  assert(sees(model, { 0: null, 1: 'b' }));
});

test('a commit that is told after a later one is out of order', () => {
  const model = new LogicalPartitionModel('p', 1);
  const early = model.begin(put(0, 'a'));
  model.committed(model.begin(put(0, 'b')), true);
  assert.throws(() => model.committed(early, true), Violation);
});
