import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priceLists, requestCharge } from './request-charge.ts';
import { publishedCharges } from './request-charge.vectors.ts';
import { RequestMeter } from './request-meter.ts';
import { hundredthsOf } from './request-units.ts';
import {
  createOf,
  deleteOf,
  kilobytes,
  queryOf,
  queryReturning,
  readOf,
  replaceOf,
  writeOf,
} from './work-done.samples.ts';
import type { WorkDone } from './work-done.ts';

const prices = priceLists['docs-2026'];

function chargeOf(work: WorkDone): number {
  return requestCharge(work, prices);
}

for (const { what, publishedRu, work, source, reason } of publishedCharges) {
  const closeness = reason === undefined ? 'within 5 % of' : 'known to differ from';
  test(`${what} (${source}) is ${closeness} the published ${publishedRu} RU`, () => {
    const meter = new RequestMeter(prices);
    for (const piece of work) meter.add(piece);
    const deviation = Math.abs(meter.chargeRu - publishedRu) / publishedRu;
    assert.equal(deviation <= 0.05, reason === undefined, `${meter.chargeRu} RU`);
  });
}

test('strong and bounded reads, feeds and queries cost exactly double', () => {
  const size = fc.nat(3_000_000);
  fc.assert(
    fc.property(size, fc.array(size), (itemBytes, feedBytes) => {
      const works = [
        { kind: 'read-item', itemBytes },
        { kind: 'read-feed', itemBytes: feedBytes },
        { ...queryReturning(1, 0), bytesLoaded: itemBytes, bytesReturned: itemBytes },
      ] as const;
      for (const work of works) {
        const weak = requestCharge({ ...work, consistencyMultiplier: 1 }, prices);
        const strong = requestCharge({ ...work, consistencyMultiplier: 2 }, prices);
        assert.equal(hundredthsOf(strong), 2 * hundredthsOf(weak));
      }
    }),
  );
});

test('finding nothing costs as much as reading the smallest item, by name and by feed', () => {
  assert.equal(chargeOf(readOf(0)), 1);
  assert.equal(chargeOf(readOf(0, 2)), 2);
  assert.equal(chargeOf({ kind: 'change-feed', itemBytes: [], consistencyMultiplier: 1 }), 1);
});

test('an upsert costs what it turned out to be: a create or a replace', () => {
  assert.equal(chargeOf(writeOf({ bytesAfter: 1024, indexTermsAdded: 4 })), chargeOf(createOf(1, 4)));
  assert.equal(chargeOf(writeOf({ bytesBefore: 1024, bytesAfter: 1024 })), chargeOf(replaceOf(1)));
});

test('a replace pays for the item that was there by its size and for the new one by its own', () => {
  const replace = writeOf({ bytesBefore: kilobytes(64), bytesAfter: kilobytes(2) });
  assert.equal(chargeOf(replace), 22.67 + 6.29);
});

test('an expired item costs what deleting it costs', () => {
  assert.equal(chargeOf({ ...deleteOf(3, 8), kind: 'expire-item' }), chargeOf(deleteOf(3, 8)));
});

test('a mark over rows that nobody counted costs as much as deleting one small item, and its index terms', () => {
  assert.equal(chargeOf(writeOf({ kind: 'delete-range' })), 4.95);
  assert.equal(chargeOf(writeOf({ kind: 'delete-range', indexTermsRemoved: 10 })), 6.95);
});

test('a write that leaves the item as it was costs as much as reading that item', () => {
  const conflict = { ...createOf(1, 10), isApplied: false };
  assert.equal(chargeOf(conflict), 1);
  assert.equal(chargeOf({ ...replaceOf(128, 10), isApplied: false }), 9.95);
});

test('a lightweight transaction pays for its look at two replicas, whether or not its condition holds', () => {
  const conditional = { ...replaceOf(2, 1), isLightweightTransaction: true };
  assert.equal(chargeOf({ ...conditional, isApplied: false }), 2.08);
  assert.equal(chargeOf(conditional), 2.08 + chargeOf(replaceOf(2, 1)));
});

test('a definition costs what an item of its size costs', () => {
  assert.equal(chargeOf({ ...readOf(1), kind: 'read-definition' }), 1);
  assert.equal(chargeOf({ ...createOf(1), kind: 'write-definition' }), 4.95);
});

test('a request that is not valid, a batch and a stored procedure cost 1 RU by themselves', () => {
  for (const kind of ['rejected-request', 'batch', 'stored-procedure'] as const)
    assert.equal(chargeOf({ kind }), 1);
});

test('each kind of work of a query is priced', () => {
  const rows: [Partial<ReturnType<typeof queryOf>>, number][] = [
    [{ partitionsVisited: 4 }, 10],
    [{ itemsLoaded: 100 }, 6.5],
    [{ bytesLoaded: kilobytes(1000) }, 6.5],
    [{ itemsReturned: 100 }, 7.5],
    [{ bytesReturned: kilobytes(100) }, 7],
    [{ extraSeeks: 2 }, 3.1],
    [{ indexTermsScanned: 1000 }, 4.5],
    [{ joinTuples: 1000 }, 4.5],
    [{ udfCalls: 5 }, 3],
  ];
  for (const [work, charge] of rows) assert.equal(chargeOf(queryOf(work)), charge, JSON.stringify(work));
});

test('more of anything never costs less', () => {
  const count = fc.nat(5_000_000);
  const write = fc.record({
    bytesBefore: count,
    bytesAfter: count.map((bytes) => bytes + 1),
    indexTermsAdded: count,
    patchOperations: count,
  });
  fc.assert(
    fc.property(
      write,
      fc.constantFrom('bytesAfter', 'indexTermsAdded', 'patchOperations'),
      count,
      (one, key, more) => {
        const less = chargeOf(writeOf(one));
        assert.ok(chargeOf(writeOf({ ...one, [key]: one[key] + more })) >= less);
      },
    ),
  );
});

test('docs-simple gives the short tables exactly', () => {
  const simple = (work: WorkDone) => requestCharge(work, priceLists['docs-simple']);
  assert.deepEqual([readOf(1), readOf(100)].map(simple), [1, 10]);
  assert.deepEqual([createOf(1), createOf(100)].map(simple), [5, 50]);
  assert.deepEqual([createOf(1, 8), replaceOf(1, 8), deleteOf(1, 8)].map(simple), [5, 10, 5]);
});

test("ms-emulator gives what the tests of Microsoft's in-memory emulator expect", () => {
  const emulated = (work: WorkDone) => requestCharge(work, priceLists['ms-emulator']);
  assert.deepEqual(
    [512, 1025, 3000].map((itemBytes) => emulated({ ...readOf(1), itemBytes })),
    [1, 2, 4],
  );
  assert.equal(emulated({ ...createOf(0.5, 10), properties: 5 }), 7.3);
  assert.equal(emulated({ ...replaceOf(0.5, 10), properties: 5 }), 10.2);
  assert.equal(emulated({ ...deleteOf(0.5, 10), properties: 5 }), 10.2);
  assert.equal(emulated(createOf(2048)), 5.8 * 2048);
});
