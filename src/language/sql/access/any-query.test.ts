import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ProbeSteps } from '../../../execution/nosql/queries/access-probe.ts';
import { checkOrder } from '../check-order.ts';
import { prepareText } from '../prepare-query.ts';
import { anyDocument, anyPolicy, anyQuery } from './any-query.samples.ts';
import { answersOf, sampleOf } from './indexed-pages.samples.ts';

/** What a policy refuses is a table of its own, in check-order.test.ts. */
function isAccepted(text: string, of: IndexingPolicy): boolean {
  try {
    checkOrder(prepareText(text).query, of);
    return true;
  } catch (error) {
    if (error instanceof RingfoldError) return false;
    throw error;
  }
}

const everything: IndexingPolicy = {
  mode: 'consistent',
  automatic: true,
  includedPaths: ['/*'],
  excludedPaths: [],
  compositeIndexes: [],
};

const computed = [undefined, undefined, { name: 'kind', query: 'SELECT VALUE UPPER(c.a) FROM c' }] as const;

test('whatever an index finds is what a scan finds, in any number of partitions and pages, also while they split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        documents: fc.array(anyDocument, { minLength: 8, maxLength: 24, size: 'max' }),
        policy: anyPolicy,
        query: anyQuery,
        maxItems: fc.integer({ min: 1, max: 12 }),
        splits: fc.integer({ min: 0, max: 2 }),
        splitsBetween: fc.boolean(),
        steps: fc.constantFrom<Partial<ProbeSteps>>(
          { first: 1, last: 1, loaded: 1 },
          { first: 1, last: 1, loaded: 1, kept: 2 },
          { first: 1, last: 1, loaded: 2 },
          { first: 2, last: 2 },
          { first: 1, last: 3, loaded: 1 },
          { first: 4, last: 10 },
          { first: 256, last: 4_096 },
        ),
        mostEntries: fc.integer({ min: 1, max: 5 }),
        building: fc.constantFrom(0, 0, 0, 1, 2),
        pk: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 'p'),
        computed: fc.constantFrom(...computed),
      }),
      async ({ query: { text, certain }, ...sample }) => {
        if (!isAccepted(text, sample.policy)) return;
        const items = sampleOf(sample.documents, sample.policy, sample.splits, sample.computed);
        const where = sample.pk === undefined ? {} : { pk: sample.pk };
        const scanned = await answersOf(items, text, { maxItems: 1_000, isByScan: true, ...where });
        const between = (page: number): void => {
          if (sample.splitsBetween) items.split();
          items.index.isBuilding = page === sample.building;
        };
        items.index.mostEntries = sample.mostEntries;
        const { maxItems, steps } = sample;
        const indexed = await answersOf(items, text, { maxItems, steps, between, ...where });
        if (certain === 'order') assert.deepEqual(indexed, scanned, text);
        // Without an order any three will do.
        else if (certain === 'count') assert.equal(indexed.length, scanned.length, text);
        else assert.deepEqual([...indexed].sort(), [...scanned].sort(), text);
      },
    ),
    { numRuns: Number(process.env['RUNS'] ?? 80) },
  );
});

test('a walk in order that looks up what its filter leaves out finds what a scan finds', async () => {
  const kind = fc.integer({ min: 0, max: 12 });
  const document = fc.record(
    {
      pk: fc.constantFrom('p', 'q', 'r'),
      n: fc.oneof(fc.nat(6), fc.constantFrom('x', null, true)),
      kind,
      tags: fc.array(kind, { maxLength: 3 }),
    },
    { requiredKeys: ['pk', 'kind'] },
  );
  const condition = fc.oneof(
    kind.map((one) => `c.kind = ${one}`),
    fc.tuple(kind, kind).map((few) => `c.kind IN (${few})`),
    kind.map((one) => `ARRAY_CONTAINS(c.tags, ${one})`),
    kind.map((one) => `c.n > ${one}`),
  );
  const filter = fc.oneof(
    condition,
    fc.tuple(condition, condition).map(([one, other]) => `(${one} AND ${other})`),
    fc.tuple(condition, condition).map(([one, other]) => `(${one} OR ${other})`),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        documents: fc.array(document, { minLength: 20, maxLength: 60, size: 'max' }),
        filter,
        order: fc.constantFrom('c.n', 'c.n DESC', 'c.id', 'c._ts DESC', 'c.kind', 'c.kind DESC'),
        maxItems: fc.integer({ min: 1, max: 4 }),
        splits: fc.integer({ min: 0, max: 2 }),
        loaded: fc.integer({ min: 1, max: 4 }),
        kept: fc.constantFrom(0, 5, 1_000),
        mostEntries: fc.constantFrom(1, 7, 1_000),
      }),
      async ({ documents, filter: where, order, maxItems, splits, loaded, kept, mostEntries }) => {
        const items = sampleOf(documents, everything, splits);
        const text = `SELECT VALUE c.id FROM c WHERE ${where} ORDER BY ${order}`;
        const scanned = await answersOf(items, text, { maxItems: 1_000, isByScan: true });
        items.index.mostEntries = mostEntries;
        const steps = { first: 1, last: 1, loaded, kept };
        assert.deepEqual(await answersOf(items, text, { maxItems, steps }), scanned, text);
      },
    ),
    { numRuns: Number(process.env['RUNS'] ?? 60) },
  );
});
