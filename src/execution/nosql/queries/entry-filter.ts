// What a filter leaves out of a walk along an index that is not its own, so that its row is not loaded: told by the filter's own entries
// where those are few enough to be kept, else by what the index noted of each item. That pays where most would be left out, so the
// first rows are loaded without, to see.

import type { IndexedOrder, RecordedValues } from '../indexes/item-index.ts';
import { indexedValuesAt } from '../indexes/item-terms.ts';
import { AccessProbe, type EntriesByRid, type ProbeSteps } from './access-probe.ts';
import type { CursorGone, FoundEntry, IndexSide } from './index-cursor.ts';
import type { IndexUsed } from './item-source.ts';
import { type FilterAccess, type IndexSeek, isInRanges } from './query-access.ts';

/** A look at what is noted costs less than half of loading a row: it begins where fewer than one of so many rows passes. */
const loadedForOne = 4;

export class EntryFilter {
  readonly #sides: ReadonlyMap<number, IndexSide>;
  readonly #access: FilterAccess;
  readonly #seeks: readonly IndexSeek[];
  readonly #orders: readonly IndexedOrder[];
  readonly #used: IndexUsed;
  readonly #steps: ProbeSteps;
  readonly #probe: AccessProbe;
  /** Undefined where they are too many, or were not looked for yet. */
  #known: EntriesByRid | undefined;
  #isProbed = false;
  #loaded = 0;
  #passed = 0;
  #looked = 0;
  #isInUse = false;

  constructor(sides: readonly IndexSide[], access: FilterAccess, used: IndexUsed, steps: ProbeSteps) {
    this.#sides = new Map(sides.map((side) => [side.physicalPartition, side]));
    this.#access = access;
    this.#seeks = seeksIn(access);
    this.#orders = this.#seeks.map(({ order }) => order);
    this.#used = used;
    this.#steps = steps;
    this.#probe = new AccessProbe(sides, access);
  }

  get isInUse(): boolean {
    return this.#isInUse;
  }

  get seeks(): number {
    return this.#probe.seeks;
  }

  /** What an item has is one more that is looked at. */
  get terms(): number {
    return this.#probe.terms + this.#looked;
  }

  /** A row that was loaded, as an index sees it. */
  note(document: Readonly<Record<string, unknown>>): void {
    if (this.#isInUse) return;
    this.#loaded++;
    const values = this.#orders.map((order) => indexedValuesAt(document, order));
    if (this.#isPassed(this.#access, values)) this.#passed++;
    this.#isInUse = this.#loaded >= this.#steps.loaded && this.#passed * loadedForOne < this.#loaded;
    if (this.#isInUse) this.#used.walked(this.#seeks);
  }

  /** Without those whose rows would be left out. */
  async pass(entries: readonly FoundEntry[]): Promise<readonly FoundEntry[] | CursorGone> {
    if (!this.#isProbed) {
      this.#isProbed = true;
      const known = await this.#probe.upTo(this.#steps.kept);
      if (known === 'gone') return known;
      this.#known = known;
    }
    const known = this.#known;
    if (known !== undefined) return entries.filter(({ rid }) => known.has(rid));
    return this.#lookUp(entries);
  }

  async #lookUp(entries: readonly FoundEntry[]): Promise<readonly FoundEntry[] | CursorGone> {
    const passed = new Set<FoundEntry>();
    for (const [physicalPartition, { index }] of this.#sides) {
      const of = entries.filter((entry) => entry.physicalPartition === physicalPartition);
      if (of.length === 0) continue;
      const noted = await index.noted(
        of.map(({ key }) => key),
        this.#orders,
      );
      if (noted === undefined) return 'gone';
      for (const [at, entry] of of.entries()) if (this.#isOf(entry, noted[at])) passed.add(entry);
    }
    this.#looked += entries.length;
    return entries.filter((entry) => passed.has(entry));
  }

  /** Another item under the same key has entries of its own. */
  #isOf({ rid }: FoundEntry, noted: RecordedValues | undefined): boolean {
    return noted?.rid === rid && this.#isPassed(this.#access, noted.values);
  }

  #isPassed(access: FilterAccess, values: RecordedValues['values']): boolean {
    switch (access.kind) {
      case 'seek':
        return (
          values[this.#seeks.indexOf(access)]?.some((value) => isInRanges(value, access.ranges)) === true
        );
      case 'all':
        return access.of.every((part) => this.#isPassed(part, values));
      case 'any':
        return access.of.some((part) => this.#isPassed(part, values));
    }
  }
}

function seeksIn(access: FilterAccess): readonly IndexSeek[] {
  return access.kind === 'seek' ? [access] : access.of.flatMap(seeksIn);
}
