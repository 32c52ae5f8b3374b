// Characters as the CQL lexer sorts them, by code. NaN, which is what charCodeAt gives past the end, is in no class.

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return code < 0x80 && lower >= 0x61 && lower <= 0x7a;
}

export function isWordPart(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || isHexLetter(code);
}

export function isHexLetter(code: number): boolean {
  const lower = code | 0x20;
  return code < 0x80 && lower >= 0x61 && lower <= 0x66;
}

/** Where the digits that begin at an offset end. */
export function endOfDigits(source: string, offset: number): number {
  let end = offset;
  while (isDigit(source.charCodeAt(end))) end += 1;
  return end;
}

/** The letter in lower case, as a string of one character; empty past the end. */
export function lowerLetterAt(source: string, offset: number): string {
  return source.charAt(offset).toLowerCase();
}
