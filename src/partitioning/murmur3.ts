// MurmurHash3 with seed 0, in the three forms the rings need. Every key of every request is hashed here, so 64-bit
// values are kept as two 32-bit halves. Measured on a key of 20 bytes: 0.13 µs, against 3.6 µs with BigInt.

/** The 32-bit x86 form, as an unsigned number: Cosmos' V1 partition keys. */
export function murmur3x86(bytes: Uint8Array, length: number = bytes.length): number {
  let hash = 0;
  const bodyLength = length & ~3;
  for (let at = 0; at < bodyLength; at += 4) {
    hash ^= scramble32(wordAt(bytes, at));
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  let tail = 0;
  for (let at = length - 1; at >= bodyLength; at--) tail = (tail << 8) | byteAt(bytes, at);
  hash ^= scramble32(tail) ^ length;

  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble32(word: number): number {
  const product = Math.imul(word, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}

/** The 128-bit hash as signed 32-bit words: h1 high, h1 low, h2 high, h2 low. Overwritten by the next hash. */
export type Hash128 = Int32Array & { readonly length: 4 };

const result = new Int32Array(4) as Hash128;

/** The 128-bit x64 form as published: Cosmos' V2 and hierarchical partition keys. */
export function murmur3x64(bytes: Uint8Array, length: number = bytes.length): Hash128 {
  return hash128(bytes, length, 0);
}

/**
 * Cassandra's form. It reads the last bytes, those beyond the last whole block of 16, as signed ones, and a negative byte
 * sign-extends over the bytes above it. Tokens depend on it, so it can never be mended.
 */
export function murmur3Cassandra(bytes: Uint8Array, length: number = bytes.length): Hash128 {
  return hash128(bytes, length, 24);
}

/** `tailSignShift` is 24 to read tail bytes as signed ones, 0 to leave them unsigned. */
function hash128(bytes: Uint8Array, length: number, tailSignShift: number): Hash128 {
  let h1High = 0;
  let h1Low = 0;
  let h2High = 0;
  let h2Low = 0;
  let low = 0;
  let high = 0;

  const bodyLength = length & ~15;
  for (let at = 0; at < bodyLength; at += 16) {
    // k1 *= C1; k1 = rotl(k1, 31); k1 *= C2; h1 ^= k1
    low = wordAt(bytes, at);
    high = productHigh(low, wordAt(bytes, at + 4), C1_HIGH, C1_LOW);
    low = Math.imul(low, C1_LOW);
    let rotatedHigh = (high << 31) | (low >>> 1);
    let rotatedLow = (low << 31) | (high >>> 1);
    h1High ^= productHigh(rotatedLow, rotatedHigh, C2_HIGH, C2_LOW);
    h1Low ^= Math.imul(rotatedLow, C2_LOW);

    // h1 = rotl(h1, 27) + h2; h1 = h1 * 5 + 0x52dce729
    rotatedHigh = (h1High << 27) | (h1Low >>> 5);
    rotatedLow = (h1Low << 27) | (h1High >>> 5);
    h1Low = (rotatedLow + h2Low) | 0;
    h1High = (rotatedHigh + h2High + carry(h1Low, rotatedLow)) | 0;
    high = productHigh(h1Low, h1High, 0, 5);
    low = Math.imul(h1Low, 5);
    h1Low = (low + 0x52dce729) | 0;
    h1High = (high + carry(h1Low, low)) | 0;

    // k2 *= C2; k2 = rotl(k2, 33); k2 *= C1; h2 ^= k2
    low = wordAt(bytes, at + 8);
    high = productHigh(low, wordAt(bytes, at + 12), C2_HIGH, C2_LOW);
    low = Math.imul(low, C2_LOW);
    rotatedHigh = (low << 1) | (high >>> 31);
    rotatedLow = (high << 1) | (low >>> 31);
    h2High ^= productHigh(rotatedLow, rotatedHigh, C1_HIGH, C1_LOW);
    h2Low ^= Math.imul(rotatedLow, C1_LOW);

    // h2 = rotl(h2, 31) + h1; h2 = h2 * 5 + 0x38495ab5
    rotatedHigh = (h2High << 31) | (h2Low >>> 1);
    rotatedLow = (h2Low << 31) | (h2High >>> 1);
    h2Low = (rotatedLow + h1Low) | 0;
    h2High = (rotatedHigh + h1High + carry(h2Low, rotatedLow)) | 0;
    high = productHigh(h2Low, h2High, 0, 5);
    low = Math.imul(h2Low, 5);
    h2Low = (low + 0x38495ab5) | 0;
    h2High = (high + carry(h2Low, low)) | 0;
  }

  if (length > bodyLength + 8) {
    low = 0;
    high = 0;
    for (let at = length - 1; at >= bodyLength + 8; at--) {
      const byte = (byteAt(bytes, at) << tailSignShift) >> tailSignShift;
      const shift = (at - bodyLength - 8) << 3;
      high ^= shift < 32 ? byte >> 31 : byte << shift;
      if (shift < 32) low ^= byte << shift;
    }
    high = productHigh(low, high, C2_HIGH, C2_LOW);
    low = Math.imul(low, C2_LOW);
    const rotatedHigh = (low << 1) | (high >>> 31);
    const rotatedLow = (high << 1) | (low >>> 31);
    h2High ^= productHigh(rotatedLow, rotatedHigh, C1_HIGH, C1_LOW);
    h2Low ^= Math.imul(rotatedLow, C1_LOW);
  }
  if (length > bodyLength) {
    low = 0;
    high = 0;
    for (let at = Math.min(length, bodyLength + 8) - 1; at >= bodyLength; at--) {
      const byte = (byteAt(bytes, at) << tailSignShift) >> tailSignShift;
      const shift = (at - bodyLength) << 3;
      high ^= shift < 32 ? byte >> 31 : byte << shift;
      if (shift < 32) low ^= byte << shift;
    }
    high = productHigh(low, high, C1_HIGH, C1_LOW);
    low = Math.imul(low, C1_LOW);
    const rotatedHigh = (high << 31) | (low >>> 1);
    const rotatedLow = (low << 31) | (high >>> 1);
    h1High ^= productHigh(rotatedLow, rotatedHigh, C2_HIGH, C2_LOW);
    h1Low ^= Math.imul(rotatedLow, C2_LOW);
  }

  h1Low ^= length;
  h2Low ^= length;
  low = (h1Low + h2Low) | 0;
  h1High = (h1High + h2High + carry(low, h1Low)) | 0;
  h1Low = low;
  low = (h2Low + h1Low) | 0;
  h2High = (h2High + h1High + carry(low, h2Low)) | 0;
  h2Low = low;

  // Both halves are mixed: x ^= x >>> 33; x *= M1; x ^= x >>> 33; x *= M2; x ^= x >>> 33
  h1Low ^= h1High >>> 1;
  h1High = productHigh(h1Low, h1High, M1_HIGH, M1_LOW);
  h1Low = Math.imul(h1Low, M1_LOW) ^ (h1High >>> 1);
  h1High = productHigh(h1Low, h1High, M2_HIGH, M2_LOW);
  h1Low = Math.imul(h1Low, M2_LOW) ^ (h1High >>> 1);

  h2Low ^= h2High >>> 1;
  h2High = productHigh(h2Low, h2High, M1_HIGH, M1_LOW);
  h2Low = Math.imul(h2Low, M1_LOW) ^ (h2High >>> 1);
  h2High = productHigh(h2Low, h2High, M2_HIGH, M2_LOW);
  h2Low = Math.imul(h2Low, M2_LOW) ^ (h2High >>> 1);

  low = (h1Low + h2Low) | 0;
  h1High = (h1High + h2High + carry(low, h1Low)) | 0;
  h1Low = low;
  low = (h2Low + h1Low) | 0;
  h2High = (h2High + h1High + carry(low, h2Low)) | 0;

  result[0] = h1High;
  result[1] = h1Low;
  result[2] = h2High;
  result[3] = low;
  return result;
}

const C1_HIGH = 0x87c37b91 | 0;
const C1_LOW = 0x114253d5;
const C2_HIGH = 0x4cf5ad43;
const C2_LOW = 0x2745937f;
const M1_HIGH = 0xff51afd7 | 0;
const M1_LOW = 0xed558ccd | 0;
const M2_HIGH = 0xc4ceb9fe | 0;
const M2_LOW = 0x1a85ec53;

/** Bits 32 to 63 of (aHigh, aLow) × (bHigh, bLow), by 16-bit limbs of the low halves. */
function productHigh(aLow: number, aHigh: number, bHigh: number, bLow: number): number {
  const aUpper = aLow >>> 16;
  const aLower = aLow & 0xffff;
  const bUpper = bLow >>> 16;
  const bLower = bLow & 0xffff;
  const first = Math.imul(aUpper, bLower) + (Math.imul(aLower, bLower) >>> 16);
  const second = Math.imul(aLower, bUpper) + (first & 0xffff);
  return (
    (Math.imul(aUpper, bUpper) +
      (first >>> 16) +
      (second >>> 16) +
      Math.imul(aLow, bHigh) +
      Math.imul(aHigh, bLow)) |
    0
  );
}

/** 1 if a 32-bit sum wrapped around, given the sum and one of its terms. */
function carry(sum: number, term: number): number {
  return sum >>> 0 < term >>> 0 ? 1 : 0;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    byteAt(bytes, at) |
    (byteAt(bytes, at + 1) << 8) |
    (byteAt(bytes, at + 2) << 16) |
    (byteAt(bytes, at + 3) << 24)
  );
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}
