// How the ring is divided for the containers that share a database's throughput. In Cosmos they share physical partitions; here each has
// partitions of its own, cut at the same places, and a stretch is what these have in common: its share of the throughput. As a
// partition map, it is never edited: a split, a merge or other shares yield the next one.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import type { ThroughputPolicy } from './physical-partition.ts';

export interface SharedStretch {
  /** Never used twice in a database. */
  readonly id: number;
  /** Where it begins on the ring, 0 to 1. */
  readonly from: number;
  /** One after a split, two after a merge, none at first. */
  readonly parents: readonly number[];
  /** Of the database's throughput; all together are about 1. */
  readonly throughputFraction: number;
}

/** Plain data, as it is stored. */
export interface SharedStretchesFields {
  readonly nextId: number;
  readonly throughputPolicy: ThroughputPolicy;
  /** In ring order. */
  readonly list: readonly SharedStretch[];
}

/** Boundaries of containers are cut to whole positions, so a partition may begin a hair beside its stretch. */
const hair = 1e-6;
const countedWidths = 2 ** 40;
/** Far beyond what a million RU/s need, and far above a hair. */
const leastWidth = 2 ** -12;

export class SharedStretches implements SharedStretchesFields {
  readonly nextId: number;
  readonly throughputPolicy: ThroughputPolicy;
  readonly list: readonly SharedStretch[];

  private constructor({ nextId, throughputPolicy, list }: SharedStretchesFields) {
    this.nextId = nextId;
    this.throughputPolicy = throughputPolicy;
    this.list = Object.freeze([...list]);
    Object.freeze(this);
  }

  /** So many equal ones. */
  static initial(count: number): SharedStretches {
    const list = Array.from({ length: count }, (_, id) => ({
      id,
      from: id / count,
      parents: [],
      throughputFraction: 1 / count,
    }));
    return new SharedStretches({ nextId: count, throughputPolicy: 'equal', list });
  }

  /** Throws `corrupt-data` for what `toJSON` could not have written. */
  static fromJSON(json: unknown): SharedStretches {
    return new SharedStretches(checkedFields(json));
  }

  toJSON(): SharedStretchesFields {
    const { nextId, throughputPolicy, list } = this;
    return { nextId, throughputPolicy, list };
  }

  /** Whose budget a partition spends that begins at this place. */
  ownerOf(place: number): SharedStretch {
    const owner = this.list.findLast(({ from }) => from <= place + hair);
    assert(owner !== undefined, 'the first stretch begins where the ring does');
    return owner;
  }

  has(id: number): boolean {
    return this.list.some((stretch) => stretch.id === id);
  }

  /** Its part of the ring, 0 to 1. */
  widthOf(id: number): number {
    const index = this.#indexOf(id);
    const width = (this.list[index + 1]?.from ?? 1) - this.#at(index).from;
    // Thirds are all alike, the last one too.
    return Math.round(width * countedWidths) / countedWidths;
  }

  middleOf(id: number): number {
    return this.#at(this.#indexOf(id)).from + this.widthOf(id) / 2;
  }

  /** Whether they are as at first: all of one width. */
  get areOfOneWidth(): boolean {
    return this.list.every(({ from }, index) => from === index / this.list.length);
  }

  canSplit(id: number): boolean {
    return this.widthOf(id) >= 2 * leastWidth;
  }

  split(id: number): SharedStretches {
    if (!this.canSplit(id))
      throw new RingfoldError('split-refused', { stretch: id, reason: 'it is too narrow' });
    const index = this.#indexOf(id);
    const parent = this.#at(index);
    const child = { parents: [id], throughputFraction: parent.throughputFraction / 2 };
    const children = [
      { ...child, id: this.nextId, from: parent.from },
      { ...child, id: this.nextId + 1, from: this.middleOf(id) },
    ];
    return this.#replaced(index, 1, children);
  }

