// A ranked search under one partition key, run whole. Over several partitions clients put the ranks together; under one key they are
// not left to it, because some (JavaScript, 4.9) then forget the key, and find what is not under it.

import { invalidRequest } from '../../errors/invalid-request.ts';
import { IndexUsed } from '../../execution/nosql/queries/item-source.ts';
import type { QueryPosition } from '../../execution/nosql/queries/query-token.ts';
import type { QueryPage } from '../../execution/nosql/queries/run-query.ts';
import type { HybridSearchQueryInfo } from '../../language/sql/plan/hybrid-search.ts';
import {
  fuseRanks,
  type ScoredRow,
  scoreQueriesOf,
  type TextStatistics,
} from '../../language/sql/plan/rank-fusion.ts';
import { fromHundredths, hundredthsOf } from '../../throughput/request-units.ts';
import { exactJsonText, hasLongInteger, parseExactJson } from '../../values/exact-json.ts';

/** The page of a query's text that begins at a position. */
type AskForPage = (text: string, from: QueryPosition) => Promise<QueryPage>;

export const wholeQuery: QueryPosition = {
  items: undefined,
  sorted: undefined,
  skipped: 0,
  left: Number.POSITIVE_INFINITY,
};

/** Of what one search keeps. */
const mostKeptBytes = 64 * 2 ** 20;

/** Each page searches again, and leaves out what was given. */
export async function rankedPage(
  search: HybridSearchQueryInfo,
  from: QueryPosition,
  maxItems: number,
  ask: AskForPage,
): Promise<QueryPage> {
  const asked = new AskedPages(ask);
  const [statistics] = search.requiresGlobalStatistics
    ? await asked.rowsOf<TextStatistics>(search.globalStatisticsQuery)
    : [];
  const rows: (readonly ScoredRow[])[] = [];
  for (const text of scoreQueriesOf(search, statistics)) rows.push(await asked.rowsOf<ScoredRow>(text));
  const results = fuseRanks(search, rows);
  const end = from.skipped + maxItems;
  return {
    results: results.slice(from.skipped, end).map((result) => exactJsonText(result)),
    next: end < results.length ? { ...from, skipped: end } : undefined,
    ...asked.work(),
  };
}

class AskedPages {
  readonly #ask: AskForPage;
  readonly #pages: QueryPage[] = [];
  #keptBytes = 0;

  constructor(ask: AskForPage) {
    this.#ask = ask;
  }

  async rowsOf<Row>(text: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let from: QueryPosition | undefined = wholeQuery; from !== undefined; ) {
      const page: QueryPage = await this.#ask(text, from);
      this.#pages.push({ ...page, results: [] });
      for (const result of page.results) {
        this.#keptBytes += result.length;
        rows.push(parsed(Buffer.from(result)) as Row);
      }
      if (this.#keptBytes > mostKeptBytes)
        throw invalidRequest('A ranked search over this much needs TOP or LIMIT.');
      from = page.next;
    }
    return rows;
  }

  work(): Pick<QueryPage, 'chargeRu' | 'physicalPartition' | 'figures' | 'used' | 'times'> {
    const sum = (figure: (page: QueryPage) => number): number =>
      this.#pages.reduce((total, page) => total + figure(page), 0);
    return {
      chargeRu: fromHundredths(sum(({ chargeRu }) => hundredthsOf(chargeRu))),
      physicalPartition: this.#pages.at(-1)?.physicalPartition,
      figures: {
        itemsLoaded: sum(({ figures }) => figures.itemsLoaded),
        bytesLoaded: sum(({ figures }) => figures.bytesLoaded),
        itemsReturned: sum(({ figures }) => figures.itemsReturned),
        bytesReturned: sum(({ figures }) => figures.bytesReturned),
        seeks: sum(({ figures }) => figures.seeks),
        terms: sum(({ figures }) => figures.terms),
      },
      times: {
        sourceMs: sum(({ times }) => times.sourceMs),
        indexMs: sum(({ times }) => times.indexMs),
      },
      used: IndexUsed.ofAll(this.#pages.map(({ used }) => used)),
    };
  }
}

function parsed(text: Buffer): unknown {
  return hasLongInteger(text) ? parseExactJson(text.toString()) : JSON.parse(text.toString());
}
