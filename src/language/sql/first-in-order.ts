// Groups, or different values, in the order of their keys: the first ones behind a position, as many as are asked for and as memory
// allows. What comes later in the order is let go for good, so whatever is kept has met all of its rows.

import { createHash } from 'node:crypto';
import { mostKeptBytes, tooMuchKept } from './group.ts';
import { asNumbers, canonicalText, compareValues, type SqlValue } from './sql-value.ts';

export interface Placed<Content> {
  /** Where it stands in the order. */
  readonly keys: readonly SqlValue[];
  /** Undefined for a place at which nothing stands after all. */
  readonly content: Content | undefined;
}

interface Kept<Content> {
  keys: readonly SqlValue[];
  content: Content | undefined;
  readonly text: string;
  bytes: number;
}

/** What is cut back to. Twice as much may be there in between. */
const mostBytes = mostKeptBytes / 2;

export class FirstInOrder<Content> {
  readonly #isDescending: readonly boolean[];
  readonly #capacity: number;
  readonly #after: readonly SqlValue[] | undefined;
  readonly #kept = new Map<string, Kept<Content>>();
  /** By their texts, or digests of those, what has its first place before the position. */
  readonly #done = new Set<string>();
  #bytes = 0;
  #doneBytes = 0;
  /** The last one that has room. */
  #end: readonly SqlValue[] | undefined;
  #isTrimmed = false;

  /** The first keys of each may go downwards; those that nothing is said of go upwards. */
  constructor(isDescending: readonly boolean[], capacity: number, after: readonly SqlValue[] | undefined) {
    this.#isDescending = isDescending;
    this.#capacity = capacity;
    this.#after = after;
  }

  /** Whether something was let go that comes after all that is kept. */
  get isTrimmed(): boolean {
    return this.#isTrimmed;
  }

  /** What goes by that text, made where it is new; undefined where it has no room, or stands before the position. */
  find(text: string, keysOf: () => readonly SqlValue[], make: () => Content): Content | undefined {
    const known = this.#kept.get(text);
    if (known !== undefined) return known.content;
    const keys = keysOf();
    if (this.#after !== undefined && this.#compare(keys, this.#after) <= 0) return undefined;
    if (this.#end !== undefined && this.#compare(keys, this.#end) > 0) {
      this.#isTrimmed = true;
      return undefined;
    }
    const content = make();
    this.#kept.set(text, { keys, content, text, bytes: 0 });
    this.grow(text, text.length * 4 + 128);
    return content;
  }

  /**
   * Of what is met at several places and stands at the first of them. Where that one is not behind the position all the others count for
   * nothing, so what was met there is remembered; that is what such an order costs.
   */
  place(text: string, keys: readonly SqlValue[], content: Content, bytes: number): void {
    const name = this.#after === undefined ? text : shortened(text);
    if (this.#done.has(name)) return;
    const known = this.#kept.get(text);
    if (this.#after !== undefined && this.#compare(keys, this.#after) <= 0) {
      this.#done.add(name);
      this.#doneBytes += name.length + 64;
      if (this.#doneBytes > mostKeptBytes) throw tooMuchKept();
      if (known !== undefined) known.content = undefined;
    } else if (known !== undefined) {
      if (this.#compare(keys, known.keys) < 0) {
        known.keys = keys;
        known.content = content;
      }
    } else {
      const isNew =
        this.find(
          text,
          () => keys,
          () => content,
        ) !== undefined;
      if (isNew) this.grow(text, bytes);
    }
  }

  /** Says that what goes by that text, which has been found, takes so much more. */
  grow(text: string, bytes: number): void {
    const kept = this.#kept.get(text);
    if (kept === undefined) return;
    kept.bytes += bytes;
    this.#bytes += bytes;
    // Cut back now and then: sorting costs little when it is done once in as many as are kept.
    if (this.#kept.size >= 2 * this.#capacity + 64 || this.#bytes > 2 * mostBytes) this.#cutBack();
  }

  inOrder(): readonly Placed<Content>[] {
    this.#cutBack();
    return [...this.#kept.values()];
  }

  #cutBack(): void {
    const sorted = [...this.#kept.values()].sort((a, b) => this.#compare(a.keys, b.keys));
    this.#kept.clear();
    this.#bytes = 0;
    for (const one of sorted) {
      const isFull = this.#kept.size >= this.#capacity || this.#bytes + one.bytes > mostBytes;
      if (isFull && this.#kept.size > 0) {
        this.#isTrimmed = true;
        break;
      }
      this.#kept.set(one.text, one);
      this.#bytes += one.bytes;
    }
    if (this.#isTrimmed || this.#kept.size >= this.#capacity) this.#end = sorted[this.#kept.size - 1]?.keys;
    if (this.#bytes > 2 * mostBytes) throw tooMuchKept();
  }

  #compare(a: readonly SqlValue[], b: readonly SqlValue[]): number {
    const count = Math.max(a.length, b.length);
    for (let at = 0; at < count; at++) {
      const order = compareValues(a[at], b[at]);
      if (order !== 0) return this.#isDescending[at] === true ? -order : order;
    }
    return 0;
  }
}

/** A position is brought back in a header, so whatever is longer stands in the order by its digest, behind all others. */
const longestPlaced = 1_000;

/** Where values stand in an order in which no two that differ stand at one place; `text` is their canonical one. */
export function placeOfValues(values: readonly SqlValue[], text: string): readonly SqlValue[] {
  if (text.length <= longestPlaced) return [0, ...values.map(asNumbers)];
  return [1, createHash('sha256').update(text).digest('base64')];
}

const longestName = 44;

/** The text, or its digest, which no text of a value is. */
function shortened(text: string): string {
  if (text.length <= longestName) return text;
  return `#${createHash('sha256').update(text).digest('base64')}`;
}

/** The text that the values go by: the same for values that are the same. */
export function textOfValues(values: readonly SqlValue[]): string {
  const [only] = values;
  return values.length === 1 ? canonicalText(only) : canonicalText(values);
}
