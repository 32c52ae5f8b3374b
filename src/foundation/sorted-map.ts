import type { ByteString } from './byte-string.ts';

// A map from byte strings in key order. A plain Map answers look-ups; order is kept beside it in chunks of at most
// 256 entries, so that an insertion moves one short array and never the whole. Snapshots are free to take: what is
// written afterwards copies the chunk it touches, once, and leaves the old one to the snapshot.

/** A chunk longer than this is cut in two. Measured with 100,000 keys: 128, 256 and 512 are within a fifth. */
const chunkLimit = 256;

export interface SortedEntry<V> {
  readonly key: ByteString;
  readonly value: V;
}

/** Entries in key order, seen at one moment or, for the map itself, now. */
export interface SortedEntries<V> {
  readonly size: number;
  get(key: ByteString): V | undefined;
  /** From `from` (included) to `to` (excluded; no end when undefined), or that range backwards. */
  cursor(from: ByteString, to: ByteString | undefined, reverse?: boolean): SortedCursor<V>;
}

export class SortedMap<V> implements SortedEntries<V> {
  readonly #live = new Map<ByteString, OwnedEntry<V>>();
  #chunks: ChunkList<V> = emptyList(0);
  /** Raised by each snapshot. What carries the present number is in no snapshot and may be changed in place. */
  #moment = 0;

  get size(): number {
    return this.#live.size;
  }

  get(key: ByteString): V | undefined {
    // Most memtables that are asked are empty, and a look-up would first hash the key.
    return this.#live.size === 0 ? undefined : this.#live.get(key)?.value;
  }

  has(key: ByteString): boolean {
    return this.#live.has(key);
  }

