// Tells items that do not pass a query's filter by what the filter looks at, before anything else is read out of them.

import { JsonExcerpt } from '../../../values/json-excerpt.ts';
import type { QueryRun, RunnableQuery } from './runnable-query.ts';

/** An item that passes is looked at twice: it is worth while as long as fewer than one in so many do, but for a few at first. */
const leastInVain = 4;
const atFirst = 16;

export class FirstLook {
  readonly #query: Pick<RunnableQuery, 'filterPaths'>;
  readonly #run: Pick<QueryRun, 'passes'>;
  /** Undefined until the first item, null where there is nothing to ask. */
  #excerpt: JsonExcerpt | null | undefined;
  #looks = 0;
  #passed = 0;

  constructor(query: Pick<RunnableQuery, 'filterPaths'>, run: Pick<QueryRun, 'passes'>) {
    this.#query = query;
    this.#run = run;
  }

  /** Whether the item is known to have no result. */
  isInVain(payload: Buffer): boolean {
    if (this.#excerpt === undefined) this.#excerpt = this.#excerptOfFilter();
    if (this.#excerpt === null || this.#passed * leastInVain > this.#looks + atFirst) return false;
    this.#looks++;
    if (!this.#run.passes(this.#excerpt.read(payload))) return true;
    this.#passed++;
    return false;
  }

  #excerptOfFilter(): JsonExcerpt | null {
    const paths = this.#query.filterPaths();
    return paths === undefined ? null : new JsonExcerpt(paths);
  }
}
