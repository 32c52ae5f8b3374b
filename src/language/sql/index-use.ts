// What a query's filter and order have to do with the container's indexes: what was read, and what would have been of use.

import { indexedPathsOf, isIncluded } from '../../catalog/nosql/indexed-paths.ts';
import type { IndexingPolicy } from '../../catalog/nosql/nosql-definitions.ts';
import { eachElement } from '../../catalog/nosql/property-path.ts';
import type { IndexedOrder } from '../../execution/nosql/indexes/item-index.ts';
import { seeksOf } from './access/find-seeks.ts';
import {
  type AliasPaths,
  aliasPathsOf,
  type IndexPath,
  indexPathOf,
  textOfPath,
} from './access/index-paths.ts';
import { isOneValue } from './access/value-ranges.ts';
import { partsOf } from './find-aggregates.ts';
import type { SqlParameters } from './sql-parameters.ts';
import type { Expression, SqlQuery } from './sql-query.ts';

/** By paths as policies have them: `/a/b/?`, and of composite indexes `/a ASC`, `/b DESC`. */
export interface IndexUse {
  readonly used: readonly string[];
  readonly usedComposites: readonly (readonly string[])[];
  /** What the policy could have and has not. */
  readonly wanted: readonly string[];
  readonly wantedComposites: readonly (readonly string[])[];
}

/** The orders are those that were read. */
export function indexUseOf(
  query: SqlQuery,
  parameters: SqlParameters,
  policy: IndexingPolicy,
  orders: readonly IndexedOrder[],
): IndexUse {
  const used = new Set<string>();
  const usedComposites: (readonly string[])[] = [];
  for (const order of orders) {
    if (order.kind === 'path') used.add(specOf(order.path));
    else
      usedComposites.push(
        order.paths.map(({ names, order: direction }) => `${textOfPath(names)} ${short[direction]}`),
      );
  }
  return {
    used: [...used],
    usedComposites,
    wanted: pathsOf(query)
      .filter((path) => !isCovered(path, policy))
      .map(specOf),
    wantedComposites: usedComposites.length > 0 ? [] : wantedCompositesOf(query, parameters),
  };
}

const short = { ascending: 'ASC', descending: 'DESC' } as const;

function specOf(path: IndexPath): string {
  return `${textOfPath(path)}/?`;
}

function isCovered(path: IndexPath, policy: IndexingPolicy): boolean {
  if (policy.mode === 'none') return false;
  if (path.length === 1 && (path[0] === 'id' || path[0] === '_ts')) return true;
  const steps = path.map((step) => (step === eachElement ? 0 : step));
  return isIncluded(indexedPathsOf(policy), steps);
}

/** That the filter and an order over one path look at, each once. */
function pathsOf(query: SqlQuery): readonly IndexPath[] {
  const aliases = aliasPathsOf(query);
  const found = new Map<string, IndexPath>();
  const collect = (node: Expression): void => {
    const path = indexPathOf(node, aliases);
    if (path !== undefined && path.length > 0) found.set(textOfPath(path), path);
    else for (const part of partsOf(node)) collect(part);
  };
  if (query.where !== undefined) collect(query.where);
  if (query.orderBy.length === 1 && !query.isRanked) for (const { value } of query.orderBy) collect(value);
  return [...found.values()];
}

/** Conditions on several paths, or a condition and an order, would be one lookup: equalities first, then what is left. */
function wantedCompositesOf(query: SqlQuery, parameters: SqlParameters): readonly (readonly string[])[] {
  const aliases = aliasPathsOf(query);
  const conditions = conditionsOf(query, aliases, parameters);
  const equal = conditions.filter(({ isEqual }) => isEqual).map(({ path }) => path);
  const ordered = query.isRanked ? [] : query.orderBy;
  const last =
    ordered.length > 0
      ? ordered.map(({ value, direction }) => ({ path: indexPathOf(value, aliases), direction }))
      : conditions
          .filter(({ isEqual }) => !isEqual)
          .slice(0, 1)
          .map(({ path }) => ({ path, direction: undefined }));
  const lead = equal.filter((path) =>
    last.every((one) => one.path === undefined || textOfPath(one.path) !== textOfPath(path)),
  );
  const specs = lead.map((path) => `${textOfPath(path)} ASC`);
  for (const { path, direction } of last) {
    if (path === undefined || path.length === 0 || path.includes(eachElement)) return [];
    specs.push(`${textOfPath(path)} ${short[direction ?? 'ascending']}`);
  }
  return specs.length > 1 && lead.length > 0 ? [specs] : [];
}

function conditionsOf(
  { where }: SqlQuery,
  aliases: AliasPaths,
  parameters: SqlParameters,
): readonly { readonly path: IndexPath; readonly isEqual: boolean }[] {
  const filter = where === undefined ? undefined : seeksOf(where, aliases, parameters);
  const parts = filter?.kind === 'all' ? filter.of : filter === undefined ? [] : [filter];
  return parts.flatMap((part) => {
    if (part.kind !== 'seek' || part.order.kind !== 'path' || part.order.path.includes(eachElement))
      return [];
    const [range] = part.ranges;
    return [
      {
        path: part.order.path,
        isEqual: part.ranges.length === 1 && range !== undefined && isOneValue(range),
      },
    ];
  });
}
