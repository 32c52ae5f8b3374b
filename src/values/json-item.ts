import { RingfoldError } from '../errors/ringfold-error.ts';

// A NoSQL item is stored as the user's own text. It is parsed to be checked and indexed, but never written out again
// from what was parsed: that would move integer-like keys to the front, round 9007199254740993, and lose "__proto__".
// So both functions here work on the UTF-8 bytes, and look at no more than the top level.

/** What the server says of an item. The texts are its own: ASCII with nothing that JSON would escape. */
export interface SystemProperties {
  readonly rid: string;
  readonly self: string;
  /** Without the quotes that are part of an ETag. */
  readonly etag: string;
  /** Seconds since 1970. */
  readonly ts: number;
}

/** Never stored from a request, since the server alone says them. */
const systemNames: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts']);

/** Whether only the server says it. */
export function isSystemProperty(name: string): boolean {
  return name.startsWith('_') && systemNames.has(name);
}

/** Whether the parsed text has something to strip; nearly none has, and to look for it here costs less than there. */
export function hasSystemProperties(item: Readonly<Record<string, unknown>>): boolean {
  for (const name of systemNames) if (Object.hasOwn(item, name)) return true;
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const underscore = 0x5f;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * The text without members that have a system property's name, however its letters are escaped and however often it
 * comes; the same buffer when there is none. The text has been checked to be a JSON object; where it is not one after
 * all this is a 'bad-request', or what is not looked at stays as it is.
 */
export function stripSystemProperties(text: Buffer): Buffer {
  // Start and end of each member that stays, in turn: almost always nothing is stripped, and these are forgotten.
  const kept: number[] = [];
  let strips = false;
  let at = skipSpace(text, expect(text, skipSpace(text, 0), openBrace));
  while (text[at] !== closeBrace) {
    const nameEnd = endOfString(text, at);
    const valueStart = skipSpace(text, expect(text, skipSpace(text, nameEnd), colon));
    const valueEnd = endOfValue(text, valueStart);
    if (isSystemName(text, at, nameEnd)) strips = true;
    else kept.push(at, valueEnd);
    at = skipSpace(text, valueEnd);
    if (text[at] === closeBrace) break;
    at = skipSpace(text, expect(text, at, comma));
    if (text[at] !== quote) throw notAnObject(at);
  }
  return strips ? joinMembers(text, kept) : text;
}

/** The text with the system properties as its last members. The text has none of its own (`stripSystemProperties`). */
export function spliceSystemProperties(text: Buffer, properties: SystemProperties): Buffer {
  const end = text.lastIndexOf(closeBrace);
  if (end < 0) throw notAnObject(0);
  const isEmpty = skipSpace(text, text.indexOf(openBrace) + 1) === end;
  const { rid, self, etag, ts } = properties;
  const members =
    `${isEmpty ? '' : ','}"_rid":"${rid}","_self":"${self}","_etag":"\\"${etag}\\"",` +
    `"_attachments":"attachments/","_ts":${ts}}`;
  const spliced = Buffer.allocUnsafe(end + members.length);
  spliced.set(text.subarray(0, end));
  spliced.write(members, end, 'latin1');
  return spliced;
}

function joinMembers(text: Buffer, kept: readonly number[]): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < kept.length; at += 2) {
    parts.push(Buffer.of(at === 0 ? openBrace : comma), text.subarray(kept[at], kept[at + 1]));
  }
  return Buffer.concat(parts.length === 0 ? [Buffer.from('{}')] : [...parts, Buffer.of(closeBrace)]);
}

/** `start` is at the opening quote, `end` after the closing one. */
function isSystemName(text: Buffer, start: number, end: number): boolean {
  const first = text[start + 1];
  // The names all begin with an underscore, or with its escape.
  if (first !== underscore && first !== backslash) return false;
  const quoted = text.toString('utf8', start, end);
  return systemNames.has(quoted.includes('\\') ? unescapedName(quoted) : quoted.slice(1, -1));
}

function unescapedName(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch (error) {
    throw new RingfoldError('bad-request', { reason: 'a property name is not JSON' }, error);
  }
}

/** The place after the closing quote. */
function endOfString(text: Buffer, start: number): number {
  let at = expect(text, start, quote);
  for (; at < text.length; at++) {
    if (text[at] === quote) return at + 1;
    if (text[at] === backslash) at++;
  }
  throw notAnObject(start);
}

/** The place after a value: a string, something nested to any depth, or a number or word up to what ends it. */
function endOfValue(text: Buffer, start: number): number {
  if (text[start] === quote) return endOfString(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text[at]) {
      case quote:
        at = endOfString(text, at) - 1;
        break;
      case openBrace:
      case openBracket:
        depth++;
        break;
      case closeBrace:
      case closeBracket:
        if (depth === 0) return at;
        depth--;
        if (depth === 0) return at + 1;
        break;
      case comma:
        if (depth === 0) return at;
        break;
    }
  }
  throw notAnObject(start);
}

function skipSpace(text: Buffer, start: number): number {
  let at = start;
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at++;
  return at;
}

function expect(text: Buffer, at: number, byte: number): number {
  if (text[at] !== byte) throw notAnObject(at);
  return at + 1;
}

function notAnObject(position: number): RingfoldError {
  return new RingfoldError('bad-request', { reason: 'the item is not a JSON object', position });
}
