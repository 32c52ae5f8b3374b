// What the service asks of ORDER BY beyond its grammar. It sorts by indexes, so it must find one that fits.

import { indexedPathsOf, isIncluded } from '../../catalog/nosql/indexed-paths.ts';
import type { IndexingPolicy } from '../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import { itemAliasesOf, itemPathOf } from './item-path.ts';
import { sqlError } from './sql-error.ts';
import type { SortKey, SqlQuery } from './sql-query.ts';

/** What may be sorted by though it is no path. */
const scores: ReadonlySet<string> = new Set(['VECTORDISTANCE', '_FULLTEXTSCORE']);
/** Indexed whatever the policy says. */
const alwaysIndexed: ReadonlySet<string> = new Set(['id', '_ts']);

type Path = readonly (string | number)[];

/**
 * Throws for an order over something else than paths, over a path that the policy excludes, and over several paths that no composite
 * index has.
 */
export function checkOrder(query: SqlQuery, policy: IndexingPolicy): void {
  if (query.isRanked) return;
  const aliases = itemAliasesOf(query);
  const paths = query.orderBy.map((key) => pathOfKey(key, aliases));
  const [only] = paths;
  if (paths.length > 1) {
    checkComposite(query.orderBy, paths, policy);
    return;
  }
  // Without any index the service sorts by looking at every item.
  if (only === undefined || policy.mode === 'none' || isAlwaysIndexed(only)) return;
  if (!isIncluded(indexedPathsOf(policy), only))
    throw invalidRequest('The index path corresponding to the specified order-by item is excluded.');
}

/** Undefined for a score. */
function pathOfKey({ value }: SortKey, aliases: ReadonlySet<string>): Path | undefined {
  if (value.kind === 'call' && scores.has(value.name.toUpperCase())) return undefined;
  const path = itemPathOf(value, aliases);
  if (path !== undefined && path.length > 0) return path;
  throw sqlError(
    '2206',
    'Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path.',
    value.span,
  );
}

function checkComposite(
  keys: readonly SortKey[],
  paths: readonly (Path | undefined)[],
  policy: IndexingPolicy,
): void {
  const fits = indexedPathsOf(policy).composites.some((index) => {
    if (index.length !== keys.length) return false;
    if (!index.every(({ names }, at) => isSame(names, paths[at]))) return false;
    // As it is, or as read backwards.
    const turns = index.map(
      ({ order }, at) => (order === 'descending') !== (keys[at]?.direction === 'descending'),
    );
    return turns.every((turn) => turn === turns[0]);
  });
  if (!fits) {
    throw invalidRequest(
      'The order by query does not have a corresponding composite index that it can be served from.',
    );
  }
}

function isAlwaysIndexed(path: Path): boolean {
  return path.length === 1 && alwaysIndexed.has(String(path[0]));
}

function isSame(names: readonly string[], path: Path | undefined): boolean {
  return names.length === path?.length && names.every((name, at) => name === String(path[at]));
}
