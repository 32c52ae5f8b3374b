// JSON whose integers within 64 bits keep their digits: those beyond 2^53 are read as bigint, and written as they were.

/** Whether an integer beyond 2^53 stands in the text. Looks at every sixteenth byte, and round those that are digits. */
export function hasLongInteger(text: Buffer): boolean {
  for (let at = 0; at < text.length; at += fewestDigits) {
    if (!isDigit(text[at])) continue;
    let start = at;
    while (isDigit(text[start - 1])) start--;
    let end = at + 1;
    while (isDigit(text[end])) end++;
    // Most of sixteen digits are moments in microseconds, and are exact.
    const isExact = end - start === fewestDigits && text[start] !== 0x39;
    if (end - start >= fewestDigits && !isExact && isLongInteger(text, start, end)) return true;
    // What comes next may begin before the next look, but has a digit there if it is long enough.
    at = Math.max(at, end - (end % fewestDigits) - fewestDigits);
  }
  return false;
}

/** 2^53 has sixteen. */
const fewestDigits = 16;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

const spaceOrStart: ReadonlySet<string> = new Set([':', ',', '[', ' ', '\n', '\r', '\t', '']);
const spaceOrEnd: ReadonlySet<string> = new Set([',', ']', '}', ' ', '\n', '\r', '\t', '']);

/** Not in a string, as far as its neighbours tell, and no part of another number. */
function isLongInteger(text: Buffer, start: number, end: number): boolean {
  const isNegative = text[start - 1] === 0x2d;
  const first = isNegative ? start - 1 : start;
  const before = first === 0 ? '' : String.fromCharCode(text[first - 1] as number);
  const after = end >= text.length ? '' : String.fromCharCode(text[end] as number);
  return (
    spaceOrStart.has(before) &&
    spaceOrEnd.has(after) &&
    longIntegerOf(text.toString('latin1', first, end)) !== undefined
  );
}

/** Undefined for what a number of JavaScript holds exactly, and for what has more than 64 bits. */
function longIntegerOf(digits: string): bigint | undefined {
  if (digits.length > 20 || Number.isSafeInteger(Number(digits))) return undefined;
  const integer = BigInt(digits);
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

const integers = /(?<![\d.eE+-])-?\d{16,19}(?![\d.eE])/g;

/** As `JSON.parse`, but for integers beyond 2^53. The text is known to be JSON. */
export function parseExactJson(text: string): unknown {
  const root = { value: JSON.parse(text) as unknown };
  const places: Place[] = [];
  const { digits, names } = longIntegersIn(text);
  // The n-th in the text is the n-th in the value, unless names come twice or in an order of their own.
  const members = collectPlaces(root, places);
  const isInOrder = members !== undefined && members - 1 === names;
  if (digits === undefined || !isInOrder || places.length !== digits.length) return parseMarked(text);
  for (const [at, { parent, name }] of places.entries()) parent[name] = BigInt(digits[at] as string);
  return root.value;
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly name: string;
}

/** How many members objects have, in all; undefined where their order need not be that of the text. */
function collectPlaces(parent: object, places: Place[]): number | undefined {
  const members = parent as Record<string, unknown>;
  const isObject = !Array.isArray(parent);
  let count = 0;
  for (const name in members) {
    if (isObject && (name === '__proto__' || isDigit(name.charCodeAt(0)))) return undefined;
    if (isObject) count++;
    const member = members[name];
    if (typeof member === 'number') {
      if (Number.isInteger(member) && !Number.isSafeInteger(member)) places.push({ parent: members, name });
    } else if (typeof member === 'object' && member !== null) {
      const below = collectPlaces(member, places);
      if (below === undefined) return undefined;
      count += below;
    }
  }
  return count;
}

/** Numbers that may be so large: of many digits before the point, or with an exponent. */
const largeNumbers = /(?<![\d.])-?\d{16,}(?:\.\d+)?(?:[eE][+-]?\d+)?|-?[\d.]+[eE][+-]?\d+/g;

/** No digits where one is spelt in another way, such as 1e16, or has more than 64 bits; and how many names there are, twins included. */
function longIntegersIn(text: string): {
  readonly digits: readonly string[] | undefined;
  readonly names: number;
} {
  const found: string[] = [];
  let isPlain = true;
  let names = 0;
  eachStretch(text, (outside) => {
    // Each follows a name at once, so there is no other before the next string.
    if (outside.includes(':')) names++;
    // A colon and a comma hold no number.
    if (outside.length < 3) return;
    for (const number of outside.match(largeNumbers) ?? []) {
      const value = Number(number);
      if (!Number.isInteger(value) || Number.isSafeInteger(value)) continue;
      if (/[.eE]/.test(number) || longIntegerOf(number) === undefined) isPlain = false;
      else found.push(number);
    }
  });
  return { digits: isPlain ? found : undefined, names };
}

/** With a string in the place of each long integer, and those made integers again while it is read. */
function parseMarked(text: string): unknown {
  const mark = unusedMark(text);
  let marked = '';
  eachStretch(text, (outside, quoted) => {
    const replaced = outside.replace(integers, (digits) =>
      longIntegerOf(digits) === undefined ? digits : `"${mark}${digits}"`,
    );
    marked += replaced + quoted;
  });
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** What stands outside of strings, stretch by stretch, each with the string behind it. */
function eachStretch(text: string, onStretch: (outside: string, quoted: string) => void): void {
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const start = quote < 0 ? text.length : quote;
    const end = quote < 0 ? text.length : endOfString(text, quote);
    onStretch(text.slice(at, start), text.slice(start, end));
    at = end;
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** A beginning that no string of the text has, however it is spelt there. */
function unusedMark(text: string): string {
  const plain = JSON.stringify(JSON.parse(text));
  for (let number = 0; ; number++) {
    const mark = `integer${number}:`;
    if (!plain.includes(mark)) return mark;
  }
}

/** As `JSON.stringify`, with the digits of bigints. */
export function exactJsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(exactJsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${exactJsonText(member)}`,
  );
  return `{${members.join(',')}}`;
}
