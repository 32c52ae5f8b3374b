import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import type { ItemChunk } from '../../execution/nosql/feeds/item-walk.ts';
import type { NosqlParts } from '../../execution/nosql/nosql-parts.ts';
import { IndexUsed, type ItemSource } from '../../execution/nosql/queries/item-source.ts';
import {
  decodeQueryToken,
  encodeQueryToken,
  fingerprintOf,
  type QueryPosition,
} from '../../execution/nosql/queries/query-token.ts';
import { runQuery } from '../../execution/nosql/queries/run-query.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { systemClock } from '../../foundation/clock.ts';
import { systemScheduler } from '../../foundation/scheduler.ts';
import { priceLists } from '../../throughput/request-charge.ts';
import { prepareText } from './prepare-query.ts';
import { queryList } from './query-list.ts';
import { runnableSelect } from './runnable-select.ts';
import type { QueryContext } from './sql-function.ts';
import { noParameters } from './sql-parameters.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };
const container = {
  container: 1,
  rid: 'AAAAAIAAAAA=',
  databaseRid: 'AAAAAA==',
} as unknown as ContainerDefinition;

/** Nobody is charged: there is no such partition. */
const parts = {
  scheduler: systemScheduler,
  throughput: {
    clock: systemClock,
    prices: priceLists['docs-2026'],
    governor: { partition: () => undefined },
  },
} as unknown as NosqlParts;

/** Items by their numbers, a few at a time, from behind the position on. */
class ListSource implements ItemSource {
  readonly used = new IndexUsed();
  readonly #items: readonly (readonly [number, object])[];
  #at: number;

  constructor(items: readonly object[], after: QueryPosition['items']) {
    this.#items = items.map((item, at) => [at + 1, item]);
    this.#at = after === undefined ? 0 : Number(after.order === 'key' ? after.key : Number.NaN);
  }

  leaveStretch(): void {}

  next(): number | undefined {
    return this.#at < this.#items.length ? 0 : undefined;
  }

  chunk(): Promise<ItemChunk | undefined> {
    const taken = this.#items.slice(this.#at, this.#at + 3);
    this.#at += taken.length;
    return Promise.resolve({
      physicalPartition: 0,
      items: taken.map(([rid, item]) => ({
        key: String(rid) as ByteString,
        item: {
          kind: 'json-item',
          timestamp: 1,
          ttlSeconds: undefined,
          rid,
          payload: Buffer.from(JSON.stringify(item)),
        },
      })),
      positionAfter: (index) => ({ order: 'key', key: String(taken[index]?.[0]) as ByteString }),
    });
  }
}

async function readPages(
  text: string,
  items: readonly object[],
  maxItems: number,
): Promise<readonly unknown[]> {
  const query = runnableSelect(prepareText(text), noParameters, context);
  const fingerprint = fingerprintOf(1, query.identity);
  let from: QueryPosition = {
    items: undefined,
    sorted: undefined,
    skipped: query.skipped,
    left: query.taken,
  };
  const rows: unknown[] = [];
  for (let pages = 0; pages < 500; pages++) {
    const page = await runQuery(parts, {
      container,
      query,
      source: new ListSource(items, from.items),
      from,
      maxItems,
      traits: { operation: 'query', priority: 'high', bucket: 0 },
      consistencyMultiplier: 1,
      logicalPartition: undefined,
      refuseUnreached: () => {},
    });
    assert.ok(page.results.length <= maxItems);
    rows.push(...page.results.map((result) => withoutSystem(JSON.parse(String(result)))));
    if (page.next === undefined) return rows;
    assert.ok(page.results.length > 0, 'a page that is not the last has results');
    from = decodeQueryToken(encodeQueryToken(page.next, fingerprint) ?? '', fingerprint);
  }
  throw new Error(`${text} never ends`);
}

function withoutSystem(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('_')));
}

const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom<unknown>('a', 'b', true, null, undefined),
);
const item = fc.record(
  {
    a: scalar,
    b: scalar,
    list: fc.array(
      scalar.filter((value) => value !== undefined),
      { maxLength: 4 },
    ),
  },
  { noNullPrototype: true },
);

const selected = fc.constantFrom(
  '*',
  'VALUE c.a',
  'c.a, c.b',
  'VALUE {"x": c.b}',
  'DISTINCT VALUE c.a',
  'DISTINCT c.b',
);
const filter = fc.constantFrom(
  '',
  'WHERE c.a > 0',
  'WHERE IS_DEFINED(c.b)',
  'WHERE c.a = c.b OR ARRAY_LENGTH(c.list) > 1',
);
const order = fc.constantFrom('', 'ORDER BY c.a', 'ORDER BY c.a DESC', 'ORDER BY c.b, c.a DESC');
const window = fc.constantFrom('', 'OFFSET 2 LIMIT 3', 'OFFSET 0 LIMIT 100', 'OFFSET 30 LIMIT 5');
const query = fc.oneof(
  fc
    .tuple(selected, filter, order, window)
    .map(([list, where, by, cut]) => `SELECT ${list} FROM c ${where} ${by} ${cut}`),
  fc
    .tuple(filter, window)
    .map(([where, cut]) => `SELECT VALUE [c.a, x] FROM c JOIN x IN c.list ${where} ${cut}`),
  fc
    .tuple(filter, window)
    .map(([where, cut]) => `SELECT c.a, COUNT(1) AS n FROM c ${where} GROUP BY c.a ${cut}`),
  fc
    .tuple(filter, order, window)
    .map(([where, by, cut]) => `SELECT VALUE [x.a] FROM (SELECT c.a, c.b FROM c ${where} ${by} ${cut}) x`),
  fc
    .tuple(filter, window)
    .map(([where, cut]) => `SELECT * FROM (SELECT c.a, COUNT(1) AS n FROM c ${where} GROUP BY c.a) g ${cut}`),
  filter.map((where) => `SELECT TOP 3 VALUE c.b FROM c ${where}`),
  filter.map((where) => `SELECT COUNT(1) AS n, MAX(c.a) AS m FROM c ${where}`),
);

test('page by page, with tokens in between, a query gives what it gives at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 12 }),
      query,
      fc.integer({ min: 1, max: 5 }),
      async (items, text, size) => {
        const stored = items.map((one) => JSON.parse(JSON.stringify(one)) as object);
        const whole = queryList({ text, parameters: noParameters }, stored, context);
        const expected = JSON.parse(JSON.stringify(whole)) as unknown[];
        assert.deepEqual(await readPages(text, stored, size), expected, text);
      },
    ),
    { numRuns: 300 },
  );
});
