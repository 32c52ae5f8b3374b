// Which of a fixed number of slots a text has. Every request asks, and most texts are new and take the slot of another: a Map would hash
// each of them whole, and be rebuilt after every few dozen that come and go.

export const NO_SLOT: number = -1;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Of its end, where texts that begin alike differ, and of its beginning, where keys have a ring position. */
const HASHED_CHARACTERS = 12;

export class TextSlots {
  readonly #texts: (string | undefined)[];
  /** By the low bits of a hash the first slot of its chain, by a slot the next one of the same chain. */
  readonly #first: Int16Array;
  readonly #next: Int16Array;
  readonly #hashes: Int32Array;

  constructor(count: number) {
    this.#texts = new Array(count).fill(undefined);
    this.#first = new Int16Array(2 ** Math.ceil(Math.log2(count * 4))).fill(NO_SLOT);
    this.#next = new Int16Array(count).fill(NO_SLOT);
    this.#hashes = new Int32Array(count);
  }

  /** `NO_SLOT` when it has none. */
  find(text: string): number {
    const hash = hashOf(text);
    let slot = this.#first[this.#bucketOf(hash)] as number;
    while (slot !== NO_SLOT && !(this.#hashes[slot] === hash && this.#texts[slot] === text))
      slot = this.#next[slot] as number;
    return slot;
  }

  /** Undefined while nobody has the slot. */
  textOf(slot: number): string | undefined {
    return this.#texts[slot];
  }

  /** To a text that has none; whoever had the slot has none then. */
  give(slot: number, text: string): void {
    if (this.#texts[slot] !== undefined) this.#takeAway(slot);
    const hash = hashOf(text);
    const bucket = this.#bucketOf(hash);
    this.#texts[slot] = text;
    this.#hashes[slot] = hash;
    this.#next[slot] = this.#first[bucket] as number;
    this.#first[bucket] = slot;
  }

  #takeAway(slot: number): void {
    const bucket = this.#bucketOf(this.#hashes[slot] as number);
    const next = this.#next[slot] as number;
    if (this.#first[bucket] === slot) {
      this.#first[bucket] = next;
      return;
    }
    let before = this.#first[bucket] as number;
    while (this.#next[before] !== slot) before = this.#next[before] as number;
    this.#next[before] = next;
  }

  #bucketOf(hash: number): number {
    return hash & (this.#first.length - 1);
  }
}

function hashOf(text: string): number {
  const { length } = text;
  const head = Math.min(length, HASHED_CHARACTERS);
  let hash = FNV_OFFSET ^ length;
  for (let at = 0; at < head; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  for (let at = Math.max(head, length - HASHED_CHARACTERS); at < length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash ^ (hash >>> 15);
}
