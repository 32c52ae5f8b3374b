// The part of a segment that one physical partition keeps up: by which policy, and how complete it is.

import type { IndexingPolicy } from '../../../catalog/nosql/nosql-definitions.ts';
import { type ByteString, byteStringFromHex, hexOf } from '../../../foundation/byte-string.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { covers, isAlwaysCovered, isSamePolicy, policyTagOf } from './covered-orders.ts';
import type { IndexSegment } from './index-segment.ts';
import type { IndexedOrder } from './item-index.ts';
import type { ItemRecord } from './item-record.ts';
import { ItemTerms } from './item-terms.ts';

export interface LaneState {
  readonly segment: number;
  readonly isCurrent: boolean;
  readonly policy: IndexingPolicy;
  readonly bases: readonly IndexingPolicy[];
  /** Hex; absent when nothing is left to look through. */
  readonly rest?: string;
}

/** With more policies than this between which items may stand, it is easier to say that none counts. */
const maxBases = 8;
const maxTouched = 50_000;

export class IndexLane {
  readonly segment: IndexSegment;
  #policy: IndexingPolicy;
  #terms: ItemTerms;
  #policyTag: number;
  /** Policies by which some items may still be indexed. */
  #bases: IndexingPolicy[];
  #isCurrent: boolean;
  /** Items from here on are to be looked at; undefined for none. */
  #rest: ByteString | undefined;
  /** Raised whenever the looking begins anew. */
  #round = 0;
  /** Keys that changed while somebody reads a page of rows, which may have been read before they did; undefined while nobody does. */
  #touched: Set<ByteString> | undefined;
  /** Of what was committed later it has no entries before it is told. */
  #completeSince: number;

  constructor(segment: IndexSegment, state: Omit<LaneState, 'segment'>) {
    this.segment = segment;
    this.#policy = state.policy;
    this.#terms = new ItemTerms(state.policy);
    this.#policyTag = policyTagOf(state.policy);
    this.#bases = [...state.bases];
    this.#isCurrent = state.isCurrent;
    this.#rest = state.rest === undefined ? undefined : byteStringFromHex(state.rest);
    this.#completeSince = 0;
  }

  /** Of a partition that nothing was written to yet, or whose items are all to be looked at. */
  static begin(segment: IndexSegment, policy: IndexingPolicy, isEmpty: boolean): IndexLane {
    return new IndexLane(segment, {
      isCurrent: isEmpty,
      policy,
      bases: [],
      ...(isEmpty ? {} : { rest: '' }),
    });
  }

  /** The same for a part of the items. */
  forChild(): IndexLane {
    const child = new IndexLane(this.segment, this.state);
    child.#completeSince = this.#completeSince;
    return child;
  }

  get state(): LaneState {
    return {
      segment: this.segment.number,
      isCurrent: this.#isCurrent,
      policy: this.#policy,
      bases: this.#bases,
      ...(this.#rest === undefined ? {} : { rest: hexOf(this.#rest) }),
    };
  }

  /** Whether every item has entries by some policy that counts. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  get rest(): ByteString | undefined {
    return this.#rest;
  }

  get round(): number {
    return this.#round;
  }

  get policyTag(): number {
    return this.#policyTag;
  }

  has(order: IndexedOrder): boolean {
    if (this.segment.hasOversized && !isAlwaysCovered(order)) return false;
    return covers(this.#policy, order) && this.#bases.every((base) => covers(base, order));
  }

  /** True if the policy was another one: then the items have to be looked at. */
  setPolicy(policy: IndexingPolicy): boolean {
    if (isSamePolicy(policy, this.#policy)) return false;
    this.#bases.push(this.#policy);
    this.#policy = policy;
    this.#terms = new ItemTerms(policy);
    this.#policyTag = policyTagOf(policy);
    if (this.#bases.length > maxBases) this.lookAgain();
    this.#restart();
    return true;
  }

  /** Something was committed that it did not see. */
  lookAgain(): void {
    this.#isCurrent = false;
    this.#bases = [];
    this.#restart();
  }

  #restart(): void {
    this.#rest = '' as ByteString;
    this.#round++;
  }

  /** Everything before that key has been looked at; all, if there is none. */
  lookedUpTo(rest: ByteString | undefined, seenLsn: number): void {
    this.#rest = rest;
    if (rest !== undefined) return;
    this.#isCurrent = true;
    this.#bases = [];
    this.#completeSince = seenLsn;
  }

  /** Whether an item that was made by that commit has no entries yet. */
  lacksNew(lsn: number): boolean {
    return this.#rest === undefined && lsn > this.#completeSince;
  }

  /** What it is to have of an item, until it is asked for the next. */
  recordOf(value: Buffer): ItemRecord {
    const item = decodeStoredItem(value);
    return {
      version: item.timestamp ?? 0,
      policyTag: this.#policyTag,
      rid: item.rid ?? 0,
      terms: this.#terms.of(item),
    };
  }

  /** From here on it is noted which items are written. */
  beginPage(): void {
    this.#touched = new Set();
  }

  touch(itemKey: ByteString): void {
    if (!this.isPageLost) this.#touched?.add(itemKey);
  }

  /** What was read of it may be older than what is indexed. */
  isTouched(itemKey: ByteString): boolean {
    return this.#touched?.has(itemKey) ?? false;
  }

  /** More than it pays to remember: the page is read again. */
  get isPageLost(): boolean {
    return (this.#touched?.size ?? 0) > maxTouched;
  }

  endPage(): void {
    this.#touched = undefined;
  }
}
