// Runs queries over items in memory page by page, by their indexes or by looking at all: for tests.

import assert from 'node:assert/strict';
import type { ComputedProperty, IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { scopeOfLogicalPartition } from '../../../execution/nosql/feeds/feed-scope.ts';
import { logicalPartitionOf } from '../../../execution/nosql/items/item-partition-key.ts';
import { type ProbeSteps, probeSteps } from '../../../execution/nosql/queries/access-probe.ts';
import { IndexedSource } from '../../../execution/nosql/queries/indexed-source.ts';
import { QueriedItems, type SampleDocument } from '../../../execution/nosql/queries/queried-items.samples.ts';
import { scansOnly } from '../../../execution/nosql/queries/query-access.ts';
import {
  decodeQueryToken,
  encodeQueryToken,
  fingerprintOf,
  type QueryPosition,
} from '../../../execution/nosql/queries/query-token.ts';
import { type QueryPage, runQuery } from '../../../execution/nosql/queries/run-query.ts';
import { wholeRing } from '../../../partitioning/ring-range.ts';
import { prepareText } from '../prepare-query.ts';
import { runnableSelect } from '../runnable-select.ts';
import type { QueryContext } from '../sql-function.ts';
import { noParameters } from '../sql-parameters.ts';

const context: QueryContext = { now: () => 0, startedAt: 0, random: () => 0.5, isGeography: true };

export interface Reading {
  readonly maxItems: number;
  /** Every item is looked at, and all of it. */
  readonly isByScan?: boolean;
  readonly pk?: string;
  readonly steps?: Partial<ProbeSteps>;
  readonly mostPages?: number;
  /** Called between pages. */
  readonly between?: (page: number) => void;
}

export async function pagesOf(
  items: QueriedItems,
  text: string,
  reading: Reading,
): Promise<readonly QueryPage[]> {
  const { container, parts } = items;
  const planned = runnableSelect(prepareText(text), noParameters, context, container);
  const query =
    reading.isByScan === true
      ? {
          ...planned,
          access: scansOnly,
          neededText: undefined,
          paths: undefined,
          filterPaths: () => undefined,
        }
      : planned;
  const fingerprint = fingerprintOf(1, query.identity);
  const scope =
    reading.pk === undefined
      ? { range: wholeRing, logicalPartition: undefined }
      : scopeOfLogicalPartition(logicalPartitionOf(container, [reading.pk]));
  let from: QueryPosition = {
    items: undefined,
    sorted: undefined,
    skipped: query.skipped,
    left: query.taken,
  };
  const pages: QueryPage[] = [];
  for (;;) {
    const page = await runQuery(parts, {
      container,
      query,
      source: new IndexedSource(
        parts,
        container,
        [scope],
        { query, after: from.items, sortedAfter: from.sorted },
        { ...probeSteps, ...reading.steps },
      ),
      from,
      maxItems: reading.maxItems,
      traits: { operation: 'query', priority: 'high', bucket: 0 },
      consistencyMultiplier: 1,
      logicalPartition: undefined,
      refuseUnreached: () => {},
    });
    pages.push(page);
    if (page.next === undefined || pages.length === reading.mostPages) return pages;
    assert.ok(pages.length < 2_000, `${text} never ends`);
    from = decodeQueryToken(encodeQueryToken(page.next, fingerprint) ?? '', fingerprint);
    reading.between?.(pages.length);
  }
}

export async function answersOf(
  items: QueriedItems,
  text: string,
  reading: Reading,
): Promise<readonly string[]> {
  return (await pagesOf(items, text, reading)).flatMap(({ results }) => results.map(String));
}

export function sampleOf(
  documents: readonly object[],
  indexingPolicy: IndexingPolicy,
  splits: number,
  computed?: ComputedProperty,
): QueriedItems {
  const computedProperties = computed === undefined ? [] : [computed];
  const items = new QueriedItems({ indexingPolicy, computedProperties });
  for (const [at, one] of documents.entries()) items.put({ ...one, id: `i${at % 7}${at}` } as SampleDocument);
  for (let made = 0; made < splits; made++) items.split();
  return items;
}
