// What queries see of the index of items: which values stand at which paths, in order. It is made from committed rows and follows them;
// what it gives is a hint, never the truth: an entry may be of a version that is gone, so whoever reads looks at the row.

import type { PathStep } from '../../../catalog/nosql/property-path.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';

/**
 * An ordered list of entries. Of a path: each scalar that stands there, once for an item and a value; an array or an object is an entry
 * too, without its content. `[]` has one for every item, so that all can be walked in the order of their rids. Of a composite index of
 * the policy: one for every item, with undefined for what it lacks.
 */
export type IndexedOrder =
  | { readonly kind: 'path'; readonly path: readonly PathStep[] }
  | { readonly kind: 'composite'; readonly paths: readonly CompositeIndexPath[] };

export interface CompositeIndexPath {
  readonly names: readonly string[];
  readonly order: 'ascending' | 'descending';
}

export interface IndexWalk {
  readonly order: IndexedOrder;
  /** Value bytes (`indexValueOf`), or what such bytes begin with; included. Undefined begins with the first. */
  readonly from: ByteString | undefined;
  /** Excluded. Undefined ends with the last. */
  readonly to: ByteString | undefined;
  /** From the last value to the first, and of equal values from the highest rid to the lowest. */
  readonly reverse: boolean;
  /** The entry after which, in the direction of the walk, the page begins; it need not be there any more. */
  readonly after: IndexPosition | undefined;
  /** A page ends with the entry that reaches one of these. Entries that are left out, as of another partition, count in `examined` only. */
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export interface IndexPosition {
  readonly value: ByteString;
  readonly rid: number;
  /** Of one that a page gave: where what lies behind it begins in that segment, so that the same query need not look for it. */
  readonly rest?: { readonly segment: number; readonly rid: number };
}

export interface IndexEntry extends IndexPosition {
  /** Of the item's row in the store. */
  readonly key: ByteString;
}

export interface IndexPage {
  /** In order of value, then rid. All are of the physical partition that was asked for. */
  readonly entries: readonly IndexEntry[];
  /** Where the next page begins, for there may be entries that are left out behind the last one that is given. Undefined when nothing is left. */
  readonly next: IndexPosition | undefined;
  /** Entries that were looked at, those of other partitions included. */
  readonly examined: number;
}

/** What an index noted of an item: the values that each of some orders has of it. */
export interface RecordedValues {
  readonly rid: number;
  readonly values: readonly (readonly ByteString[])[];
}

/** The index of one physical partition, for one query. */
export interface ReadyIndex {
  /**
   * Whether the order has an entry for all that was committed when the query began. False for what the policy leaves out, for what is
   * still being built, for system properties other than `_ts`, and, but for `[]`, `id`, `_ts` and composites, while there is an item with too
   * many values to have entries for.
   */
  has(order: IndexedOrder): boolean;
  /** Whether every item has something at the path, so that nothing is undefined there. False also where it is not known. */
  isEverywhere(path: readonly PathStep[]): boolean;
  /** About how many entries the path has, those of items that share the segment included; undefined where it is not known. */
  countAt(path: readonly PathStep[]): number | undefined;
  /** Undefined when the index cannot answer any more: the partition has moved, the policy has changed, or it has to be built anew. */
  walk(walk: IndexWalk): Promise<IndexPage | undefined>;
  /**
   * What is noted of the items under those keys, so that a row need not be loaded to know that a filter leaves it out; undefined for one
   * that is gone. Undefined for all of them as for a walk.
   */
  noted(
    keys: readonly ByteString[],
    orders: readonly IndexedOrder[],
  ): Promise<readonly (RecordedValues | undefined)[] | undefined>;
}

export type IndexReadiness =
  /** Everything that was committed when it was asked for is indexed, as far as `has` says. */
  | { readonly kind: 'ready'; readonly index: ReadyIndex }
  /** Nothing can be found by it yet: queries scan. */
  | { readonly kind: 'building' }
  /** The policy wants none. */
  | { readonly kind: 'none' }
  | { readonly kind: 'moved' };

export interface ItemIndex {
  /** Resolves when all that is committed now is indexed, or at once where that takes a scan of the partition. */
  ready(address: PartitionAddress): Promise<IndexReadiness>;
  /** In percent, of what the container's policy asks for; 100 when nothing is left to do. */
  progressOf(container: number): number;
}