  set(key: ByteString, value: V): void {
    const known = this.#live.get(key);
    if (known !== undefined && known.moment === this.#moment) {
      known.value = value;
      return;
    }
    const entry = { key, value, moment: this.#moment };
    this.#live.set(key, entry);
    const list = this.#ownList();
    const place = chunkOf(list, key);
    const { keys, entries } = this.#ownChunk(list, place);
    const index = firstNotBelow(keys, key);
    if (known !== undefined) entries[index] = entry;
    else {
      keys.splice(index, 0, key);
      entries.splice(index, 0, entry);
      if (keys.length > chunkLimit) this.#cut(list, place);
    }
  }

  /** True when the key was there. */
  delete(key: ByteString): boolean {
    if (!this.#live.delete(key)) return false;
    const list = this.#ownList();
    const place = chunkOf(list, key);
    const { keys, entries } = this.#ownChunk(list, place);
    const index = firstNotBelow(keys, key);
    keys.splice(index, 1);
    entries.splice(index, 1);
    // The chunk before takes over the stretch; the first chunk stays, since it has nobody before it.
    if (keys.length === 0 && place > 0) {
      list.starts.splice(place, 1);
      list.chunks.splice(place, 1);
    }
    return true;
  }

  clear(): void {
    this.#live.clear();
    this.#chunks = emptyList(this.#moment);
  }

  /** The entry with the greatest key that is not above this one. */
  floor(key: ByteString): SortedEntry<V> | undefined {
    const list = this.#chunks;
    const place = chunkOf(list, key);
    const { keys, entries } = at(list.chunks, place);
    const index = firstNotBelow(keys, key);
    if (keys[index] === key) return entries[index];
    if (index > 0) return entries[index - 1];
    // Only the first chunk may be empty, so the chunk before, if there is one, ends with the entry.
    return place === 0 ? undefined : list.chunks[place - 1]?.entries.at(-1);
  }

  /** The map must not change while the cursor is in use: take a snapshot for that. */
  cursor(from: ByteString, to: ByteString | undefined, reverse = false): SortedCursor<V> {
    return new SortedCursor(this.#chunks, from, to, reverse);
  }

  /** The entries as they are now, whatever is written later. Costs nothing to take and needs no closing. */
  snapshot(): SortedEntries<V> {
    this.#moment++;
    return new SortedSnapshot(this.#chunks, this.#live.size);
  }

  #ownList(): ChunkList<V> {
    const { moment, starts, chunks } = this.#chunks;
    if (moment !== this.#moment) {
      this.#chunks = { moment: this.#moment, starts: starts.slice(), chunks: chunks.slice() };
    }
    return this.#chunks;
  }

  #ownChunk(list: ChunkList<V>, place: number): Chunk<V> {
    const chunk = at(list.chunks, place);
    if (chunk.moment === this.#moment) return chunk;
    const copy = { moment: this.#moment, keys: chunk.keys.slice(), entries: chunk.entries.slice() };
    list.chunks[place] = copy;
    return copy;
  }

  #cut(list: ChunkList<V>, place: number): void {
    const lower = at(list.chunks, place);
    const half = lower.keys.length >>> 1;
    const upper = {
      moment: this.#moment,
      keys: lower.keys.splice(half),
      entries: lower.entries.splice(half),
    };
    list.starts.splice(place + 1, 0, at(upper.keys, 0));
    list.chunks.splice(place + 1, 0, upper);
  }
}

/** Walks entries one by one. An entry from a snapshot never changes; one from the map itself shows later writes. */
export class SortedCursor<V> {
  readonly #list: ChunkList<V>;
  readonly #reverse: boolean;
  readonly #bound: ByteString | undefined;
  #place: number;
  #at: number;

  constructor(list: ChunkList<V>, from: ByteString, to: ByteString | undefined, reverse: boolean) {
    this.#list = list;
    this.#reverse = reverse;
    if (!reverse) {
      this.#bound = to;
      this.#place = chunkOf(list, from);
      this.#at = firstNotBelow(at(list.chunks, this.#place).keys, from);
    } else {
      this.#bound = from;
      this.#place = to === undefined ? list.chunks.length - 1 : chunkOf(list, to);
      const { keys } = at(list.chunks, this.#place);
      this.#at = (to === undefined ? keys.length : firstNotBelow(keys, to)) - 1;
    }
  }

  /** Undefined at the end, and ever after. */
  next(): SortedEntry<V> | undefined {
    return this.#reverse ? this.#nextDown() : this.#nextUp();
  }

  #nextUp(): SortedEntry<V> | undefined {
    for (;;) {
      const entry = this.#list.chunks[this.#place]?.entries[this.#at];
      if (entry !== undefined) {
        if (this.#bound !== undefined && entry.key >= this.#bound) return undefined;
        this.#at++;
        return entry;
      }
      if (this.#place >= this.#list.chunks.length - 1) return undefined;
      this.#place++;
      this.#at = 0;
    }
  }

  #nextDown(): SortedEntry<V> | undefined {
    for (;;) {
      if (this.#at >= 0) {
        const entry = this.#list.chunks[this.#place]?.entries[this.#at];
        if (entry === undefined || (this.#bound !== undefined && entry.key < this.#bound)) return undefined;
        this.#at--;
        return entry;
      }
      if (this.#place === 0) return undefined;
      this.#place--;
      this.#at = at(this.#list.chunks, this.#place).entries.length - 1;
    }
  }
}

class SortedSnapshot<V> implements SortedEntries<V> {
  readonly size: number;
  readonly #list: ChunkList<V>;

  constructor(list: ChunkList<V>, size: number) {
    this.#list = list;
    this.size = size;
  }

  get(key: ByteString): V | undefined {
    const { keys, entries } = at(this.#list.chunks, chunkOf(this.#list, key));
    const entry = entries[firstNotBelow(keys, key)];
    return entry?.key === key ? entry.value : undefined;
  }

  cursor(from: ByteString, to: ByteString | undefined, reverse = false): SortedCursor<V> {
    return new SortedCursor(this.#list, from, to, reverse);
  }
}

interface OwnedEntry<V> {
  readonly key: ByteString;
  value: V;
  readonly moment: number;
}

interface Chunk<V> {
  readonly moment: number;
  readonly keys: ByteString[];
  readonly entries: OwnedEntry<V>[];
}

/** Chunk i holds the keys from `starts[i]` up to `starts[i + 1]`; the first start is below every key. */
interface ChunkList<V> {
  readonly moment: number;
  readonly starts: ByteString[];
  readonly chunks: Chunk<V>[];
}

function emptyList<V>(moment: number): ChunkList<V> {
  return { moment, starts: ['' as ByteString], chunks: [{ moment, keys: [], entries: [] }] };
}

function chunkOf<V>(list: ChunkList<V>, key: ByteString): number {
  const { starts } = list;
  let low = 1;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(starts, middle) <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function firstNotBelow(keys: readonly ByteString[], key: ByteString): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(keys, middle) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** For places that are within the array by construction, which the compiler cannot see. */
function at<T>(array: readonly T[], index: number): T {
  return array[index] as T;
}
