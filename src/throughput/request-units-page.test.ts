// docs/request-units.md, held against the code. When a price changes these tests print what the page must say.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../../test/support/repository.ts';
import { ChargeExplanation } from './charge-explanation.ts';
import { defaultListPrices } from './list-prices.ts';
import { priceLists } from './request-charge.ts';
import { type PublishedCharge, publishedCharges, publishedWithoutOurs } from './request-charge.vectors.ts';
import { RequestMeter } from './request-meter.ts';
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

const page = readFileSync(join(repositoryRoot, 'docs/request-units.md'), 'utf8');

/** What stands between two marks that do not show. */
function block(name: string): string {
  const [, text] = new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)\n<!-- end -->`).exec(page) ?? [];
  return text ?? `no block "${name}"`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function figure(ru: number): string {
  return ru.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function chargeOf(work: readonly WorkDone[], profile: keyof typeof priceLists): number {
  const meter = new RequestMeter(priceLists[profile]);
  for (const piece of work) meter.add(piece);
  return meter.chargeRu;
}

function publishedRow({ what, publishedRu, source, work, assumed, reason }: PublishedCharge): string[] {
  const ours = chargeOf(work, 'docs-2026');
  const percent = (100 * (ours - publishedRu)) / publishedRu;
  const deviation = `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
  const remark = reason === undefined ? (assumed ?? '') : `**${reason}**`;
  return [what, figure(publishedRu), figure(ours), ours === publishedRu ? '0' : deviation, source, remark];
}

test('the page has every published figure, ours, and how far they are apart', () => {
  assert.equal(
    block('published'),
    table(['what', 'published', 'ours', 'deviation', 'source', 'remark'], publishedCharges.map(publishedRow)),
  );
});

test('the page has every published figure that we cannot set ours against, and why', () => {
  assert.equal(
    block('without ours'),
    table(
      ['what', 'published', 'source', 'why there is none of ours'],
      publishedWithoutOurs.map(({ what, published, source, reason }) => [what, published, source, reason]),
    ),
  );
});

test('the page says what each profile charges', () => {
  const rows: [string, WorkDone][] = [
    ['point read, 1 KB', readOf(1)],
    ['point read, 100 KB', readOf(100)],
    ['create, 1 KB, 5 properties, 10 index terms', { ...createOf(1, 10), properties: 5 }],
    ['create, 100 KB, 5 properties, 10 index terms', { ...createOf(100, 10), properties: 5 }],
    ['replace, 1 KB, 5 properties, 2 index terms modified', { ...replaceOf(1, 2), properties: 5 }],
    ['delete, 1 KB, 5 properties, 10 index terms', { ...deleteOf(1, 10), properties: 5 }],
    ['query, one partition, 100 items of 1 KB', queryReturning(100, 1)],
  ];
  const profiles = ['docs-2026', 'docs-simple', 'ms-emulator'] as const;
  assert.deepEqual([...profiles], Object.keys(priceLists));
  assert.equal(
    block('profiles'),
    table(
      ['', ...profiles.map((profile) => `\`${profile}\``)],
      rows.map(([what, work]) => [what, ...profiles.map((profile) => figure(chargeOf([work], profile)))]),
    ),
  );
});

test('the page says what is charged where nothing is published', () => {
  const rows: [string, readonly WorkDone[]][] = [
    ['point read that finds nothing (404), or nothing new (304)', [readOf(0)]],
    ['create that finds the id taken, an item of 1 KB (409)', [notApplied(createOf(1, 10), 1)]],
    ['replace whose ETag does not match, an item of 64 KB (412)', [notApplied(replaceOf(64, 2), 64)]],
    ['delete that finds nothing (404)', [notApplied(deleteOf(0), 0)]],
    ['request that is not valid (400)', [{ kind: 'rejected-request' }]],
    ['request that is throttled (429)', []],
    [
      'batch of 3 creates of 1 KB, 10 index terms each',
      [{ kind: 'batch' }, ...Array(3).fill(createOf(1, 10))],
    ],
    ['the same batch, rolled back', [{ kind: 'batch' }, ...Array(3).fill(notApplied(createOf(1, 10), 0))]],
    ['stored procedure that does nothing', [{ kind: 'stored-procedure' }]],
    [
      'empty page of a read feed or change feed',
      [{ kind: 'change-feed', itemBytes: [], consistencyMultiplier: 1 }],
    ],
    ['item of 1 KB, 10 index terms, that expires', [{ ...deleteOf(1, 10), kind: 'expire-item' }]],
    ['CQL: `UPDATE … IF` that holds, a row of 1 KB', [{ ...replaceOf(1), isLightweightTransaction: true }]],
    [
      'CQL: `UPDATE … IF` that does not hold, a row of 1 KB',
      [{ ...replaceOf(1), isLightweightTransaction: true, isApplied: false }],
    ],
    ['CQL: counter changed, a row below 1 KB', [replaceOf(0.1)]],
    ['CQL: `DELETE` of a range of rows', [writeOf({ kind: 'delete-range' })]],
    [
      'create, alter or drop a database, table or container',
      [{ ...createOf(0.5), kind: 'write-definition' }],
    ],
    ['read a definition', [{ ...readOf(0.5), kind: 'read-definition' }]],
  ];
  assert.equal(
    block('assumptions'),
    table(
      ['what', 'charge'],
      rows.map(([what, work]) => [what, figure(chargeOf(work, 'docs-2026'))]),
    ),
  );
});

test('the page explains sample charges as the code does', () => {
  const samples: [string, readonly WorkDone[]][] = [
    [
      'A create of an item of 1,800 bytes with seven indexed properties',
      [{ ...createOf(0, 14), bytesAfter: 1_800 }],
    ],
    [
      'A patch of an item of 4 KB: two operations, one indexed value changed',
      [{ ...replaceOf(4, 2), kind: 'patch-item', patchOperations: 2 }],
    ],
    [
      'A strong query over three physical partitions that finds twelve items by two predicates',
      [
        queryOf({
          ...queryReturning(12, 1.5),
          partitionsVisited: 3,
          extraSeeks: 1,
          consistencyMultiplier: 2,
        }),
      ],
    ],
    [
      'A query with CONTAINS() over 8,000 distinct values that returns one of 40 items it loads',
      [
        queryOf({
          itemsLoaded: 40,
          bytesLoaded: kilobytes(80),
          itemsReturned: 1,
          bytesReturned: kilobytes(2),
          indexTermsScanned: 8_000,
        }),
      ],
    ],
  ];
  const told = samples.map(([title, work]) => {
    const explanation = new ChargeExplanation();
    const meter = new RequestMeter(priceLists['docs-2026'], explanation);
    for (const piece of work) meter.add(piece);
    const parts = explanation.parts.map(({ text, chargeRu }) => `${figure(chargeRu).padStart(8)}  ${text}`);
    return [`${title}:`, ...parts, `${figure(meter.chargeRu).padStart(8)}  RU`].join('\n');
  });
  assert.equal(block('samples'), `\`\`\`\n${told.join('\n\n')}\n\`\`\``);
});

test('the page has the list prices', () => {
  assert.equal(
    block('list prices'),
    table(
      ['name', 'default'],
      Object.entries(defaultListPrices).map(([name, price]) => [`\`${name}\``, String(price)]),
    ),
  );
});

function notApplied(work: WorkDone, kbBefore: number): WorkDone {
  return { ...work, bytesBefore: kilobytes(kbBefore), isApplied: false } as WorkDone;
}
