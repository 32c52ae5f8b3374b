// How an index could serve a query: by its filter, by its order, or by both. Pure: the same query has the same access, whatever is stored.

import { type CompositePath, indexedPathsOf } from '../../../catalog/nosql/indexed-paths.ts';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { eachElement } from '../../../catalog/nosql/property-path.ts';
import type { IndexedOrder } from '../../../execution/nosql/indexes/item-index.ts';
import {
  allValues,
  type FilterAccess,
  type IndexSeek,
  type OrderAccess,
  type QueryAccess,
  scansOnly,
  type ValueRange,
} from '../../../execution/nosql/queries/query-access.ts';
import { type ByteString, concatBytes, endOfPrefix } from '../../../foundation/byte-string.ts';
import { descendingValue, indexValueOf } from '../../../values/index-value.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import type { SqlQuery } from '../sql-query.ts';
import { seeksOf } from './find-seeks.ts';
import { aliasPathsOf, type IndexPath, indexPathOf, textOfPath } from './index-paths.ts';
import { isOneValue } from './value-ranges.ts';

export interface AccessPlanned {
  readonly query: SqlQuery;
  readonly parameters: SqlParameters;
  readonly policy: IndexingPolicy;
  /** Names that are no properties of items: no index has them. */
  readonly computedNames: ReadonlySet<string>;
}

export function planAccess({ query, parameters, policy, computedNames }: AccessPlanned): QueryAccess {
  if (query.from.length === 0) return scansOnly;
  const paths = aliasPathsOf(query);
  const found = query.where === undefined ? undefined : seeksOf(query.where, paths, parameters);
  const isComputed = ([first]: IndexPath): boolean => typeof first === 'string' && computedNames.has(first);
  const kept = found === undefined ? undefined : withoutPaths(found, isComputed);
  const filter =
    kept?.kind === 'all' ? { ...kept, of: [...kept.of].sort((a, b) => rankOf(a) - rankOf(b)) } : kept;
  const conditions = conditionsOf(filter);
  const { composites } = indexedPathsOf(policy);
  const sorted = query.isRanked
    ? []
    : query.orderBy.map(({ value, direction }) => ({
        path: indexPathOf(value, paths),
        isDescending: direction === 'descending',
      }));
  const keys: SortPath[] = [];
  for (const { path, isDescending } of sorted)
    if (path !== undefined && path.length > 0 && !path.includes(eachElement) && !isComputed(path))
      keys.push({ path, isDescending });
  const isOrdered = keys.length > 0 && keys.length === sorted.length;
  return {
    filter: withComposites(filter, conditions, composites),
    orders: isOrdered ? ordersOf(keys, conditions, composites) : [],
  };
}

interface SortPath {
  readonly path: IndexPath;
  readonly isDescending: boolean;
}

/** Lookups of few values come before ranges: where nothing ends soon, the first is walked along. */
function rankOf(access: FilterAccess): number {
  if (access.kind !== 'seek') return 3;
  if (!access.ranges.every(isOneValue)) return 2;
  return access.ranges.length > 1 ? 1 : 0;
}

/** What must hold of single paths, by their texts. */
type Conditions = ReadonlyMap<string, IndexSeek>;

/** Undefined where nothing is left that narrows. */
function withoutPaths(
  access: FilterAccess,
  isLeftOut: (path: IndexPath) => boolean,
): FilterAccess | undefined {
  if (access.kind === 'seek')
    return access.order.kind === 'path' && isLeftOut(access.order.path) ? undefined : access;
  const kept: FilterAccess[] = [];
  for (const part of access.of) {
    const left = withoutPaths(part, isLeftOut);
    if (left !== undefined) kept.push(left);
    else if (access.kind === 'any') return undefined;
  }
  if (access.kind === 'any') return { kind: 'any', of: kept };
  return kept.length > 1 ? { kind: 'all', of: kept } : kept[0];
}

function conditionsOf(filter: FilterAccess | undefined): Conditions {
  const conditions = new Map<string, IndexSeek>();
  const parts = filter?.kind === 'all' ? filter.of : filter === undefined ? [] : [filter];
  for (const part of parts)
    if (part.kind === 'seek' && part.order.kind === 'path' && !part.order.path.includes(eachElement))
      conditions.set(textOfPath(part.order.path), part);
  return conditions;
}

/** The one value that fulfils a condition, as bytes. */
function equalTo(condition: IndexSeek | undefined): ByteString | undefined {
  const [only] = condition?.ranges ?? [];
  return only !== undefined && condition?.ranges.length === 1 && isOneValue(only) ? only.from : undefined;
}

