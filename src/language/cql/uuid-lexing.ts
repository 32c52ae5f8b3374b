import { isHexDigit } from './character-classes.ts';
import type { TokenList } from './token-list.ts';

const uuidLength = 36;

function isDash(position: number): boolean {
  return position === 8 || position === 13 || position === 18 || position === 23;
}

/** Reads what can be nothing but a UUID any more; answers where to go on. */
export function readUuid(tokens: TokenList, offset: number): number {
  const { source } = tokens;
  for (let i = 0; i < uuidLength; i += 1) {
    const fits = isDash(i) ? source[offset + i] === '-' : isHexDigit(source.charCodeAt(offset + i));
    if (!fits) {
      const wanted = isDash(i) ? "'-'" : 'set null';
      tokens.refuse(
        `mismatched character ${characterName(source, offset + i)} expecting ${wanted}`,
        offset + i,
      );
      return offset + i + 1;
    }
  }
  tokens.add('UUID', offset, offset + uuidLength);
  return offset + uuidLength;
}

/** A character as an error message shows it. */
export function characterName(source: string, offset: number): string {
  if (offset >= source.length) return "'<EOF>'";
  const character = source.charAt(offset);
  if (character === '\n') return "'\\n'";
  if (character === '\r') return "'\\r'";
  if (character === '\t') return "'\\t'";
  return `'${character}'`;
}
