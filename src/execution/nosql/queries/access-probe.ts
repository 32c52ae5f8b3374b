// Looks up a filter in the index, all parts of it side by side and each as far as the others, until one is known to its end: the
// smallest then decides which items are loaded. What is chosen depends on what is stored and on nothing else.

import type { IndexedOrder } from '../indexes/item-index.ts';
import { type CursorGone, type FoundEntry, IndexCursor, type IndexSide, upwards } from './index-cursor.ts';
import type { FilterAccess, IndexSeek } from './query-access.ts';

/** Entries that every part of a filter is looked up for, before the next step; the last bounds what is kept of one query. */
export interface ProbeSteps {
  /** Of one that has so few, others need not be read further. */
  readonly few: number;
  readonly first: number;
  readonly last: number;
  /** Rows of a walk in order that are loaded before it is decided whether the filter is looked up for the others. */
  readonly loaded: number;
  /** Entries of the filter that are then kept rather than looked up one by one. */
  readonly kept: number;
}

export const probeSteps: ProbeSteps = { few: 16, first: 256, last: 4_096, loaded: 32, kept: 16_384 };

export type EntriesByRid = ReadonlyMap<number, FoundEntry>;

export class AccessProbe {
  readonly #root: Node;
  readonly #seeks: SeekNode[] = [];

  constructor(sides: readonly IndexSide[], filter: FilterAccess) {
    this.#root = this.#nodeOf(sides, filter);
  }

  /** All that the filter may let pass; undefined where no part of it ends within so many entries. */
  upTo(budget: number): Promise<EntriesByRid | CursorGone | undefined> {
    return this.#root.upTo(budget);
  }

  /** Of what was looked at, how much is wanted. */
  get share(): number {
    const sum = (of: (node: SeekNode) => number): number =>
      this.#seeks.reduce((total, node) => total + of(node), 0);
    return (
      sum(({ entries }) => entries.size) /
      Math.max(
        sum(({ cursor }) => cursor.seen),
        1,
      )
    );
  }

  /** All that were looked up, whether to their end or not. */
  get lookedUp(): readonly { readonly order: IndexedOrder }[] {
    return this.#seeks;
  }

  get seeks(): number {
    return this.#seeks.reduce((sum, { cursor }) => sum + cursor.seeks, 0);
  }

  get terms(): number {
    return this.#seeks.reduce((sum, { cursor }) => sum + cursor.terms, 0);
  }

  #nodeOf(sides: readonly IndexSide[], access: FilterAccess): Node {
    if (access.kind === 'seek') {
      const node = new SeekNode(sides, access);
      this.#seeks.push(node);
      return node;
    }
    const children = access.of.map((part) => this.#nodeOf(sides, part));
    return access.kind === 'all' ? new AllNode(children) : new AnyNode(children);
  }
}

interface Node {
  upTo(budget: number): Promise<EntriesByRid | CursorGone | undefined>;
}

class SeekNode implements Node {
  readonly order: IndexedOrder;
  readonly cursor: IndexCursor;
  readonly entries: Map<number, FoundEntry> = new Map();

  constructor(sides: readonly IndexSide[], { order, ranges }: IndexSeek) {
    this.order = order;
    this.cursor = new IndexCursor(sides, { order, ranges, ...upwards, after: undefined });
  }

  async upTo(budget: number): Promise<EntriesByRid | CursorGone | undefined> {
    // A range without entries is work too.
    const left = budget - this.cursor.seen - this.cursor.seeks;
    if (!this.cursor.isOver && left > 0) {
      const found = await this.cursor.pass(left);
      if (found === 'gone') return found;
      for (const entry of found) if (!this.entries.has(entry.rid)) this.entries.set(entry.rid, entry);
    }
    return this.cursor.isOver ? this.entries : undefined;
  }
}

/** Whichever of them end are put together; one is enough. */
class AllNode implements Node {
  readonly #children: readonly Node[];

  constructor(children: readonly Node[]) {
    this.#children = children;
  }

  async upTo(budget: number): Promise<EntriesByRid | CursorGone | undefined> {
    let common: EntriesByRid | undefined;
    for (const child of this.#children) {
      const entries = await child.upTo(budget);
      if (entries === 'gone') return entries;
      if (entries === undefined) continue;
      const before: EntriesByRid | undefined = common;
      common = before === undefined ? entries : new Map([...before].filter(([rid]) => entries.has(rid)));
    }
    return common;
  }
}

/** All of them have to end, and within the budget together. */
class AnyNode implements Node {
  readonly #children: readonly Node[];

  constructor(children: readonly Node[]) {
    this.#children = children;
  }

  async upTo(budget: number): Promise<EntriesByRid | CursorGone | undefined> {
    const united = new Map<number, FoundEntry>();
    for (const child of this.#children) {
      const entries = await child.upTo(budget - united.size);
      if (entries === undefined || entries === 'gone') return entries;
      for (const [rid, entry] of entries) united.set(rid, entry);
    }
    return united;
  }
}

/** Where nothing ends: what is walked along, one after another. The first of all parts, which the planner puts best first. */
export function driversOf(access: FilterAccess): readonly IndexSeek[] {
  if (access.kind === 'seek') return [access];
  if (access.kind === 'any') return access.of.flatMap(driversOf);
  const [first] = access.of;
  return first === undefined ? [] : driversOf(first);
}
