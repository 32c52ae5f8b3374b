// The effective partition key (EPK): the ring position that Cosmos computes from a NoSQL partition key. Three forms.
// V1 (before May 2019, or no version given): a 32-bit hash as an encoded number, then the components themselves.
// V2: 16 bytes of a 128-bit hash. MultiHash (hierarchical keys): the V2 form of each component, one after another.
// Each form is the service's own, to the byte, for SDKs compute it too and route by it.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { type ByteString, byteStringFromHex, byteStringOf, hexOf } from '../foundation/byte-string.ts';
import { type JsonKeyComponent, markerOf } from './json-key-component.ts';
import { murmur3x64, murmur3x86 } from './murmur3.ts';
import { MAX_V1_STRING_UNITS } from './partition-limits.ts';
import { positionOfWords, type RingPosition, ringEnd, ringStart } from './ring-position.ts';
import { type RingRange, rangeOfPosition, ringRange, wholeRing } from './ring-range.ts';
import { encodeV1Component, encodeV1Number } from './v1-encoding.ts';

export type EpkKind = 'v1' | 'v2' | 'multi';

/** No components have the empty position. */
export function effectivePartitionKey(kind: EpkKind, components: readonly JsonKeyComponent[]): RingPosition {
  if (components.length === 0) return ringStart;
  if (kind === 'v2') return epkV2(components);
  if (kind === 'v1') return epkV1(components);
  return components.map((component) => epkV2([component])).join('') as RingPosition;
}

/**
 * Where on a hierarchical ring all keys with these leading components stand. With all components it is the range of
 * that one key, with none the whole ring.
 */
export function hierarchicalRange(levels: number, leading: readonly JsonKeyComponent[]): RingRange {
  if (leading.length === 0) return wholeRing;
  const position = effectivePartitionKey('multi', leading);
  if (leading.length >= levels) return rangeOfPosition(position);
  // Exact, because the hash of the next component never begins with a byte above 3F.
  return ringRange(position, `${position}\xff` as RingPosition);
}

/**
 * The components as bytes, each led by its type and ending by itself: different keys have different bytes, whatever
 * their hashes. It is also what V2 hashes.
 */
export function jsonPartitionKeyBytes(components: readonly JsonKeyComponent[]): ByteString {
  const length = writeComponents(components, STRING_END_V2);
  return byteStringOf(scratch.subarray(0, length));
}

/** As Cosmos writes boundaries: upper-case, FF for the end of the ring, whole parts of 16 bytes. */
export function epkBoundaryToHex(kind: EpkKind, boundary: RingPosition): string {
  if (boundary === ringEnd) return 'FF';
  const hex = hexOf(boundary);
  return kind === 'v1' ? hex : hex.padEnd(Math.ceil(hex.length / 32) * 32, '0');
}

/** A boundary as clients write it, in either case and with or without zeros at its end. */
export function epkBoundaryFromHex(hex: string): RingPosition {
  if (!/^([0-9A-F]{2})*$/i.test(hex)) {
    throw new RingfoldError('bad-partition-key', { reason: 'not hexadecimal', hex });
  }
  if (hex.toUpperCase() === 'FF') return ringEnd;
  return byteStringFromHex(hex) as RingPosition;
}

function epkV2(components: readonly JsonKeyComponent[]): RingPosition {
  const length = writeComponents(components, STRING_END_V2);
  const hash = murmur3x64(scratch, length);
  // The two top bits are cleared so that every key is below FF, the end of the ring.
  return positionOfWords(
    (hash[2] as number) & 0x3fffffff,
    hash[3] as number,
    hash[0] as number,
    hash[1] as number,
  );
}

function epkV1(components: readonly JsonKeyComponent[]): RingPosition {
  const kept = components.map((component) =>
    typeof component === 'string' ? component.slice(0, MAX_V1_STRING_UNITS) : component,
  );
  const length = writeComponents(kept, STRING_END_V1);
  const hash = murmur3x86(scratch, length);
  return (encodeV1Number(hash) + kept.map(encodeV1Component).join('')) as RingPosition;
}

const STRING_END_V1 = 0x00;
const STRING_END_V2 = 0xff;

// Keys are hashed one at a time on one thread; a larger buffer takes this one's place when a key needs it.
let scratch = Buffer.alloc(4096);

/** Writes what is hashed into `scratch` and returns its length. */
function writeComponents(components: readonly JsonKeyComponent[], stringEnd: number): number {
  let at = 0;
  for (const component of components) {
    // A UTF-16 unit takes at most three bytes of UTF-8; other components take at most nine.
    const needed = at + 16 + (typeof component === 'string' ? component.length * 3 : 0);
    if (needed > scratch.length) {
      const larger = Buffer.alloc(needed * 2);
      larger.set(scratch.subarray(0, at));
      scratch = larger;
    }
    if (typeof component === 'string') {
      scratch[at] = markerOf(component);
      at += 1 + scratch.write(component, at + 1, 'utf8');
      scratch[at++] = stringEnd;
    } else if (typeof component === 'number') {
      scratch[at] = markerOf(component);
      at = scratch.writeDoubleLE(component, at + 1);
    } else {
      scratch[at++] = markerOf(component);
    }
  }
  return at;
}
