import { syntaxError } from './sql-error.ts';

export interface SqlToken {
  readonly kind: 'name' | 'number' | 'string' | 'parameter' | 'symbol' | 'end';
  /** As it was written. */
  readonly text: string;
  /** What a string or number stands for; the text otherwise. */
  readonly value: string | number;
  readonly start: number;
  readonly end: number;
}

/** Longest first, so that `<=` is not `<` and `=`. */
const symbols = ['>>>', '<<', '>>', '<=', '>=', '!=', '<>', '||', '??'];
const singleSymbols: ReadonlySet<string> = new Set('*/%+-<>=&^|~?:,.()[]{}');

const space = /[\s\uFEFF]+/y;
const comment = /--[^\n\r]*/y;
const name = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const parameter = /@[\p{L}\p{M}\p{N}_]+/uy;
const number = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

export function tokensOf(text: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (true) {
    at = skip(comment, text, skip(space, text, at));
    if (skip(space, text, at) !== at) continue;
    if (at >= text.length) break;
    const token = tokenAt(text, at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: 'end', text: '', value: '', start: text.length, end: text.length });
  return tokens;
}

function tokenAt(text: string, at: number): SqlToken {
  const first = text[at] as string;
  if (first === '"' || first === "'") return stringAt(text, at, first);
  if (first === '@') {
    const end = skip(parameter, text, at);
    if (end === at) throw syntaxError('@', { start: at, end: at + 1 });
    return plain('parameter', text, at, end);
  }
  const numberEnd = skip(number, text, at);
  if (numberEnd !== at) {
    // `1a` is no number followed by a name.
    if (skip(name, text, numberEnd) !== numberEnd) {
      const end = skip(name, text, numberEnd);
      throw syntaxError(text.slice(at, end), { start: at, end });
    }
    const written = text.slice(at, numberEnd);
    return { kind: 'number', text: written, value: Number(written), start: at, end: numberEnd };
  }
  const nameEnd = skip(name, text, at);
  if (nameEnd !== at) return plain('name', text, at, nameEnd);
  const symbol = symbols.find((candidate) => text.startsWith(candidate, at)) ?? first;
  if (symbol.length > 1 || singleSymbols.has(symbol)) return plain('symbol', text, at, at + symbol.length);
  const shown = String.fromCodePoint(text.codePointAt(at) as number);
  throw syntaxError(shown, { start: at, end: at + shown.length });
}

function plain(kind: SqlToken['kind'], text: string, start: number, end: number): SqlToken {
  const written = text.slice(start, end);
  return { kind, text: written, value: written, start, end };
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '/': '/',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

function stringAt(text: string, start: number, quote: string): SqlToken {
  let value = '';
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === quote) {
      value += text.slice(from, at);
      return { kind: 'string', text: text.slice(start, at + 1), value, start, end: at + 1 };
    }
    if (letter !== '\\') continue;
    value += text.slice(from, at);
    at++;
    const escaped = text[at];
    if (escaped === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) {
      value += String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16));
      at += 4;
    } else {
      const meant = escaped === undefined ? undefined : escapes[escaped];
      if (meant === undefined) break;
      value += meant;
    }
    from = at + 1;
  }
  throw syntaxError(text.slice(start, start + 40), { start, end: text.length });
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