  /** Two neighbours become one. Partitions of containers may stay as they are: both begin in it. */
  merge(leftId: number, rightId: number): SharedStretches {
    const index = this.#indexOf(leftId);
    const [left, right] = [this.#at(index), this.#at(this.#indexOf(rightId))];
    if (this.list[index + 1] !== right)
      throw new RingfoldError('merge-refused', {
        stretches: [leftId, rightId],
        reason: 'the second does not begin where the first ends',
      });
    const child = {
      id: this.nextId,
      from: left.from,
      parents: [leftId, rightId],
      throughputFraction: left.throughputFraction + right.throughputFraction,
    };
    return this.#replaced(index, 2, [child]);
  }

  /** Shares by id, one for each stretch; the policy is custom from here on. */
  withThroughputFractions(fractions: ReadonlyMap<number, number>): SharedStretches {
    const list = this.list.map((stretch) => {
      const throughputFraction = fractions.get(stretch.id);
      assert(
        throughputFraction !== undefined && throughputFraction > 0,
        'each stretch has a share of throughput',
      );
      return { ...stretch, throughputFraction };
    });
    return new SharedStretches({ nextId: this.nextId, throughputPolicy: 'custom', list });
  }

  withEqualThroughput(): SharedStretches {
    return new SharedStretches({
      nextId: this.nextId,
      throughputPolicy: 'equal',
      list: withEqualFractions(this.list),
    });
  }

  #replaced(index: number, count: number, children: readonly SharedStretch[]): SharedStretches {
    const { throughputPolicy } = this;
    const list = this.list.toSpliced(index, count, ...children);
    return new SharedStretches({
      nextId: this.nextId + children.length,
      throughputPolicy,
      list: throughputPolicy === 'equal' ? withEqualFractions(list) : list,
    });
  }

  #indexOf(id: number): number {
    const index = this.list.findIndex((stretch) => stretch.id === id);
    if (index < 0) throw new RingfoldError('partition-not-found', { stretch: id });
    return index;
  }

  #at(index: number): SharedStretch {
    return this.list[index] as SharedStretch;
  }
}

/** Whether a partition of a container begins, or ends, where a stretch does. */
export function isSamePlace(place: number, other: number): boolean {
  return Math.abs(place - other) <= hair;
}

function withEqualFractions(list: readonly SharedStretch[]): readonly SharedStretch[] {
  return list.map((stretch) => ({ ...stretch, throughputFraction: 1 / list.length }));
}

/** A wrong share would let the containers of a database spend anything. */
function checkedFields(json: unknown): SharedStretchesFields {
  const { nextId, throughputPolicy, list } = fieldsOf<keyof SharedStretchesFields>(json);
  if (throughputPolicy !== 'equal' && throughputPolicy !== 'custom')
    throw corrupt('unknown throughput policy');
  if (!isCount(nextId)) throw corrupt('not a whole number');
  if (!Array.isArray(list) || list.length === 0) throw corrupt('no stretch');
  const stretches = list.map((stretch: unknown) => checkedStretch(stretch, nextId));
  let end = -1;
  for (const { from } of stretches) {
    if (from <= end || (end === -1 && from !== 0)) throw corrupt('stretches are not in order');
    end = from;
  }
  if (new Set(stretches.map(({ id }) => id)).size !== stretches.length) throw corrupt('an id is used twice');
  const sum = stretches.reduce((total, { throughputFraction }) => total + throughputFraction, 0);
  if (Math.abs(sum - 1) > hair) throw corrupt('shares do not add up to one');
  return { nextId, throughputPolicy, list: stretches };
}

function checkedStretch(json: unknown, nextId: number): SharedStretch {
  const { id, from, parents, throughputFraction } = fieldsOf<keyof SharedStretch>(json);
  if (!isCount(id) || id >= nextId) throw corrupt('an id was never given');
  if (typeof from !== 'number' || !(from >= 0 && from < 1)) throw corrupt('not a place on the ring');
  if (!Array.isArray(parents) || !parents.every(isCount)) throw corrupt('not a list of parents');
  if (typeof throughputFraction !== 'number' || !(throughputFraction > 0 && throughputFraction <= 1))
    throw corrupt('not a share of throughput');
  return { id, from, parents, throughputFraction };
}

/** Nothing is known of the fields yet. */
function fieldsOf<Name extends string>(json: unknown): { readonly [Field in Name]?: unknown } {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw corrupt('not an object');
  return json;
}

function isCount(json: unknown): json is number {
  return typeof json === 'number' && Number.isSafeInteger(json) && json >= 0;
}

function corrupt(reason: string): RingfoldError {
  return new RingfoldError('corrupt-data', { what: 'stretches of a shared database', reason });
}
