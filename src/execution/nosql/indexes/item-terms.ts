// Which entries an index has for an item.

import type { CompositePath } from '../../../catalog/nosql/indexed-paths.ts';
import { indexedPathsOf } from '../../../catalog/nosql/indexed-paths.ts';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { eachElement, type PathStep } from '../../../catalog/nosql/property-path.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { descendingValue, indexValueOf } from '../../../values/index-value.ts';
import { type StoredItem, writeSecondOf } from '../../../values/stored-item.ts';
import { valueAt } from '../items/item-partition-key.ts';
import { compositeOrder, type IndexedPath, oversizedOrder, rootPathOf } from './index-paths.ts';
import type { CompositeIndexPath, IndexedOrder } from './item-index.ts';

/** Order and value of an entry, one behind the other. */
export type IndexTerm = ByteString;

/** Each once, in no order. */
export interface TermsOfItem {
  readonly terms: readonly IndexTerm[];
  /** Of each term; the same strings again and again, which cost less to look up than parts of terms. */
  readonly orders: readonly ByteString[];
}

/** Paths that items have are remembered up to so many; items with names of their own making would fill the memory. */
const maxKnownPaths = 20_000;

/**
 * An item with more values gets a mark instead, and while its segment has such an item queries look at every item: 280,000 entries, which 2 MB can
 * have, would hold everybody up for a second.
 */
const maxTerms = 10_000;

interface KnownComposite {
  readonly order: ByteString;
  readonly paths: readonly CompositePath[];
}

/** What a policy wants of an item. */
export class ItemTerms {
  readonly #policy: IndexingPolicy;
  readonly #composites: readonly KnownComposite[];
  #root: IndexedPath;
  #knownPaths = 0;

  constructor(policy: IndexingPolicy) {
    const indexed = indexedPathsOf(policy);
    this.#policy = policy;
    this.#composites = indexed.composites.map((paths) => ({ order: compositeOrder(paths), paths }));
    this.#root = rootPathOf(indexed);
  }

  of(stored: StoredItem): TermsOfItem {
    if (this.#knownPaths > maxKnownPaths) {
      this.#root = rootPathOf(indexedPathsOf(this.#policy));
      this.#knownPaths = 0;
    }
    const item = JSON.parse(stored.payload.toString('utf8')) as Readonly<Record<string, unknown>>;
    const found: FoundTerms = { terms: [], orders: [] };
    let hasArrays = this.#collect(item, this.#root, found, true);
    if (found.terms.length > maxTerms) {
      hasArrays = false;
      this.#replaceByMark(found, item);
    }
    const ts = writeSecondOf(stored);
    add(found, this.#next(this.#root, '_ts', true).order, indexValueOf(ts));
    for (const { order, paths } of this.#composites) add(found, order, compositeValue(paths, item, ts));
    // Only elements of arrays can have the same path and the same value.
    return hasArrays ? withoutTwins(found) : found;
  }

  /** Whether an array is among it. */
  #collect(value: unknown, path: IndexedPath, found: FoundTerms, isItem: boolean): boolean {
    if (path.isIncluded) add(found, path.order, indexValueOf(value));
    if (found.terms.length > maxTerms) return false;
    if (typeof value !== 'object' || value === null || !(path.leadsOn || isItem)) return false;
    if (Array.isArray(value)) {
      const each = this.#next(path, eachElement, false);
      for (const element of value) this.#collect(element, each, found, false);
      return true;
    }
    let hasArrays = false;
    for (const name of Object.keys(value)) {
      // `id` is indexed whatever the policy says.
      const next = this.#next(path, name, isItem && name === 'id');
      if (this.#collect((value as Record<string, unknown>)[name], next, found, false)) hasArrays = true;
    }
    return hasArrays;
  }

  #replaceByMark({ terms, orders }: FoundTerms, item: Readonly<Record<string, unknown>>): void {
    terms.length = 0;
    orders.length = 0;
    add({ terms, orders }, this.#root.order, indexValueOf(item));
    add({ terms, orders }, this.#next(this.#root, 'id', true).order, indexValueOf(item['id']));
    add({ terms, orders }, oversizedOrder, indexValueOf(true));
  }

  #next(path: IndexedPath, step: PathStep, isAlways: boolean): IndexedPath {
    const known = path.known(step);
    if (known !== undefined) return known;
    this.#knownPaths++;
    return path.grow(step, isAlways);
  }
}

interface FoundTerms {
  readonly terms: IndexTerm[];
  readonly orders: ByteString[];
}

function add({ terms, orders }: FoundTerms, order: ByteString, value: ByteString): void {
  terms.push((order + value) as IndexTerm);
  orders.push(order);
}

function withoutTwins({ terms, orders }: FoundTerms): TermsOfItem {
  const orderOf = new Map(terms.map((term, at) => [term, orders[at] as ByteString]));
  return orderOf.size === terms.length
    ? { terms, orders }
    : { terms: [...orderOf.keys()], orders: [...orderOf.values()] };
}

/**
 * The values that an item, with `_ts` as a member, has at an order: in order, each once. An entry of the index is of the item as it is
 * only if its value is among them.
 */
export function indexedValuesAt(
  item: Readonly<Record<string, unknown>>,
  order: IndexedOrder,
): readonly ByteString[] {
  if (order.kind === 'composite') return [compositeValue(order.paths, item, item['_ts'])];
  const values = new Set<ByteString>();
  collectValues(item, order.path, 0, values);
  return [...values].sort();
}

function collectValues(
  value: unknown,
  path: readonly PathStep[],
  depth: number,
  values: Set<ByteString>,
): void {
  const step = path[depth];
  if (step === undefined) values.add(indexValueOf(value));
  else if (typeof value !== 'object' || value === null) return;
  else if (Array.isArray(value)) {
    if (step === eachElement) for (const element of value) collectValues(element, path, depth + 1, values);
  } else if (step !== eachElement && Object.hasOwn(value, step))
    collectValues((value as Record<string, unknown>)[step], path, depth + 1, values);
}

function compositeValue(paths: readonly CompositeIndexPath[], item: unknown, ts: unknown): ByteString {
  let bytes = '';
  for (const { names, order } of paths) {
    const value = indexValueOf(names.length === 1 && names[0] === '_ts' ? ts : valueAt(item, names));
    bytes += order === 'descending' ? descendingValue(value) : value;
  }
  return bytes as ByteString;
}
