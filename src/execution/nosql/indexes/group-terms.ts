// The terms of the items of a group, each once, and who has it.

import type { ByteString } from '../../../foundation/byte-string.ts';
import { timeOrder } from './index-paths.ts';
import type { TermList } from './term-list.ts';

/** The bytes are shared with other terms. */
export interface GroupTerm {
  readonly order: ByteString;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  members: number;
  /** Known when the group is whole. */
  isShared: boolean;
}

export function lengthOf({ start, end }: GroupTerm): number {
  return end - start;
}

const usualBytes = 8 * 1_024;

export class GroupTerms {
  readonly all: GroupTerm[] = [];
  readonly #byText = new Map<ByteString, GroupTerm>();
  #last: readonly GroupTerm[] = [];
  #room: Buffer = Buffer.allocUnsafe(0);
  #used = 0;

  /** Of an item with those terms, which is the member of that bit. The list may be used again. */
  of(list: TermList, bit: number): readonly GroupTerm[] {
    const before = this.#last;
    const terms: GroupTerm[] = [];
    for (let index = 0; index < list.length; index++) {
      const term = this.#termOf(list, index, before[index]);
      term.members |= bit;
      terms.push(term);
    }
    this.#last = terms;
    return terms;
  }

  /** Items look like the one before them, mostly; what does not stand at the same place is looked for. */
  #termOf(list: TermList, index: number, before: GroupTerm | undefined): GroupTerm {
    // Another with every version of the item, which would have to give it up with the first.
    if (list.orderOf(index) === timeOrder) return this.#made(list, index);
    if (before !== undefined && list.isSame(index, before.bytes, before.start, lengthOf(before)))
      return before;
    const text = list.textOf(index);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const term = this.#made(list, index);
    this.#byText.set(text, term);
    return term;
  }

  #made(list: TermList, index: number): GroupTerm {
    const length = list.lengthOf(index);
    if (this.#used + length > this.#room.length) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(usualBytes, length));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    list.copyTerm(index, this.#room, start);
    const order = list.orderOf(index);
    const term = { order, bytes: this.#room, start, end: this.#used, members: 0, isShared: false };
    this.all.push(term);
    return term;
  }
}
