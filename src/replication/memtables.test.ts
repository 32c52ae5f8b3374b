import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../foundation/byte-string.ts';
import { entryKinds } from '../storage/log/log-entry.ts';
import type { StoredRow } from '../storage/log/stored-row.ts';
import { LogArena } from './log-arena.ts';
import { Memtables } from './memtables.ts';

const arena = new LogArena();

function row(key: string, value: string | null): StoredRow {
  const header = { kind: entryKinds.rows, container: 2, physicalPartition: 0, generation: 1, epoch: 1 };
  const write = { key: key as ByteString, value: value === null ? null : Buffer.from(value) };
  const [stored] = arena.encodeRows({ ...header, lsn: 1, timeMs: 0 }, [write]).rows;
  assert(stored !== undefined);
  return stored;
}

const key = fc.constantFrom(...'abcdefgh');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('put' as const), key, value: fc.option(fc.nat({ max: 99 })) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('freeze' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const) }) },
);

/** The same by being simple: every table a Map, newest last. */
function replay(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
  const memtables = new Memtables();
  let tables: Map<string, string | null>[] = [new Map()];
  let lsn = 0;
  for (const each of steps) {
    if (each.kind === 'put') {
      const value = each.value === null ? null : String(each.value);
      memtables.put(row(each.key, value));
      memtables.committed(7, ++lsn);
      tables.at(-1)?.set(each.key, value);
    }
    if (each.kind === 'freeze' && memtables.freeze() !== undefined) tables.push(new Map());
    if (each.kind === 'drop') {
      const [oldest] = memtables.frozen;
      if (oldest === undefined) continue;
      memtables.dropThrough(oldest.generation);
      tables = tables.slice(1);
    }
  }
  const newest = new Map(tables.flatMap((table) => [...table]));
  return { memtables, newest };
}

function textOf(found: StoredRow | undefined): string | null | undefined {
  return found === undefined ? undefined : (found.value?.toString() ?? null);
}

test('a key is found as it was written last, removals included, until its table is dropped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { memtables, newest } = replay(steps);
      for (const each of 'abcdefgh')
        assert.equal(textOf(memtables.get(each as ByteString)), newest.get(each));
    }),
  );
});

test('a range is collected in order, each key once and newest, until there are rows enough', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      key,
      key,
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      (steps, from, to, reverse, maxRows) => {
        const { memtables, newest } = replay(steps);
        const inRange = [...newest].filter(([each]) => each >= from && each < to);
        inRange.sort(([left], [right]) => (left < right !== reverse ? -1 : 1));
        const expected: [string, string | null][] = [];
        for (const each of inRange) {
          if (expected.filter(([, value]) => value !== null).length === maxRows) break;
          expected.push(each);
        }
        const collected = memtables.collect(from as ByteString, to as ByteString, reverse, maxRows);
        assert.deepEqual(
          collected.map((found) => [found.key, textOf(found)]),
          expected,
        );
      },
    ),
  );
});

test('generations follow one another, and dropping one drops all before it', () => {
  const memtables = new Memtables();
  for (let generation = 1; generation <= 4; generation++) {
    memtables.put(row('a', String(generation)));
    memtables.committed(7, generation);
    assert.equal(memtables.freeze()?.generation, generation);
  }
  memtables.dropThrough(3);
  assert.deepEqual(
    memtables.frozen.map(({ generation }) => generation),
    [4],
  );
  assert.equal(memtables.active.generation, 5);
});

test('a table that nothing was committed to is not handed over', () => {
  assert.equal(new Memtables().freeze(), undefined);
});

test('an entry without rows is handed over all the same, since it moves the LSN', () => {
  const memtables = new Memtables();
  memtables.committed(7, 12);
  assert.deepEqual([...(memtables.freeze()?.lsns ?? [])], [[7, 12]]);
});

test('the size counts what waits, and is nothing when all is dropped', () => {
  const memtables = new Memtables();
  memtables.put(row('a', 'x'.repeat(1_000)));
  memtables.committed(7, 1);
  assert(memtables.sizeBytes > 1_000);
  const table = memtables.freeze();
  assert(memtables.sizeBytes > 1_000);
  memtables.dropThrough(table?.generation ?? 0);
  assert.equal(memtables.sizeBytes, 0);
});
