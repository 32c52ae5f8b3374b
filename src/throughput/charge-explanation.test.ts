import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChargeExplanation, type ChargePart, explainedText } from './charge-explanation.ts';
import { type PriceList, priceLists, requestCharge } from './request-charge.ts';
import { RequestMeter } from './request-meter.ts';
import { hundredthsOf } from './request-units.ts';
import { createOf, queryOf, queryReturning, readOf, replaceOf, writeOf } from './work-done.samples.ts';
import type { ConsistencyMultiplier, ItemWrite, WorkDone } from './work-done.ts';

function explainCharge(work: WorkDone, prices: PriceList): readonly ChargePart[] {
  const explanation = new ChargeExplanation();
  explanation.add(work, prices);
  return explanation.parts;
}

const count = fc.nat(1000);
const bytes = fc.nat(3_000_000);
const consistencyMultiplier = fc.constantFrom<ConsistencyMultiplier>(1, 2);
const anyWork: fc.Arbitrary<WorkDone> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('read-item', 'read-definition'),
    itemBytes: bytes,
    consistencyMultiplier,
  }),
  fc.record({
    kind: fc.constantFrom<ItemWrite['kind']>('create-item', 'patch-item', 'delete-range', 'write-definition'),
    bytesBefore: fc.oneof(fc.constant(0), bytes),
    bytesAfter: fc.oneof(fc.constant(0), bytes),
    indexTermsRemoved: count,
    indexTermsAdded: count,
    properties: count,
    patchOperations: count,
    isLightweightTransaction: fc.boolean(),
    isApplied: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('query'),
    partitionsVisited: count,
    itemsLoaded: count,
    bytesLoaded: bytes,
    itemsReturned: count,
    bytesReturned: bytes,
    extraSeeks: count,
    indexTermsScanned: count,
    joinTuples: count,
    udfCalls: count,
    consistencyMultiplier,
  }),
  fc.record({
    kind: fc.constantFrom('read-feed', 'change-feed'),
    itemBytes: fc.array(bytes),
    consistencyMultiplier,
  }),
  fc.record({ kind: fc.constantFrom('batch', 'stored-procedure') }),
  fc.record({ kind: fc.constant('rejected-request') }),
);
const anyPrices = fc.constantFrom(...Object.values(priceLists));

test('the parts of a charge add up to it to the hundredth, and none is negative', () => {
  fc.assert(
    fc.property(anyWork, anyPrices, (work, prices) => {
      const hundredths = explainCharge(work, prices).map(({ chargeRu }) => hundredthsOf(chargeRu));
      const sum = hundredths.reduce((total, part) => total + part, 0);
      assert.equal(sum, hundredthsOf(requestCharge(work, prices)));
      assert.ok(hundredths.every((part) => part >= 0));
    }),
  );
});

test('a part is within a hundredth of its price', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { minLength: 7, maxLength: 7 }), (counts) => {
      const [joinTuples = 0, indexTermsScanned = 0, udfCalls = 0, extraSeeks = 0] = counts;
      const work = queryOf({ joinTuples, indexTermsScanned, udfCalls, extraSeeks });
      const ruByName = new Map(
        explainCharge(work, priceLists['docs-2026']).map(({ name, chargeRu }) => [name, chargeRu as number]),
      );
      const off = [
        (ruByName.get('join-tuples') ?? 0) - 0.002 * joinTuples,
        (ruByName.get('index-terms-scanned') ?? 0) - 0.002 * indexTermsScanned,
        (ruByName.get('udf-calls') ?? 0) - 0.1 * udfCalls,
        (ruByName.get('extra-seeks') ?? 0) - 0.3 * extraSeeks,
      ];
      assert.ok(off.every((difference) => Math.abs(difference) < 0.01 + 1e-9));
    }),
  );
});

test('a request costs the same explained and unexplained, and the same as its pieces together', () => {
  fc.assert(
    fc.property(fc.array(anyWork), anyPrices, (pieces, prices) => {
      const explanation = new ChargeExplanation();
      const plain = new RequestMeter(prices);
      const explained = new RequestMeter(prices, explanation);
      let hundredths = 0;
      for (const piece of pieces) {
        const charge = plain.add(piece);
        assert.equal(explained.add(piece), charge);
        hundredths += hundredthsOf(charge);
      }
      assert.equal(explained.chargeRu, plain.chargeRu);
      assert.equal(hundredthsOf(plain.chargeRu), hundredths);
      const parts = explanation.parts.map(({ chargeRu }) => hundredthsOf(chargeRu));
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        hundredths,
      );
    }),
  );
});

test('hundredths that rounding down lost go to the parts that lost most', () => {
  // 2.5 + 0.044 + 0.095, and 2.64 in all.
  assert.deepEqual(
    explainCharge(queryReturning(1, 1), priceLists['docs-2026']).map(({ chargeRu }) => chargeRu),
    [2.5, 0.04, 0.1],
  );
});

test('a charge is told in words', () => {
  const told = (work: WorkDone) =>
    explainCharge(work, priceLists['docs-2026']).map(({ text, chargeRu }) => `${text}: ${chargeRu}`);
  assert.deepEqual(told(readOf(2, 2)), [
    '1 item of 2 KB read: 1.04',
    'the same again at a second replica, for the consistency level: 1.04',
  ]);
  assert.deepEqual(told({ ...replaceOf(1, 1), patchOperations: 1 }), [
    '1 item of 1 KB taken away to be replaced: 4.95',
    '1 item of 1 KB stored in place: 4.95',
    '2 index terms changed: 0.4',
    '1 patch operation: 0.4',
  ]);
  assert.deepEqual(told({ ...createOf(1), isApplied: false }), ['1 write not applied, 0 KB looked at: 1']);
  assert.deepEqual(told(writeOf({ kind: 'delete-range' })), ['1 item deleted: 4.95']);
});

test('a charge is told in one sentence with the same parts', () => {
  const prices = priceLists['docs-2026'];
  assert.equal(
    explainedText(readOf(2, 2), prices),
    ' (1.04 for 1 item of 2 KB read, 1.04 for the same again at a second replica, for the consistency level)',
  );
  assert.equal(new ChargeExplanation().text, '');
});

test('the members of a batch are told together', () => {
  const explanation = new ChargeExplanation();
  const meter = new RequestMeter(priceLists['docs-2026'], explanation);
  meter.add({ kind: 'batch' });
  for (let member = 0; member < 100; member++) meter.add(createOf(0.5, 14));
  assert.deepEqual(
    explanation.parts.map(({ text, chargeRu }) => `${text}: ${chargeRu}`),
    ['the batch itself: 1', '100 items with 50 KB created: 495', '1,400 index terms changed: 280'],
  );
  assert.equal(meter.chargeRu, 776);
});
