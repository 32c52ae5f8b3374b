import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FirstLook } from './first-look.ts';

const item = (number: number): Buffer => Buffer.from(JSON.stringify({ a: number, b: 'rest' }));

function lookOf(passes: (a: unknown) => boolean, paths: readonly (readonly string[])[] | undefined) {
  const seen: unknown[] = [];
  let timesAsked = 0;
  const filterPaths = () => {
    timesAsked++;
    return paths;
  };
  const run = {
    passes: (document: unknown): boolean => {
      seen.push(document);
      return passes((document as { a?: unknown }).a);
    },
  };
  return { look: new FirstLook({ filterPaths }, run), seen, timesAsked: () => timesAsked };
}

test('an item is in vain if what the filter looks at does not pass', () => {
  const { look, seen, timesAsked } = lookOf((a) => a === 7, [['a']]);
  assert.deepEqual(
    [1, 7, 8].map((number) => look.isInVain(item(number))),
    [true, false, true],
  );
  assert.deepEqual(seen, [{ a: 1 }, { a: 7 }, { a: 8 }]);
  assert.equal(timesAsked(), 1);
});

test('where the filter cannot be asked first, no item is in vain', () => {
  const { look, seen } = lookOf(() => false, undefined);
  assert.equal(look.isInVain(item(1)), false);
  assert.deepEqual(seen, []);
});

test('items are not looked at twice for long where most of them pass, and for ever where few do', () => {
  const most = lookOf(() => true, [['a']]);
  for (let number = 0; number < 1_000; number++) assert.equal(most.look.isInVain(item(number)), false);
  assert.ok(most.seen.length < 10, `${most.seen.length} looks`);
  const few = lookOf((a) => Number(a) % 5 === 0, [['a']]);
  for (let number = 0; number < 1_000; number++)
    assert.equal(few.look.isInVain(item(number)), number % 5 !== 0);
  assert.equal(few.seen.length, 1_000);
});
