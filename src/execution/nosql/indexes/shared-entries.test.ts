// Entries that items of a group share, from the writing of them to the walking: whatever happens to the items, what is walked is what
// they have, and nothing is left of those that are gone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteString, byteStringOf } from '../../../foundation/byte-string.ts';
import { SortedMap } from '../../../foundation/sorted-map.ts';
import { containerPrefix } from '../../../partitioning/logical-partition.ts';
import { MemoryEngine } from '../../../storage/memory/memory-engine.ts';
import type { EngineWrite } from '../../../storage/storage-engine.ts';
import { indexValueOf } from '../../../values/index-value.ts';
import { orderBytesOf } from './index-paths.ts';
import { IndexSegment } from './index-segment.ts';
import { encodeGroup, GROUP_SPAN, MOST_IN_GROUP, membersOf, withMembers } from './item-group.ts';
import type { IndexPosition } from './item-index.ts';
import { type ItemRecord, type PartingItem, writeItem } from './item-record.ts';
import { NewItems } from './new-items.ts';
import { notedValues } from './noted-values.ts';
import { writePartings } from './parting-items.ts';
import { TermList } from './term-list.ts';
import { walkEntries } from './walk-entries.ts';

const names = ['a', 'b', '_ts'] as const;
type Name = (typeof names)[number];
type Item = Readonly<Partial<Record<Name, unknown>>>;

/** What is done to items of a segment in one batch. */
interface Batch {
  readonly made: readonly Item[];
  /** How many rids of other partitions lie between two items. */
  readonly gap: number;
  readonly changed: readonly (readonly [number, Item | null])[];
}

const scalar = fc.constantFrom('x', 'y', 1, true);
const item: fc.Arbitrary<Item> = fc.record(
  {
    a: scalar,
    b: fc.oneof({ weight: 4, arbitrary: fc.constant('same') }, { weight: 1, arbitrary: scalar }),
    _ts: fc.nat(3),
  },
  { requiredKeys: ['_ts'] },
);
const batch: fc.Arbitrary<Batch> = fc.record({
  made: fc.array(item, { maxLength: 40 }),
  gap: fc.constantFrom(0, 1, 7, GROUP_SPAN),
  changed: fc.array(fc.tuple(fc.nat(), fc.option(item, { freq: 2, nil: null })), { maxLength: 12 }),
});

class Segment {
  readonly rows = new SortedMap<Buffer>();
  readonly engine: MemoryEngine = new MemoryEngine(this.rows);
  readonly segment: IndexSegment = new IndexSegment(1, 1);
  /** By rid. */
  readonly items = new Map<number, Item>();
  #rid = 0;
  #version = 0;

