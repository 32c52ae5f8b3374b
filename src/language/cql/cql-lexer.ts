// CQL text to tokens, by character codes. What is odd here is Cassandra's: its generated lexer chooses a rule from the
// first characters and does not reconsider, so `a-name` is refused (it began as -NaN) and `1d3` is not `1d` and `3`.
// After an error it skips a character and goes on, and an error that the parser meets before that character is told first.

import { isDigit, isHexDigit, isLetter, isWordPart } from './character-classes.ts';
import { type TokenKind, wordKinds } from './cql-token-kind.ts';
import { beginsAlternativeDuration, endOfIsoDuration, followAlternativeDuration } from './duration-lexing.ts';
import { readNumber } from './number-lexing.ts';
import { TokenList } from './token-list.ts';
import { characterName, readUuid } from './uuid-lexing.ts';

/** Spaces and comments are left out. */
export function lexCql(source: string): TokenList {
  return lex(source, false);
}

/** Spaces and comments are tokens of kind HIDDEN: an error message counts them when it quotes the text around it. */
export function lexCqlWithHidden(source: string): TokenList {
  return lex(source, true);
}

function lex(source: string, keepHidden: boolean): TokenList {
  const tokens = new TokenList(source);
  let offset = 0;
  while (offset < source.length) {
    const code = source.charCodeAt(offset);
    if (isSpace(code)) {
      const end = endOfSpace(source, offset);
      if (keepHidden) tokens.add('HIDDEN', offset, end);
      offset = end;
    } else if (beginsComment(source, offset, code)) {
      const end = readComment(tokens, offset);
      if (keepHidden && end > 0) tokens.add('HIDDEN', offset, end);
      offset = Math.abs(end);
    } else {
      offset = readToken(tokens, offset, code);
    }
  }
  tokens.add('EOF', source.length, source.length);
  return tokens;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function endOfSpace(source: string, offset: number): number {
  let end = offset + 1;
  while (isSpace(source.charCodeAt(end))) end += 1;
  return end;
}

function beginsComment(source: string, offset: number, code: number): boolean {
  if (code !== 0x2d && code !== 0x2f) return false;
  const next = source.charCodeAt(offset + 1);
  return next === code || (code === 0x2f && next === 0x2a);
}

/** Where the comment ends; negative if it never does, which is an error: a last line needs its line feed too. */
function readComment(tokens: TokenList, offset: number): number {
  const { source } = tokens;
  if (source[offset + 1] === '*') {
    const end = source.indexOf('*/', offset + 2);
    if (end !== -1) return end + 2;
    const wanted = source.length > offset + 2 && source.endsWith('*') ? '/' : '*';
    tokens.refuse(`mismatched character '<EOF>' expecting '${wanted}'`, source.length);
    return -source.length;
  }
  for (let end = offset + 2; end < source.length; end += 1) {
    const code = source.charCodeAt(end);
    if (code === 0x0a || code === 0x0d) return end + 1;
  }
  tokens.refuse("mismatched character '<EOF>' expecting set null", source.length);
  return -source.length;
}

/** Reads one token, or notes what was wrong; answers where to go on. */
function readToken(tokens: TokenList, offset: number, code: number): number {
  const { source } = tokens;
  if (isLetter(code)) return readWord(tokens, offset, code);
  if (isDigit(code)) return readNumber(tokens, offset);
  switch (code) {
    case 0x27: // '
      return readQuoted(tokens, offset, 'STRING_LITERAL');
    case 0x22: // "
      return readQuoted(tokens, offset, 'QUOTED_NAME');
    case 0x24: // $
      return readDollarString(tokens, offset);
    case 0x2d: // -
      return readMinus(tokens, offset);
    case 0x2e: // .
      if (source.charCodeAt(offset + 1) === 0x2e) return readAs(tokens, 'RANGE', offset, 2);
      return readAs(tokens, '.', offset, 1);
    case 0x3f: // ?
      return readAs(tokens, 'QMARK', offset, 1);
    case 0x21: // !
      if (source.charCodeAt(offset + 1) === 0x3d) return readAs(tokens, '!=', offset, 2);
      return skip(
        tokens,
        `mismatched character ${characterName(source, offset + 1)} expecting '='`,
        offset + 1,
      );
    case 0x3c: // <
      return readWithEquals(tokens, '<', '<=', offset);
    case 0x3e: // >
      return readWithEquals(tokens, '>', '>=', offset);
    case 0x2b: // +
      return readWithEquals(tokens, '+', '+=', offset);
    default: {
      const kind = singles.get(code);
      if (kind !== undefined) return readAs(tokens, kind, offset, 1);
      return skip(tokens, `no viable alternative at character ${characterName(source, offset)}`, offset);
    }
  }
}

const singles: ReadonlyMap<number, TokenKind> = new Map(
  (['(', ')', '[', ']', '{', '}', ',', ';', ':', '=', '*', '/', '%'] as const).map((kind) => [
    kind.charCodeAt(0),
    kind,
  ]),
);

function readAs(tokens: TokenList, kind: TokenKind, offset: number, length: number): number {
  tokens.add(kind, offset, offset + length);
  return offset + length;
}

function readWithEquals(tokens: TokenList, alone: TokenKind, withEquals: TokenKind, offset: number): number {
  if (tokens.source.charCodeAt(offset + 1) === 0x3d) return readAs(tokens, withEquals, offset, 2);
  return readAs(tokens, alone, offset, 1);
}

function skip(tokens: TokenList, reason: string, offset: number): number {
  tokens.refuse(reason, offset);
  return offset + 1;
}

function readWord(tokens: TokenList, offset: number, code: number): number {
  const { source } = tokens;
  if (code === 0x50) {
    const end = readPeriod(tokens, offset, offset);
    if (end !== -1) return end;
  }
  let end = offset + 1;
  while (isWordPart(source.charCodeAt(end))) end += 1;
  const next = source.charCodeAt(end);
  if (next === 0x2d && end - offset === 8 && isHexRun(source, offset, end)) return readUuid(tokens, offset);
  const word = source.slice(offset, end);
  if (next === 0x28 && word === 'expr') return readAs(tokens, 'expr(', offset, 5);
  const kind = wordKinds.get(word) ?? wordKinds.get(word.toLowerCase()) ?? 'IDENT';
  tokens.add(kind, offset, end);
  return end;
}

function isHexRun(source: string, offset: number, end: number): boolean {
  for (let i = offset; i < end; i += 1) if (!isHexDigit(source.charCodeAt(i))) return false;
  return true;
}

/** A duration that begins with P, its sign perhaps before it; -1 if the word is something else. */
function readPeriod(tokens: TokenList, start: number, offset: number): number {
  const { source } = tokens;
  if (beginsAlternativeDuration(source, offset)) {
    const { end, complete } = followAlternativeDuration(source, offset);
    if (complete) return readAs(tokens, 'DURATION', start, end - start);
    return skip(tokens, `mismatched character ${characterName(source, end)} expecting set null`, end);
  }
  const end = endOfIsoDuration(source, offset);
  if (end === -1 || (start === offset && isWordPart(source.charCodeAt(end)))) return -1;
  return readAs(tokens, 'DURATION', start, end - start);
}

function readMinus(tokens: TokenList, offset: number): number {
  const { source } = tokens;
  const next = source.charCodeAt(offset + 1);
  if (isDigit(next)) return readNumber(tokens, offset);
  if (next === 0x3d) return readAs(tokens, '-=', offset, 2);
  if (next === 0x4e || next === 0x6e) return readMinusWord(tokens, '-nan', offset);
  if (next === 0x49 || next === 0x69) return readMinusWord(tokens, '-infinity', offset);
  if (next === 0x50) {
    const end = readPeriod(tokens, offset, offset + 1);
    if (end !== -1) return end;
    let failed = offset + 2;
    if (source[failed] === 'T') failed += 1;
    while (isDigit(source.charCodeAt(failed))) failed += 1;
    tokens.refuse(`no viable alternative at character ${characterName(source, failed)}`, failed);
    return offset + 1;
  }
  return readAs(tokens, '-', offset, 1);
}

function readMinusWord(tokens: TokenList, kind: '-nan' | '-infinity', offset: number): number {
  const { source } = tokens;
  for (let i = 0; i < kind.length; i += 1) {
    if (source.charAt(offset + i).toLowerCase() !== kind[i]) {
      const wrong = offset + i;
      return skip(tokens, `mismatched character ${characterName(source, wrong)} expecting set null`, wrong);
    }
  }
  return readAs(tokens, kind, offset, kind.length);
}

function readQuoted(tokens: TokenList, offset: number, kind: 'STRING_LITERAL' | 'QUOTED_NAME'): number {
  const { source } = tokens;
  const quote = kind === 'STRING_LITERAL' ? "'" : '"';
  let end = source.indexOf(quote, offset + 1);
  while (end !== -1 && source[end + 1] === quote) end = source.indexOf(quote, end + 2);
  if (end === -1) {
    // A quoted name of nothing is a token of its own, found before the one that needs a character.
    if (kind === 'QUOTED_NAME' && isEmptyName(source, offset)) {
      return readAs(tokens, 'EMPTY_QUOTED_NAME', offset, 2);
    }
    tokens.refuse(`mismatched character '<EOF>' expecting '${quote}'`, source.length);
    return source.length;
  }
  const isEmpty = kind === 'QUOTED_NAME' && end === offset + 1;
  return readAs(tokens, isEmpty ? 'EMPTY_QUOTED_NAME' : kind, offset, end + 1 - offset);
}

function isEmptyName(source: string, offset: number): boolean {
  return source[offset + 1] === '"' && source[offset + 2] !== '"';
}

function readDollarString(tokens: TokenList, offset: number): number {
  const { source } = tokens;
  if (source[offset + 1] !== '$') {
    return skip(
      tokens,
      `mismatched character ${characterName(source, offset + 1)} expecting '$'`,
      offset + 1,
    );
  }
  const end = source.indexOf('$$', offset + 2);
  if (end !== -1) return readAs(tokens, 'STRING_LITERAL', offset, end + 2 - offset);
  const last = Math.max(offset + 2, source.length - 1);
  return skip(tokens, `mismatched character ${characterName(source, last)} expecting '$'`, last);
}
