// Everything that begins with a digit, or with a minus and a digit: integers, floats, durations, blobs, UUIDs.

import { endOfDigits, isDigit, isHexDigit, isHexLetter } from './character-classes.ts';
import { endOfDurationUnit } from './duration-lexing.ts';
import type { TokenList } from './token-list.ts';
import { characterName, readUuid } from './uuid-lexing.ts';

const groupLength = 8; // the hexadecimal digits of a UUID before its first dash

/** Reads one token, or notes what was wrong; answers where to go on. */
export function readNumber(tokens: TokenList, start: number): number {
  const { source } = tokens;
  const first = source[start] === '-' ? start + 1 : start;
  const end = endOfDigits(source, first);
  const isSigned = first > start;
  const code = source.charCodeAt(end);
  if (!isSigned && mustBeUuid(source, start, end)) return readUuid(tokens, start);
  switch (code | 0x20) {
    case 0x2e: // .
      return code === 0x2e ? readFraction(tokens, start, end) : finish(tokens, 'INTEGER', start, end);
    case 0x65: // e
      return readExponent(tokens, start, end);
    case 0x78: // x
      if (isSigned || end !== start + 1 || source[start] !== '0')
        return finish(tokens, 'INTEGER', start, end);
      return readHex(tokens, start);
    default:
      return isUnitStart(code) ? readDuration(tokens, start, end) : finish(tokens, 'INTEGER', start, end);
  }
}

/** Eight hexadecimal digits and a dash, or a digit string that goes on with a letter nothing else could have there. */
function mustBeUuid(source: string, start: number, endDigits: number): boolean {
  const limit = start + groupLength;
  if (endDigits > limit) return false;
  let end = endDigits;
  while (end < limit && isHexDigit(source.charCodeAt(end))) end += 1;
  if (end === limit && source[end] === '-') return true;
  if (endDigits >= limit || !isHexLetter(source.charCodeAt(endDigits))) return false;
  const letter = source.charAt(endDigits).toLowerCase();
  if (letter !== 'd' && letter !== 'e') return true;
  const afterLetter = endOfDigits(source, endDigits + 1);
  if (afterLetter >= limit || !isHexLetter(source.charCodeAt(afterLetter))) return false;
  return letter === 'e' || afterLetter === endDigits + 1 || source.charAt(afterLetter).toLowerCase() !== 'd';
}

function isUnitStart(code: number): boolean {
  if (code === 0xb5) return true;
  const lower = code | 0x20;
  // d h m n s u w y
  return (
    code < 0x80 &&
    code > 0x40 &&
    (lower === 0x64 ||
      lower === 0x68 ||
      lower === 0x6d ||
      lower === 0x6e ||
      lower === 0x73 ||
      lower === 0x75 ||
      lower === 0x77 ||
      lower === 0x79)
  );
}

function finish(
  tokens: TokenList,
  kind: 'INTEGER' | 'FLOAT' | 'DURATION',
  start: number,
  end: number,
): number {
  tokens.add(kind, start, end);
  return end;
}

function readHex(tokens: TokenList, start: number): number {
  let end = start + 2;
  while (isHexDigit(tokens.source.charCodeAt(end))) end += 1;
  tokens.add('HEXNUMBER', start, end);
  return end;
}

/** `1..2` is an integer and a range; `1...2` is `1.` and a range. */
function readFraction(tokens: TokenList, start: number, dot: number): number {
  const { source } = tokens;
  if (source[dot + 1] === '.' && source[dot + 2] !== '.') return finish(tokens, 'INTEGER', start, dot);
  const end = endOfDigits(source, dot + 1);
  if ((source.charCodeAt(end) | 0x20) !== 0x65) return finish(tokens, 'FLOAT', start, end);
  return readExponentDigits(tokens, start, end);
}

function readExponent(tokens: TokenList, start: number, letter: number): number {
  const next = tokens.source.charCodeAt(letter + 1);
  const isSigned = tokens.source[start] === '-';
  if (isSigned || isDigit(next) || next === 0x2b || next === 0x2d)
    return readExponentDigits(tokens, start, letter);
  tokens.refuse(`no viable alternative at character ${characterName(tokens.source, letter + 1)}`, letter + 1);
  return start + 1;
}

function readExponentDigits(tokens: TokenList, start: number, letter: number): number {
  const { source } = tokens;
  const sign = source.charCodeAt(letter + 1);
  const digits = sign === 0x2b || sign === 0x2d ? letter + 2 : letter + 1;
  const end = endOfDigits(source, digits);
  if (end > digits) return finish(tokens, 'FLOAT', start, end);
  const reason = `required (...)+ loop did not match anything at character ${characterName(source, digits)}`;
  tokens.refuse(reason, digits);
  return digits + 1;
}

function readDuration(tokens: TokenList, start: number, firstUnit: number): number {
  const { source } = tokens;
  let unit = firstUnit;
  for (;;) {
    const end = endOfDurationUnit(source, unit);
    if (end === -1) return refuseUnit(tokens, start, firstUnit, unit);
    unit = endOfDigits(source, end);
    if (unit === end) return finish(tokens, 'DURATION', start, end);
  }
}

function refuseUnit(tokens: TokenList, start: number, firstUnit: number, unit: number): number {
  const { source } = tokens;
  if (isUnitStart(source.charCodeAt(unit))) {
    const wrong = unit + 1;
    tokens.refuse(`mismatched character ${characterName(source, wrong)} expecting set null`, wrong);
    return wrong + 1;
  }
  tokens.refuse(`no viable alternative at character ${characterName(source, unit)}`, unit);
  // `1d3` could have become a UUID, so Cassandra had not yet left its first character.
  const couldBeUuid = source.charAt(firstUnit).toLowerCase() === 'd' && source[start] !== '-';
  return couldBeUuid ? start + 1 : unit + 1;
}
