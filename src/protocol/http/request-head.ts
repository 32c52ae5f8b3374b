// The head of a request of HTTP/1.1 (RFC 9112), read strictly: what two servers could understand differently is refused by this one, so
// that nothing can be hidden from it behind a proxy.

import { HttpRefusal } from './http-refusal.ts';

export interface RequestHead {
  readonly method: string;
  /** Path and query as the client wrote them, with percent-encoding for bytes that are not ASCII. */
  readonly url: string;
  /** Headers, by name in small letters. */
  readonly fields: ReadonlyMap<string, string>;
  /** 0 for none. */
  readonly bodyBytes: number | 'chunked';
  /** Whether the client wants its connection to carry another request. */
  readonly isKeptAlive: boolean;
  /** Whether the client waits for a word before it sends its body. */
  readonly isWaiting: boolean;
}

// The RFC wants no bytes beyond ASCII in a line, but the service takes them, and older Java SDKs send ids as they are.
const requestLine =
  /^([A-Z]+) (\/[\x21-\x7e\x80-\xff]*|\*|https?:\/\/[\w.:[\]-]+(?:[/?][\x21-\x7e\x80-\xff]*)?) HTTP\/1\.([01])$/;
/** As clients write it for a proxy, and some Java SDKs for everybody. */
const absoluteForm = /^https?:\/\/([^/?]+)\/?(.*)$/;
const beyondAscii = /[\x80-\xff]/g;
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const unfitInValue = /[^\t\x20-\x7e\x80-\xff]/;
const digits = /^\d{1,15}$/;
const maxFields = 2_000;
const lineFeed = 0x0a;
const space = 0x20;
const tab = 0x09;

/** Of these a second one is none; values of any other name are joined. */
const singles: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'if-modified-since',
  'if-unmodified-since',
  'user-agent',
]);
/** Whoever sends a second one of these may mean something else by it than we do. */
const onlyOnce: ReadonlySet<string> = new Set(['content-length', 'host', 'transfer-encoding']);

const ofFraming: readonly string[] = [...onlyOnce, 'connection'];

/** From the head's text without the empty line at its end; a character is a byte. Throws `HttpRefusal`. */
export function parseHead(text: string): RequestHead {
  const carriageReturn = text.indexOf('\r');
  const end = carriageReturn < 0 ? text.length : carriageReturn;
  const line = requestLine.exec(text.slice(0, end));
  if (line === null) throw malformed('this is no request line of HTTP/1.1');
  const [, method = '', target = '', minor] = line;
  const fields = parseFields(text, afterLine(text, end));
  if (minor === '1' && !fields.has('host')) throw malformed('the host header is missing');
  const [, authority, rest] = (target.startsWith('/') ? null : absoluteForm.exec(target)) ?? [];
  return {
    method,
    url: (authority === undefined ? target : `/${rest}`).replace(beyondAscii, percentEncoded),
    // The RFC: where both name a host, that of the line counts.
    fields: authority === undefined ? fields : new Map([...fields, ['host', authority]]),
    bodyBytes: bodyBytesOf(fields, minor === '1'),
    isKeptAlive: isKeptAlive(fields.get('connection'), minor === '1'),
    isWaiting: isWaiting(fields.get('expect'), minor === '1'),
  };
}

function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Headers that came behind a body in chunks. Nobody looks at them, but what is none, or would change what was read, is refused. */
export function checkTrailers(text: string, from: number): void {
  const fields = parseFields(text, from);
  for (const name of ofFraming)
    if (fields.has(name)) throw malformed(`the header ${name} comes behind the body`);
}

/** Of the lines that begin at that place. */
function parseFields(text: string, from: number): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let count = 0;
  for (let at = from; at < text.length; ) {
    const carriageReturn = text.indexOf('\r', at);
    const end = carriageReturn < 0 ? text.length : carriageReturn;
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon >= end) throw malformed('a header has no colon');
    const name = nameIn(text.slice(at, colon));
    const value = valueIn(text, colon + 1, end);
    // Blank, and yet some servers, Node's among them, refuse it behind a length.
    if (isBlank(text.charCodeAt(end - 1)) && onlyOnce.has(name) && text.slice(colon + 1, end).includes('\t'))
      throw malformed(`there is a tab in the header ${name}`);
    add(fields, name, value);
    count += 1;
    if (count > maxFields) throw new HttpRefusal(431, `more than ${maxFields} headers`);
    at = afterLine(text, end);
  }
  return fields;
}

function add(fields: Map<string, string>, name: string, value: string): void {
  const before = fields.get(name);
  if (before === undefined) fields.set(name, value);
  else if (onlyOnce.has(name)) throw malformed(`there are two headers ${name}`);
  else if (!singles.has(name)) fields.set(name, `${before}, ${value}`);
}

/** Where the next line begins. */
function afterLine(text: string, end: number): number {
  if (end < text.length && text.charCodeAt(end + 1) !== lineFeed) throw malformed('a line has no end');
  return end + 2;
}

/** Clients write few names, each in their own letters. */
const knownNames = new Map<string, string>();
const maxKnownNames = 1_000;
const longestKnownName = 64;

function nameIn(written: string): string {
  const known = knownNames.get(written);
  if (known !== undefined) return known;
  if (!token.test(written)) throw malformed('a header has no proper name');
  const name = written.toLowerCase();
  if (knownNames.size < maxKnownNames && written.length <= longestKnownName) knownNames.set(written, name);
  return name;
}

function valueIn(text: string, from: number, to: number): string {
  let begin = from;
  let end = to;
  while (begin < end && isBlank(text.charCodeAt(begin))) begin += 1;
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end -= 1;
  const value = text.slice(begin, end);
  if (unfitInValue.test(value)) throw malformed('a header has a value with control characters');
  return value;
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

function bodyBytesOf(fields: ReadonlyMap<string, string>, isCurrent: boolean): RequestHead['bodyBytes'] {
  const length = fields.get('content-length');
  const coding = fields.get('transfer-encoding');
  if (coding !== undefined) {
    if (length !== undefined) throw malformed('a body has a length or comes in chunks, not both');
    if (coding.toLowerCase() !== 'chunked' || !isCurrent)
      throw malformed('no transfer-encoding but chunked is served');
    return 'chunked';
  }
  if (length === undefined) return 0;
  if (!digits.test(length)) throw malformed('the content-length is no number');
  return Number(length);
}

function isKeptAlive(connection: string | undefined, isCurrent: boolean): boolean {
  if (connection === undefined) return isCurrent;
  // As nearly every request has it.
  if (connection === 'keep-alive') return true;
  const options = connection.split(',').map((option) => option.trim().toLowerCase());
  return !options.includes('close') && (isCurrent || options.includes('keep-alive'));
}

function isWaiting(expect: string | undefined, isCurrent: boolean): boolean {
  if (expect === undefined || !isCurrent) return false;
  if (expect.toLowerCase() !== '100-continue')
    throw new HttpRefusal(417, 'nothing but 100-continue can be expected');
  return true;
}

function malformed(reason: string): HttpRefusal {
  return new HttpRefusal(400, reason);
}
