import { indexedPathsOf, isIncluded } from '../../catalog/nosql/indexed-paths.ts';
import type { IndexingPolicy } from '../../catalog/nosql/nosql-definitions.ts';
import { partsOf } from './find-aggregates.ts';
import { itemAliasesOf, itemPathOf } from './item-path.ts';
import { type Expression, isQuery, type SqlQuery } from './sql-query.ts';

/** Names, and numbers for elements of arrays. */
type IndexablePath = readonly (string | number)[];

/** What of an indexing policy answers to a query, and what of the query it leaves out, by paths as policies have them. */
export interface IndexUse {
  /** `/a/b/?` */
  readonly used: readonly string[];
  /** What the policy could have and has not. */
  readonly wanted: readonly string[];
  /** Of an order over several: `/a ASC`, `/b DESC`. */
  readonly composite: readonly string[];
}

/** Of the paths that the filter and the order look at. */
export function indexUseOf(query: SqlQuery, policy: IndexingPolicy): IndexUse {
  const aliases = itemAliasesOf(query);
  const found = new Map<string, IndexablePath>();
  const collect = (node: Expression): void => {
    const path = itemPathOf(node, aliases);
    if (path !== undefined && path.length > 0) found.set(`${specOf(path)}/?`, path);
    else for (const part of partsOf(node)) collect(part);
  };
  for (const { isIterated, origin } of query.from) {
    const path = isIterated && !isQuery(origin) ? itemPathOf(origin, aliases) : undefined;
    if (path !== undefined && query.where !== undefined) found.set(`${specOf(path)}/[]/?`, [...path, 0]);
  }
  if (query.where !== undefined) collect(query.where);
  const isComposite = query.orderBy.length > 1;
  if (!isComposite && !query.isRanked) for (const { value } of query.orderBy) collect(value);
  const rules = indexedPathsOf(policy);
  const isCovered = ([, path]: readonly [string, IndexablePath]): boolean =>
    policy.mode !== 'none' && isIncluded(rules, path);
  return {
    used: [...found].filter(isCovered).map(([spec]) => spec),
    wanted: [...found].filter((entry) => !isCovered(entry)).map(([spec]) => spec),
    composite: isComposite
      ? query.orderBy.map(
          ({ value, direction }) =>
            `${specOf(itemPathOf(value, aliases) ?? [])} ${direction === 'descending' ? 'DESC' : 'ASC'}`,
        )
      : [],
  };
}

function specOf(path: IndexablePath): string {
  return path
    .map((step) => {
      if (typeof step === 'number') return '/[]';
      return /^[A-Za-z_]\w*$/.test(step) ? `/${step}` : `/${JSON.stringify(step)}`;
    })
    .join('');
}
