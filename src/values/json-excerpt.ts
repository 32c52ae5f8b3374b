// Reads a few paths out of the text of an object, and passes over the rest without making anything of it. What it gives for a path is
// what reading the whole text would give: of a name that comes twice the last counts, and names may be spelt with escapes. The text is known
// to be JSON.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { hasLongInteger, parseExactJson } from './exact-json.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const space = 0x20;

/** Most strings end sooner than native code could be asked. */
const askedAfter = 24;
/** Whatever has no more is exact, and fits into the arithmetic of numbers. */
const mostPlainDigits = 15;

/** Behind the last that was found, a text with more than this for each member is asked whether it has their names at all. */
const leastRestBytes = 200;
/** With more members, all of the text is read. */
const mostBits = 30;

interface Member {
  readonly name: string;
  readonly bytes: Buffer;
  /** How the name ends in the text, if it is there again. */
  readonly ending: Buffer;
  /** One of its own among the others. */
  readonly bit: number;
  /** What is wanted of the value; undefined for all of it. */
  readonly inside: readonly Member[] | undefined;
}

export class JsonExcerpt {
  readonly #members: readonly Member[];
  /** Behind what was read last. */
  #end = 0;
  #hasLongIntegers = false;
  /** Of all members; 0 where they are too many. */
  readonly #allBits: number;

  /** One path has at least one name, and none of them is `__proto__`. */
  constructor(paths: readonly (readonly string[])[]) {
    this.#members = membersOf(paths);
    const { length } = this.#members;
    this.#allBits = length > mostBits ? 0 : 2 ** length - 1;
  }

  /** Whether integers beyond 2^53 were among what was read so far; they are bigints. */
  get hasLongIntegers(): boolean {
    return this.#hasLongIntegers;
  }

  /** An object with what was found under the paths. What stands above them is there if it is in the text, whatever it is. */
  read(text: Buffer): object {
    if (this.#members.length === 0) return {};
    let start = 0;
    while (text[start] !== openBrace) if (++start > text.length) throw notJson();
    return this.#object(text, start, this.#members, this.#allBits);
  }

  /** Where `enough` of its members were found, the rest of the text may be passed over. */
  #object(text: Buffer, start: number, members: readonly Member[], enough: number): object {
    const object: Record<string, unknown> = {};
    let at = start + 1;
    let found = 0;
    for (;;) {
      // Over spaces and commas.
      while (text[at] !== quote && text[at] !== closeBrace) if (++at > text.length) throw notJson();
      if (text[at] === closeBrace) break;
      const nameAt = ++at;
      let isEscaped = false;
      while (text[at] !== quote) {
        if (text[at] === backslash) {
          isEscaped = true;
          at++;
        }
        if (++at > text.length) throw notJson();
      }
      const member = isEscaped
        ? memberSpelt(members, text, nameAt, at)
        : memberNamed(members, text, nameAt, at);
      // A colon, with or without spaces.
      at += 2;
      while ((text[at] as number) <= space || text[at] === colon) at++;
      if (member === undefined) {
        at = endOfValue(text, at);
        continue;
      }
      const { name, inside, bit } = member;
      if (inside === undefined) {
        const end = endOfValue(text, at);
        object[name] = this.#value(text, at, end);
        at = end;
      } else if (text[at] === openBrace) {
        object[name] = this.#object(text, at, inside, 0);
        at = this.#end;
      } else {
        object[name] = null;
        at = endOfValue(text, at);
      }
      if ((found | bit) === found) continue;
      found |= bit;
      if (found === enough && isWithoutNames(text, at, members)) return object;
    }
    this.#end = at + 1;
    return object;
  }

  #value(text: Buffer, start: number, end: number): unknown {
    switch (text[start]) {
      case quote:
        return stringOf(text, start, end);
      case 0x74:
        return true;
      case 0x66:
        return false;
      case 0x6e:
        return null;
      default:
        return plainInteger(text, start, end) ?? this.#parsed(text.subarray(start, end));
    }
  }

  #parsed(part: Buffer): unknown {
    if (!hasLongInteger(part)) return JSON.parse(part.toString());
    this.#hasLongIntegers = true;
    return parseExactJson(part.toString());
  }
}

