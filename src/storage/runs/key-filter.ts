// Which keys a block may hold, in sixteen bits a key: a Bloom filter. A look-up that passes over the blocks whose filter says no reads a
// block in vain a few times in a thousand. It asks twenty runs and more, and a new row is in none of them: with ten bits, one in a
// hundred for each run, every sixth write of a new row read a block in vain. A filter also knows the ring positions of its keys, so that a scan within one logical
// partition passes over the runs that have nothing of it.

import type { ByteString } from '../../foundation/byte-string.ts';
import { positionEnd } from '../../partitioning/logical-partition.ts';

const bitsPerKey = 16;
/**
 * Of few keys. The probes of one key come in equal steps, and in a filter of few bits, or of a power of two, meet one another: with blocks of three rows
 * one look-up in fifteen that asked twenty runs read some block in vain, now it is one in two hundred.
 */
const leastBytes = 31;
/** The best number for sixteen bits a key would be eleven; six let through twice as many, which are few, and cost less. */
const probes = 6;

export function keyHash(bytes: Buffer, start: number, end: number): number {
  return mixed(fnv(seed, bytes, start, end));
}

/** The same of a key that is a string. */
export function keyHashOf(key: ByteString): number {
  let hash = seed;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), prime);
  return mixed(hash);
}

/** Of the ring position a key begins with; of all of a key that is shorter. */
export function positionHash(bytes: Buffer, start: number, end: number): number {
  return mixed(fnv(seed, bytes, start, Math.min(end, start + positionEnd)));
}

/** Takes the hashes of keys that come in order; a ring position is noted once for all of its keys. */
export class FilterBuilder {
  readonly #hashes: number[] = [];
  #position = -1;

  add(bytes: Buffer, start: number, end: number): void {
    const middle = Math.min(end, start + positionEnd);
    // The position's hash is taken on the way to the key's.
    const state = fnv(seed, bytes, start, middle);
    const position = mixed(state);
    if (position !== this.#position) this.#hashes.push(position);
    this.#position = position;
    this.#hashes.push(mixed(fnv(state, bytes, middle, end)));
  }

  finish(): Buffer {
    const filter = Buffer.alloc(Math.max(leastBytes, Math.ceil((this.#hashes.length * bitsPerKey) / 8)));
    const bits = filter.length * 8;
    for (const hash of this.#hashes) {
      let probe = hash;
      const step = stepOf(hash);
      for (let left = probes; left > 0; left--) {
        const bit = probe % bits;
        filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
        probe = (probe + step) >>> 0;
      }
    }
    return filter;
  }
}

const seed = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a. */
function fnv(state: number, bytes: Buffer, start: number, end: number): number {
  let hash = state;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), prime);
  return hash;
}

/** The low bits of FNV-1a alone are poor. */
function mixed(state: number): number {
  const hash = Math.imul(state ^ (state >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** False: certainly not. True: probably. The filter stands in `bytes` from `start` to `end`. */
export function mayHold(bytes: Buffer, start: number, end: number, hash: number): boolean {
  const bits = (end - start) * 8;
  let probe = hash;
  const step = stepOf(hash);
  for (let left = probes; left > 0; left--) {
    const bit = probe % bits;
    if (((bytes[start + (bit >>> 3)] as number) & (1 << (bit & 7))) === 0) return false;
    probe = (probe + step) >>> 0;
  }
  return true;
}

/** The second of two hashes from which all probes are made. */
function stepOf(hash: number): number {
  return ((hash >>> 17) | (hash << 15)) >>> 0;
}
