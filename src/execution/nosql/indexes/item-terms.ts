// Which entries an index has for an item.

import type { CompositePath } from '../../../catalog/nosql/indexed-paths.ts';
import { indexedPathsOf } from '../../../catalog/nosql/indexed-paths.ts';
import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { eachElement, type PathStep } from '../../../catalog/nosql/property-path.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { descendingValue, indexValueOf, LONGEST_WHOLE_TEXT } from '../../../values/index-value.ts';
import { type StoredItem, writeSecondOf } from '../../../values/stored-item.ts';
import { valueAt } from '../items/item-partition-key.ts';
import { compositeOrder, type IndexedPath, oversizedOrder, rootPathOf } from './index-paths.ts';
import type { CompositeIndexPath, IndexedOrder } from './item-index.ts';
import { TermList } from './term-list.ts';

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
  readonly #found = new TermList();
  #root: IndexedPath;
  #knownPaths = 0;

  constructor(policy: IndexingPolicy) {
    const indexed = indexedPathsOf(policy);
    this.#policy = policy;
    // A policy may say the same twice.
    const composites = new Map(indexed.composites.map((paths) => [compositeOrder(paths), paths]));
    this.#composites = Array.from(composites, ([order, paths]) => ({ order, paths }));
    this.#root = rootPathOf(indexed);
  }

  /** Each term once. The list is the same every time: it is read before the next item comes. */
  of(stored: StoredItem): TermList {
    if (this.#knownPaths > maxKnownPaths) {
      this.#root = rootPathOf(indexedPathsOf(this.#policy));
      this.#knownPaths = 0;
    }
    const item = JSON.parse(stored.payload.toString('utf8')) as Readonly<Record<string, unknown>>;
    const found = this.#found;
    found.clear();
    this.#collect(item, this.#root, undefined, true);
    if (found.length > maxTerms) this.#replaceByMark(item);
    const ts = writeSecondOf(stored);
    found.add(this.#next(this.#root, '_ts', true).order, ts);
    for (const { order, paths } of this.#composites) found.addBytes(order, compositeValue(paths, item, ts));
    return found;
  }

  /** Only what stands in arrays can have the same path and the same value: `seen` is there within one. */
  #collect(value: unknown, path: IndexedPath, seen: SeenValues | undefined, isItem: boolean): void {
    const found = this.#found;
    if (path.isIncluded && (seen === undefined || isFirst(seen, path, value))) found.add(path.order, value);
    if (found.length > maxTerms) return;
    if (typeof value !== 'object' || value === null || !(path.leadsOn || isItem)) return;
    if (Array.isArray(value)) {
      const each = this.#next(path, eachElement, false);
      const seenWithin = seen ?? new Map();
      for (const element of value) this.#collect(element, each, seenWithin, false);
      return;
    }
    for (const name of Object.keys(value)) {
      // `id` is indexed whatever the policy says.
      const next = this.#next(path, name, isItem && name === 'id');
      this.#collect((value as Record<string, unknown>)[name], next, seen, false);
    }
  }

  #replaceByMark(item: Readonly<Record<string, unknown>>): void {
    const found = this.#found;
    found.clear();
    found.add(this.#root.order, item);
    found.add(this.#next(this.#root, 'id', true).order, item['id']);
    found.add(oversizedOrder, true);
  }

  #next(path: IndexedPath, step: PathStep, isAlways: boolean): IndexedPath {
    const known = path.known(step);
    if (known !== undefined) return known;
    this.#knownPaths++;
    return path.grow(step, isAlways);
  }
}

/** What was met at each path. */
type SeenValues = Map<IndexedPath, Set<unknown>>;

/** Their content is not indexed with them, so all are alike. */
const anyArray = Symbol('array');
const anyObject = Symbol('object');

function isFirst(seen: SeenValues, path: IndexedPath, value: unknown): boolean {
  const values = seen.get(path) ?? new Set();
  if (values.size === 0) seen.set(path, values);
  const before = values.size;
  values.add(alikeOf(value));
  return values.size > before;
}

/** The same for values with the same bytes. */
function alikeOf(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_WHOLE_TEXT ? indexValueOf(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? anyArray : anyObject;
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