  async take({ made, gap, changed }: Batch): Promise<void> {
    const { keys } = this.segment;
    const writes: EngineWrite[] = [];
    const leaving: PartingItem[] = [];
    const known = [...this.items.keys()];
    const next = new Map(changed.map(([pick, value]) => [known[pick % known.length], value]));
    for (const [rid, value] of next) {
      if (rid === undefined) continue;
      const record = this.rows.get(keys.record(keyOf(rid)));
      const after = value === null ? undefined : this.#recordOf(rid, value);
      const left = writeItem(keys, keyOf(rid), record, after, this.segment, writes);
      if (left !== undefined) leaving.push(left);
      if (value === null) this.items.delete(rid);
      else this.items.set(rid, value);
    }
    const fresh = new NewItems(keys, this.segment, writes);
    for (const value of made) {
      this.#rid += 1 + gap;
      this.items.set(this.#rid, value);
      fresh.add(keyOf(this.#rid), this.#recordOf(this.#rid, value));
    }
    fresh.finish();
    await writePartings(this.engine, keys, leaving, writes);
    for (const { key, value } of writes)
      assert(value !== undefined || this.rows.has(byteStringOf(key)), 'only what is there is removed');
    await this.engine.write(writes, false);
  }

  readonly #list = new TermList();

  #recordOf(rid: number, value: Item): ItemRecord {
    this.#list.clear();
    for (const name of names) if (name in value) this.#list.add(orderOf(name), value[name]);
    this.#version++;
    return { version: this.#version, policyTag: 1, rid, terms: this.#list };
  }

  expected(name: Name): readonly IndexPosition[] {
    return [...this.items]
      .filter(([, value]) => name in value)
      .map(([rid, value]) => ({ value: indexValueOf(value[name]), rid }))
      .sort((left, right) =>
        left.value === right.value ? left.rid - right.rid : left.value < right.value ? -1 : 1,
      );
  }

  /** Of each item what it has is noted, nothing that it had once, and nothing of one that is gone. */
  async assertNoted(): Promise<void> {
    const rids = [...Array(this.#rid + 1).keys()];
    const orders = names.map((name) => ({ kind: 'path', path: [name] }) as const);
    const itemKeys = rids.map((rid) => `${containerPrefix(1)}${keyOf(rid)}` as ByteString);
    const noted = await notedValues(this.engine, this.segment, itemKeys, orders);
    const expected = rids.map((rid) => {
      const value = this.items.get(rid);
      if (value === undefined) return undefined;
      return { rid, values: names.map((name) => (name in value ? [indexValueOf(value[name])] : [])) };
    });
    assert.deepEqual(noted, expected);
  }

  /** Page by page; `forgets` as if another request went on. */
  async walked(name: Name, reverse: boolean, maxEntries: number, forgets: boolean): Promise<IndexPosition[]> {
    const found: IndexPosition[] = [];
    const order = { kind: 'path', path: [name] } as const;
    const prefix = containerPrefix(1);
    for (let after: IndexPosition | undefined; ; ) {
      const walk = { order, from: undefined, to: undefined, reverse, after, maxEntries, maxBytes: 2 ** 20 };
      const { entries, next } = await walkEntries(this.engine, this.segment, walk, () => true);
      for (const { value, rid, key } of entries) {
        assert.equal(key, prefix + keyOf(rid));
        found.push({ value, rid });
      }
      if (next === undefined) return found;
      after = forgets ? { value: next.value, rid: next.rid } : next;
    }
  }
}

function keyOf(rid: number): ByteString {
  return `key of item ${rid}` as ByteString;
}

function orderOf(name: Name): ByteString {
  return orderBytesOf({ kind: 'path', path: [name] });
}

test('what is walked is what the items have, and nothing is left of items that are gone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(1, 3, 50, 1_000),
      fc.boolean(),
      async (batches, maxEntries, forgets) => {
        const segment = new Segment();
        for (const each of batches) await segment.take(each);
        for (const name of names) {
          const expected = segment.expected(name);
          assert.equal(segment.segment.countOf(orderOf(name)), expected.length);
          assert.deepEqual(await segment.walked(name, false, maxEntries, forgets), expected, name);
          assert.deepEqual(
            await segment.walked(name, true, maxEntries, forgets),
            expected.toReversed(),
            name,
          );
        }
        await segment.assertNoted();
        const all = [...segment.items.keys()].map((_, at) => [at, null] as const);
        await segment.take({ made: [], gap: 0, changed: all });
        assert.equal(segment.rows.size, 0, 'all is gone with the items');
      },
    ),
    { numRuns: 30 },
  );
});

test('items that are made together have one entry for what they have in common, and its row is not written again when they change otherwise', async () => {
  const segment = new Segment();
  const made = Array.from({ length: MOST_IN_GROUP }, (_, at) => ({ a: 'x', b: at, _ts: 1 }));
  await segment.take({ made, gap: 0, changed: [] });
  // For each item its record, what is in `b`, and `_ts`; then the entry of `a` and the group.
  assert.equal(segment.rows.size, 3 * MOST_IN_GROUP + 2);
  await segment.take({ made: [], gap: 0, changed: [[0, { a: 'x', b: 0, _ts: 2 }]] });
  assert.equal(segment.rows.size, 3 * MOST_IN_GROUP + 2);
  // What it gets is its own; what it had in common the others have still.
  await segment.take({ made: [], gap: 0, changed: [[0, { a: 'y', b: 0, _ts: 2 }]] });
  assert.equal(segment.rows.size, 3 * MOST_IN_GROUP + 3);
});

test('what all have given up one after the other is found no more, and goes with the last of them', async () => {
  const segment = new Segment();
  const turnAll = (next: Item | null): Promise<void> =>
    segment.take({
      made: [],
      gap: 0,
      changed: [...segment.items.keys()].map((_, at) => [at, next] as const),
    });
  await segment.take({
    made: Array.from({ length: 6 }, () => ({ a: 'x', b: 'same', _ts: 1 })),
    gap: 0,
    changed: [],
  });
  for (const next of [
    { b: 'same', _ts: 2 },
    { a: 'z', b: 'same', _ts: 2 },
    { b: 'other', _ts: 3 },
  ]) {
    await turnAll(next);
    for (const name of names)
      assert.deepEqual(await segment.walked(name, false, 100, false), segment.expected(name), name);
  }
  await turnAll(null);
  assert.equal(segment.rows.size, 0);
});

test('a group tells of the items that are asked for and still in it', () => {
  const items = Array.from({ length: MOST_IN_GROUP }, (_, at) => ({ rid: 100 + at * 8, itemKey: keyOf(at) }));
  const group = encodeGroup(100, items);
  assert.deepEqual([...membersOf(group, 100, -1)], items);
  assert.deepEqual([...membersOf(group, 100, 0b101 | (1 << 31))], [items[0], items[2], items[31]]);
  assert.deepEqual([...membersOf(withMembers(group, 0b110), 100, 0b011)], [items[1]]);
});

test('the groups of a page are looked up together, and no more of them than it needs', async () => {
  const segment = new Segment();
  for (let n = 0; n < 40; n++)
    await segment.take({
      made: Array.from({ length: MOST_IN_GROUP }, (_, at) => ({ a: at % 2 === 0 ? 'x' : 'y', _ts: 1 })),
      gap: 0,
      changed: [],
    });
  const asked: number[] = [];
  const { engine } = segment;
  const iterate = engine.iterate.bind(engine);
  engine.iterate = (range) => {
    const iterator = iterate(range);
    const getMany = iterator.getMany.bind(iterator);
    iterator.getMany = (keys) => {
      asked.push(keys.length);
      return getMany(keys);
    };
    return iterator;
  };
  const groupsAsked = async (maxEntries: number, reverse: boolean): Promise<readonly number[]> => {
    asked.length = 0;
    const value = indexValueOf('x');
    const walk = { order: { kind: 'path', path: ['a'] }, after: undefined, reverse } as const;
    const bounds = { from: value, to: `${value}\xff` as ByteString, maxEntries, maxBytes: 2 ** 20 };
    const page = await walkEntries(engine, segment.segment, { ...walk, ...bounds }, () => true);
    assert.equal(page.entries.length, maxEntries);
    return [...asked];
  };
  const members = MOST_IN_GROUP / 2;
  assert.deepEqual(await groupsAsked(1, false), [1]);
  assert.deepEqual(await groupsAsked(members, false), [2]);
  assert.deepEqual(await groupsAsked(10 * members, false), [11]);
  // Backwards, a group that begins a span before may still tell of a later item.
  const span = GROUP_SPAN / MOST_IN_GROUP;
  for (const maxEntries of [1, members, 4 * members]) {
    const groups = await groupsAsked(maxEntries, true);
    assert.ok(groups.length <= 2, `asked ${groups.length} times`);
    const needed = span + 5 + maxEntries / members;
    assert.ok(groups.reduce((sum, one) => sum + one, 0) <= needed, `${groups} groups`);
  }
});
