// Blowfish with the key schedule of bcrypt (Provos and Mazières, 1999). Its tables are the binary digits of pi after the point.

const subkeyCount = 18;
const boxCount = 4;
const boxSize = 256;
const wordBits = 32;

export class Blowfish {
  readonly #subkeys: Int32Array;
  readonly #boxes: Int32Array;
  #left = 0;
  #right = 0;

  constructor(key: Buffer, salt: Buffer) {
    tables ??= digitsOfPi(subkeyCount + boxCount * boxSize);
    this.#subkeys = tables.slice(0, subkeyCount);
    this.#boxes = tables.slice(subkeyCount);
    this.#mix(key);
    this.#refill(wordsOf(salt));
  }

  /** The tables depend on this key too from now on. */
  workIn(key: Buffer): void {
    this.#mix(key);
    this.#refill(noWords);
  }

  /** Eight bytes, in place. */
  encipherTimes(bytes: Buffer, at: number, times: number): void {
    this.#left = bytes.readInt32BE(at);
    this.#right = bytes.readInt32BE(at + 4);
    for (let time = 0; time < times; time++) this.#encipher();
    bytes.writeInt32BE(this.#left, at);
    bytes.writeInt32BE(this.#right, at + 4);
  }

  #mix(key: Buffer): void {
    let from = 0;
    for (let at = 0; at < subkeyCount; at++) {
      let word = 0;
      for (let byte = 0; byte < 4; byte++) {
        word = (word << 8) | (key[from] ?? 0);
        from = (from + 1) % key.length;
      }
      this.#subkeys[at] = (this.#subkeys[at] ?? 0) ^ word;
    }
  }

  /** Each pair of words is the last one enciphered, with the next of these words mixed in. */
  #refill(words: Int32Array): void {
    this.#left = 0;
    this.#right = 0;
    const from = this.#refillTable(this.#subkeys, words, 0);
    this.#refillTable(this.#boxes, words, from);
  }

  #refillTable(table: Int32Array, words: Int32Array, from: number): number {
    let next = from;
    for (let at = 0; at < table.length; at += 2) {
      if (words.length > 0) {
        this.#left ^= words[next % words.length] ?? 0;
        this.#right ^= words[(next + 1) % words.length] ?? 0;
        next += 2;
      }
      this.#encipher();
      table[at] = this.#left;
      table[at + 1] = this.#right;
    }
    return next;
  }

  #encipher(): void {
    const subkeys = this.#subkeys;
    const boxes = this.#boxes;
    let left = this.#left ^ (subkeys[0] ?? 0);
    let right = this.#right;
    for (let round = 1; round <= 16; round += 2) {
      right ^= scrambled(boxes, left) ^ (subkeys[round] ?? 0);
      left ^= scrambled(boxes, right) ^ (subkeys[round + 1] ?? 0);
    }
    this.#left = right ^ (subkeys[17] ?? 0);
    this.#right = left;
  }
}

function scrambled(boxes: Int32Array, word: number): number {
  const sum = ((boxes[word >>> 24] ?? 0) + (boxes[boxSize + ((word >>> 16) & 255)] ?? 0)) | 0;
  const mixed = sum ^ (boxes[2 * boxSize + ((word >>> 8) & 255)] ?? 0);
  return (mixed + (boxes[3 * boxSize + (word & 255)] ?? 0)) | 0;
}

function wordsOf(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32BE(at * 4));
}

const noWords = new Int32Array(0);
/** Made when the first is needed: few servers ever do. */
let tables: Int32Array | undefined;

/** By Machin's formula: pi = 16 arctan(1/5) - 4 arctan(1/239). */
function digitsOfPi(words: number): Int32Array {
  const guardBits = 64;
  const one = 1n << BigInt(words * wordBits + guardBits);
  const pi = 16n * arctanOfInverse(5n, one) - 4n * arctanOfInverse(239n, one);
  const fraction = (pi - 3n * one) >> BigInt(guardBits);
  const hex = fraction.toString(16).padStart(words * 8, '0');
  return Int32Array.from(
    { length: words },
    (_, at) => Number.parseInt(hex.slice(at * 8, at * 8 + 8), 16) | 0,
  );
}

function arctanOfInverse(x: bigint, one: bigint): bigint {
  const square = x * x;
  let power = one / x;
  let sum = power;
  for (let odd = 3n, sign = -1n; power !== 0n; odd += 2n, sign = -sign) {
    power /= square;
    sum += (sign * power) / odd;
  }
  return sum;
}
