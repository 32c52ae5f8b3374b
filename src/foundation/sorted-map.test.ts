import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from './byte-string.ts';
import { type SortedEntries, SortedMap } from './sorted-map.ts';

const key = (text: string) => text as ByteString;

function walk<V>(
  entries: SortedEntries<V>,
  from: string,
  to: string | undefined,
  reverse = false,
): [string, V][] {
  const cursor = entries.cursor(key(from), to === undefined ? undefined : key(to), reverse);
  const found: [string, V][] = [];
  for (let entry = cursor.next(); entry !== undefined; entry = cursor.next())
    found.push([entry.key, entry.value]);
  return found;
}

function walkModel<V>(
  model: Map<string, V>,
  from: string,
  to: string | undefined,
  reverse = false,
): [string, V][] {
  const within = [...model].filter(([k]) => k >= from && (to === undefined || k < to));
  within.sort(([a], [b]) => (a < b ? -1 : 1));
  return reverse ? within.reverse() : within;
}

test('an empty map has no entries in any direction', () => {
  const map = new SortedMap<number>();
  assert.equal(map.size, 0);
  assert.deepEqual(walk(map, '', undefined), []);
  assert.deepEqual(walk(map, '', undefined, true), []);
  assert.equal(map.snapshot().get(key('a')), undefined);
});

test('a range holds its start and not its end, in either direction', () => {
  const map = new SortedMap<number>();
  for (const [index, letter] of ['a', 'b', 'c', 'd'].entries()) map.set(key(letter), index);
  assert.deepEqual(walk(map, 'b', 'd'), [
    ['b', 1],
    ['c', 2],
  ]);
  assert.deepEqual(walk(map, 'b', 'd', true), [
    ['c', 2],
    ['b', 1],
  ]);
  assert.deepEqual(walk(map, 'd', 'b'), []);
  assert.deepEqual(walk(map, 'd', 'b', true), []);
});

test('the empty key and bytes from 0x80 sort as bytes', () => {
  const map = new SortedMap<number>();
  for (const letter of ['\xff', '\x80', '\x7f', '', '\x00']) map.set(key(letter), 0);
  assert.deepEqual(
    walk(map, '', undefined).map(([k]) => k),
    ['', '\x00', '\x7f', '\x80', '\xff'],
  );
});

test('a finished cursor stays finished', () => {
  const map = new SortedMap<number>();
  map.set(key('a'), 1);
  for (const reverse of [false, true]) {
    const cursor = map.cursor(key(''), undefined, reverse);
    cursor.next();
    assert.equal(cursor.next(), undefined);
    assert.equal(cursor.next(), undefined);
  }
});

type Command =
  | { kind: 'set'; key: string; value: number }
  | { kind: 'delete'; key: string }
  | { kind: 'delete-many'; from: number; count: number }
  | { kind: 'set-many'; from: number; count: number; value: number }
  | { kind: 'snapshot' }
  | { kind: 'clear' };

// Few distinct keys, so that writes meet; stretches of many, so that chunks are cut and emptied.
const oneKey = fc.integer({ min: 0, max: 1500 }).map((n) => numbered(n));
const numbered = (n: number) => String.fromCharCode(n >>> 8, n & 0xff);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('set' as const), key: oneKey, value: fc.nat() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('delete' as const), key: oneKey }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('set-many' as const),
      from: fc.nat(1200),
      count: fc.nat(900),
      value: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete-many' as const),
      from: fc.nat(1200),
      count: fc.nat(900),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('snapshot' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

function run(command: Command, map: SortedMap<number>, model: Map<string, number>): void {
  switch (command.kind) {
    case 'set':
      map.set(key(command.key), command.value);
      model.set(command.key, command.value);
      break;
    case 'delete':
      assert.equal(map.delete(key(command.key)), model.delete(command.key));
      break;
    case 'set-many':
      for (let n = command.from; n < command.from + command.count; n++) {
        map.set(key(numbered(n)), command.value);
        model.set(numbered(n), command.value);
      }
      break;
    case 'delete-many':
      for (let n = command.from; n < command.from + command.count; n++) {
        map.delete(key(numbered(n)));
        model.delete(numbered(n));
      }
      break;
    case 'clear':
      map.clear();
      model.clear();
      break;
    case 'snapshot':
      break;
  }
}

test('the map, and every snapshot of it, equals a plain Map sorted by key', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), oneKey, oneKey, (commands, a, b) => {
      const map = new SortedMap<number>();
      const model = new Map<string, number>();
      const moments: { snapshot: SortedEntries<number>; model: Map<string, number> }[] = [];
      for (const command of commands) {
        if (command.kind === 'snapshot') moments.push({ snapshot: map.snapshot(), model: new Map(model) });
        else run(command, map, model);
      }
      moments.push({ snapshot: map, model });
      assert.equal(map.floor(key(a))?.key, walkModel(model, '', `${a}\0`, true)[0]?.[0]);
      for (const { snapshot, model } of moments) {
        assert.equal(snapshot.size, model.size);
        assert.equal(snapshot.get(key(a)), model.get(a));
        for (const reverse of [false, true]) {
          assert.deepEqual(walk(snapshot, '', undefined, reverse), walkModel(model, '', undefined, reverse));
          assert.deepEqual(walk(snapshot, a, b, reverse), walkModel(model, a, b, reverse));
        }
      }
    }),
    { numRuns: 200 },
  );
});
