import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { eachElement, type PathStep } from '../../../catalog/nosql/property-path.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { StoredItem } from '../../../values/stored-item.ts';
import { covers } from './covered-orders.ts';
import { ORDER_BYTES, orderBytesOf } from './index-paths.ts';
import type { IndexedOrder } from './item-index.ts';
import { ItemTerms, indexedValuesAt } from './item-terms.ts';
import type { TermList } from './term-list.ts';

const everything: IndexingPolicy = {
  mode: 'consistent',
  automatic: true,
  includedPaths: ['/*'],
  excludedPaths: ['/"_etag"/?'],
  compositeIndexes: [],
};

const item = {
  id: 'i',
  name: 'n',
  address: { zip: '1', lines: ['a', 'b', 'a'] },
  list: [{ x: 1 }, { x: 2 }, [3]],
  __proto__x: null,
};

function stored(json: unknown): StoredItem {
  const payload = Buffer.from(JSON.stringify(json));
  return { kind: 'json-item', timestamp: 5_000_000, ttlSeconds: undefined, rid: 1, lsn: 1, payload };
}

function textsOf(list: TermList): ByteString[] {
  return Array.from({ length: list.length }, (_, at) => list.textOf(at));
}

/** By path, how many entries. */
function countsOf(policy: IndexingPolicy, paths: readonly (readonly PathStep[])[]): number[] {
  const list = new ItemTerms(policy).of(stored(item));
  const terms = textsOf(list);
  assert.deepEqual(
    terms.map((_, at) => list.orderOf(at)),
    terms.map((term) => term.slice(0, ORDER_BYTES)),
  );
  assert.equal(new Set(terms).size, terms.length, 'each is there once');
  const counts = paths.map((path) => {
    const order = orderBytesOf({ kind: 'path', path });
    return terms.filter((term) => term.slice(0, ORDER_BYTES) === order).length;
  });
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    terms.length - policy.compositeIndexes.length,
    'there are no others',
  );
  return counts;
}

const paths: readonly (readonly PathStep[])[] = [
  [],
  ['id'],
  ['_ts'],
  ['name'],
  ['address'],
  ['address', 'zip'],
  ['address', 'lines'],
  ['address', 'lines', eachElement],
  ['list'],
  ['list', eachElement],
  ['list', eachElement, 'x'],
  ['list', eachElement, eachElement],
  ['__proto__x'],
];

test('every value of an item has an entry, equal ones of an array one together', () => {
  assert.deepEqual(countsOf(everything, paths), [1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 2, 1, 1]);
});

test('what has the same bytes in an array is one entry, and what only looks alike is not', () => {
  const long = 'x'.repeat(300);
  const entriesOf = (list: readonly unknown[]): number =>
    new ItemTerms(everything).of(stored({ id: 'i', list })).length - 4;
  assert.equal(entriesOf([`${long}a`, `${long}b`, long]), 1);
  assert.equal(entriesOf(['1', 1, 'null', null, '', 0, -0, true, 'true', 'array', 'object']), 10);
  // Two objects, and the same value within both of them.
  assert.equal(entriesOf([{ a: 1 }, { a: 1 }, { a: 2 }, [], []]), 4);
});

test('what a policy leaves out has no entry, but the item, its id and its time always have one', () => {
  const none = { ...everything, includedPaths: [], excludedPaths: ['/*'] };
  assert.deepEqual(countsOf(none, paths), [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const some = { ...none, includedPaths: ['/address/lines/[]/?', '/list/*'] };
  assert.deepEqual(countsOf(some, paths), [1, 1, 1, 0, 0, 0, 0, 2, 1, 2, 2, 1, 0]);
  for (const [at, path] of paths.entries())
    assert.equal(covers(some, { kind: 'path', path }), (countsOf(some, paths)[at] ?? 0) > 0, String(at));
});

test('a composite index has an entry for every item, also for one that lacks its paths', () => {
  const compositeIndexes = [
    [
      { path: '/missing', order: 'ascending' },
      { path: '/name', order: 'descending' },
    ],
  ] as const;
  const policy = { ...everything, compositeIndexes };
  const order: IndexedOrder = {
    kind: 'composite',
    paths: [
      { names: ['missing'], order: 'ascending' },
      { names: ['name'], order: 'descending' },
    ],
  };
  assert(covers(policy, order));
  assert(!covers(everything, order));
  const [value] = indexedValuesAt({ ...item, _ts: 5 }, order);
  const terms = textsOf(new ItemTerms(policy).of(stored(item)));
  assert(terms.includes(`${orderBytesOf(order)}${value}` as never));
});

test('a composite index that a policy has twice has one entry', () => {
  const composite = ['/name', '/id'].map((path) => ({ path, order: 'ascending' as const }));
  const once = new ItemTerms({ ...everything, compositeIndexes: [composite] });
  const twice = new ItemTerms({ ...everything, compositeIndexes: [composite, composite] });
  assert.deepEqual(textsOf(twice.of(stored(item))), textsOf(once.of(stored(item))));
});

test('names that are no whole letters are told apart', () => {
  const terms = textsOf(
    new ItemTerms(everything).of(stored({ id: 'i', '\ud800': 1, '\ud801': 1, '\ufffd': 1 })),
  );
  assert.equal(new Set(terms).size, terms.length, 'each is there once');
});

test('what is looked for at a path is what was indexed there', () => {
  const terms = textsOf(new ItemTerms(everything).of(stored(item)));
  for (const path of paths) {
    const order: IndexedOrder = { kind: 'path', path };
    const bytes = orderBytesOf(order);
    const indexed = terms.filter((term) => term.startsWith(bytes)).map((term) => term.slice(ORDER_BYTES));
    assert.deepEqual(indexedValuesAt({ ...item, _ts: 5 }, order), indexed.sort());
  }
});

test('items with names of their own making do not fill the memory', () => {
  const terms = new ItemTerms(everything);
  for (let n = 0; n < 50; n++) {
    const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${n}-${at}`, at]));
    assert.equal(terms.of(stored({ id: 'i', ...members })).length, 1_003);
  }
});