/** Where a composite index has several of the conditions at its beginning, it is looked up in place of them. */
function withComposites(
  filter: FilterAccess | undefined,
  conditions: Conditions,
  composites: readonly (readonly CompositePath[])[],
): FilterAccess | undefined {
  if (filter?.kind !== 'all') return filter;
  let best: { readonly seek: IndexSeek; readonly served: ReadonlySet<IndexSeek> } | undefined;
  for (const composite of composites) {
    const candidate = seekIn(composite, conditions);
    if (candidate !== undefined && candidate.served.size > Math.max(best?.served.size ?? 0, 1))
      best = candidate;
  }
  if (best === undefined) return filter;
  const { seek, served } = best;
  const rest = filter.of.filter((part) => part.kind !== 'seek' || !served.has(part));
  return rest.length === 0 ? seek : { kind: 'all', of: [seek, ...rest] };
}

function seekIn(
  composite: readonly CompositePath[],
  conditions: Conditions,
): { readonly seek: IndexSeek; readonly served: ReadonlySet<IndexSeek> } | undefined {
  const served = new Set<IndexSeek>();
  const order: IndexedOrder = { kind: 'composite', paths: composite };
  let prefix = '' as ByteString;
  let ranges: readonly ValueRange[] | undefined;
  for (const path of composite) {
    const condition = conditions.get(textOfPath(path.names));
    if (condition === undefined) break;
    const value = equalTo(condition);
    if (value === undefined) {
      // The complement of a range is not worth the code: nobody sorts an index downwards for a filter.
      if (path.order === 'descending') break;
      ranges = condition.ranges.map((range) => under(prefix, range));
      served.add(condition);
      break;
    }
    prefix = concatBytes(prefix, turned(path, value));
    served.add(condition);
  }
  if (prefix.length === 0) return undefined;
  return { seek: { kind: 'seek', order, ranges: ranges ?? [under(prefix, undefined)] }, served };
}

function under(prefix: ByteString, range: ValueRange | undefined): ValueRange {
  const from = concatBytes(prefix, range?.from ?? ('' as ByteString));
  return { from, to: range?.to === undefined ? endOfPrefix(prefix) : concatBytes(prefix, range.to) };
}

/** A composite index that the filter narrows, then a single path, then any composite. */
function ordersOf(
  keys: readonly SortPath[],
  conditions: Conditions,
  composites: readonly (readonly CompositePath[])[],
): readonly OrderAccess[] {
  const found = composites.flatMap((composite) => compositeOrder(keys, conditions, composite) ?? []);
  const isNarrow = ({ ranges }: OrderAccess): boolean => ranges !== allValues;
  const [only] = keys;
  const single = keys.length === 1 && only !== undefined ? [pathOrder(only, conditions)] : [];
  return [...found.filter(isNarrow), ...single, ...found.filter((order) => !isNarrow(order))];
}

function pathOrder({ path, isDescending }: SortPath, conditions: Conditions): OrderAccess {
  const condition = conditions.get(textOfPath(path));
  return {
    order: { kind: 'path', path },
    isReversed: isDescending,
    hasHighRidsFirst: isDescending,
    ranges: condition?.ranges ?? allValues,
    mayLack: condition === undefined,
    valueOf: ([key]) => indexValueOf(key),
  };
}

/** Paths at the beginning that the filter sets equal to something need not be sorted by: they are all the same. */
function compositeOrder(
  keys: readonly SortPath[],
  conditions: Conditions,
  composite: readonly CompositePath[],
): OrderAccess | undefined {
  const constants: ByteString[] = [];
  for (const path of composite) {
    const value = equalTo(conditions.get(textOfPath(path.names)));
    if (value === undefined) break;
    constants.push(turned(path, value));
  }
  const prefix = concatBytes(...constants);
  const sorted: { readonly path: CompositePath; readonly key: number }[] = [];
  const hasHighRidsFirst = keys[0]?.isDescending === true;
  let isReversed: boolean | undefined;
  let next = 0;
  for (const [at, path] of composite.entries()) {
    const key = keys[next];
    const isKey = key !== undefined && textOfPath(key.path) === textOfPath(path.names);
    if (isKey && at >= constants.length) {
      const isTurned = key.isDescending !== (path.order === 'descending');
      if (isReversed !== undefined && isTurned !== isReversed) return undefined;
      isReversed = isTurned;
      sorted.push({ path, key: next });
    } else if (at >= constants.length) {
      return undefined;
    }
    if (isKey) next++;
  }
  if (next !== keys.length) return undefined;
  return {
    order: { kind: 'composite', paths: composite },
    isReversed: isReversed ?? hasHighRidsFirst,
    hasHighRidsFirst,
    ranges: prefix.length === 0 ? allValues : [under(prefix, undefined)],
    mayLack: false,
    valueOf: (values) =>
      concatBytes(prefix, ...sorted.map(({ path, key }) => turned(path, indexValueOf(values[key])))),
  };
}

function turned({ order }: CompositePath, value: ByteString): ByteString {
  return order === 'descending' ? descendingValue(value) : value;
}
