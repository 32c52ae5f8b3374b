import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteString, byteStringOf } from '../../../foundation/byte-string.ts';
import type { EngineWrite } from '../../../storage/storage-engine.ts';
import { SegmentKeys } from './index-keys.ts';
import { orderBytesOf } from './index-paths.ts';
import { type ItemRecord, isRecordOf, writeItem } from './item-record.ts';
import { TermList } from './term-list.ts';

const keys = new SegmentKeys(1, 2);
const itemKey = 'key of the item' as ByteString;
const paths: readonly ByteString[] = ['a', 'b', 'c'].map((name) =>
  orderBytesOf({ kind: 'path', path: [name] }),
);

/** A path by its number, and a value there. */
type Term = readonly [number, unknown];

interface Version {
  readonly rid: number;
  readonly terms: readonly Term[];
}

const terms = fc.uniqueArray(
  fc.tuple(fc.nat(2), fc.oneof(fc.nat(3), fc.constantFrom('', 'x', 'y'.repeat(300), 'é', true, null))),
  { maxLength: 8, selector: ([path, value]) => `${path} ${JSON.stringify(value)}` },
);
const version = fc.record({ rid: fc.constantFrom(7, 2 ** 40 + 1), terms });

/** A store of one segment, which is brought from one version of an item to the next. */
class Segment {
  readonly rows = new Map<ByteString, Buffer>();
  readonly counts = new Map<ByteString, number>();
  readonly #list = new TermList();
  #number = 0;

  become(next: Version | undefined): readonly EngineWrite[] {
    const writes: EngineWrite[] = [];
    const before = this.rows.get(keys.record(itemKey));
    writeItem(keys, itemKey, before, next === undefined ? undefined : this.#recordOf(next), this, writes);
    for (const { key, value } of writes) {
      if (value === undefined) assert(this.rows.delete(byteStringOf(key)), 'only what is there is removed');
      else this.rows.set(byteStringOf(key), value);
    }
    return writes;
  }

  add(order: ByteString, difference: number): void {
    this.counts.set(order, (this.counts.get(order) ?? 0) + difference);
  }

  #recordOf({ rid, terms: wanted }: Version): ItemRecord {
    this.#list.clear();
    for (const [path, value] of wanted) this.#list.add(paths[path] as ByteString, value);
    this.#number++;
    return { version: this.#number, policyTag: 9, rid, terms: this.#list };
  }
}

function built(version: Version): Segment {
  const segment = new Segment();
  segment.become(version);
  return segment;
}

/** Without the record, which tells its version. */
function entriesOf({ rows }: Segment): readonly string[] {
  return [...rows.keys()].filter((key) => key !== keys.record(itemKey)).sort();
}

test('however an item changes, its entries and counts are those of an item that never was another', () => {
  fc.assert(
    fc.property(fc.array(version, { minLength: 1, maxLength: 5 }), (versions) => {
      const segment = new Segment();
      for (const each of versions) segment.become(each);
      const last = versions.at(-1) as Version;
      assert.deepEqual(entriesOf(segment), entriesOf(built(last)));
      for (const [order, count] of segment.counts)
        assert.equal(count, last.terms.filter(([path]) => paths[path] === order).length);
      segment.become(undefined);
      assert.equal(segment.rows.size, 0, 'nothing is left of an item that is gone');
    }),
  );
});

test('of an item that is written again only what differs is written, wherever it stands', () => {
  fc.assert(
    fc.property(terms, terms, (before, after) => {
      const segment = built({ rid: 7, terms: before });
      const known = new Set(entriesOf(segment));
      const wanted = new Set(entriesOf(built({ rid: 7, terms: after })));
      const different =
        [...known].filter((key) => !wanted.has(key)).length +
        [...wanted].filter((key) => !known.has(key)).length;
      assert.equal(segment.become({ rid: 7, terms: after }).length, different + 1);
    }),
  );
});

test('a record knows its version and its policy', () => {
  const record = built({ rid: 7, terms: [] }).rows.get(keys.record(itemKey)) as Buffer;
  assert(isRecordOf(record, 1, 9));
  assert(!isRecordOf(record, 2, 9));
  assert(!isRecordOf(record, 1, 8));
});

test('an entry tells its value and its number', () => {
  const [key] = entriesOf(built({ rid: 2 ** 40 + 1, terms: [[0, true]] }));
  assert.deepEqual(keys.entryIn(key as ByteString, false), { value: '\x04', rid: 2 ** 40 + 1 });
});