/** Whether the rest of a long text has none of the names; a last one would count. With escapes they may be spelt in other ways. */
function isWithoutNames(text: Buffer, from: number, members: readonly Member[]): boolean {
  if (text.length - from < leastRestBytes * members.length || text.indexOf(backslash, from) >= 0)
    return false;
  for (const { ending } of members) if (text.indexOf(ending, from) >= 0) return false;
  return true;
}

function memberNamed(
  members: readonly Member[],
  text: Buffer,
  start: number,
  end: number,
): Member | undefined {
  const length = end - start;
  for (const member of members) {
    const { bytes } = member;
    if (bytes.length !== length) continue;
    let at = 0;
    while (at < length && bytes[at] === text[start + at]) at++;
    if (at === length) return member;
  }
  return undefined;
}

function memberSpelt(
  members: readonly Member[],
  text: Buffer,
  start: number,
  end: number,
): Member | undefined {
  const name = JSON.parse(text.toString('utf8', start - 1, end + 1)) as string;
  return members.find((member) => member.name === name);
}

/** Behind the quote that ends the string in which the place is. */
function endOfString(text: Buffer, start: number): number {
  const askedAt = start + askedAfter;
  let at = start;
  do {
    const byte = text[at++];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  } while (at < askedAt);
  const from = at;
  for (;;) {
    at = text.indexOf(quote, at);
    if (at < 0) throw notJson();
    let slashes = 0;
    while (text[at - 1 - slashes] === backslash && at - 1 - slashes >= from) slashes++;
    at++;
    if (slashes % 2 === 0) return at;
  }
}

function endOfValue(text: Buffer, start: number): number {
  const first = text[start];
  if (first === quote) return endOfString(text, start + 1);
  if (first === openBrace || first === openBracket) return endOfNested(text, start);
  for (let at = start; ; at++) {
    const byte = text[at];
    if (byte === comma || byte === closeBrace || byte === closeBracket || byte === undefined || byte <= space)
      return at;
  }
}

function endOfNested(text: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; ; ) {
    const byte = text[at++];
    if (byte === quote) at = endOfString(text, at);
    else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      if (--depth === 0) return at;
    } else if (byte === undefined) throw notJson();
  }
}

/** Undefined for whatever else it is. */
function plainInteger(text: Buffer, start: number, end: number): number | undefined {
  const isNegative = text[start] === minus;
  let at = isNegative ? start + 1 : start;
  if (end - at > mostPlainDigits) return undefined;
  let number = 0;
  for (; at < end; at++) {
    const byte = text[at] as number;
    if (byte < zero || byte > nine) return undefined;
    number = number * 10 + (byte - zero);
  }
  return isNegative ? -number : number;
}

/** It was JSON when it was stored. */
function notJson(): RingfoldError {
  return new RingfoldError('corrupt-data', { reason: 'an item is not JSON' });
}

/** With its quotes. */
function stringOf(text: Buffer, start: number, end: number): string {
  if (end - start <= askedAfter && isPlainAscii(text, start, end))
    return text.toString('latin1', start + 1, end - 1);
  const slash = text.indexOf(backslash, start);
  return slash < 0 || slash >= end
    ? text.toString('utf8', start + 1, end - 1)
    : (JSON.parse(text.toString('utf8', start, end)) as string);
}

/** What needs no care is made a string twice as fast. */
function isPlainAscii(text: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = text[at] as number;
    if (byte >= 0x80 || byte === backslash) return false;
  }
  return true;
}

/** Of paths of which one leads on from another, the shorter. */
function membersOf(paths: readonly (readonly string[])[]): readonly Member[] {
  const byName = new Map<string, (readonly string[])[]>();
  for (const [name, ...rest] of paths) {
    if (name === undefined) continue;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [rest]);
    else known.push(rest);
  }
  return [...byName].map(([name, rests], place) => ({
    name,
    bytes: Buffer.from(name),
    ending: Buffer.from(`${name}"`),
    bit: place < mostBits ? 2 ** place : 0,
    inside: rests.some((rest) => rest.length === 0) ? undefined : membersOf(rests),
  }));
}
