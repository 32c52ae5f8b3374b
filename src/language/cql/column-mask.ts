import { parseList } from './comma-list.ts';
import type { TokenKind } from './cql-token-kind.ts';
import { beginsFunctionName, parseFunctionName, type QualifiedName } from './names.ts';
import { beginsTerm, parseTerm, type Term } from './terms.ts';
import type { TokenCursor } from './token-cursor.ts';

/** `MASKED WITH function(…)`; DEFAULT is the function mask_default. */
export interface ColumnMask {
  readonly function: QualifiedName;
  readonly arguments: readonly Term[];
}

// What can come after a column's mask.
const followers: ReadonlySet<TokenKind> = new Set<TokenKind>(['primary', ',', ')', ';', 'EOF']);

/** The mask of a column, if the text goes on with one. */
export function parseOptionalMask(cursor: TokenCursor): ColumnMask | null {
  return cursor.kind === 'masked' ? parseColumnMask(cursor) : null;
}

export function parseColumnMask(cursor: TokenCursor): ColumnMask {
  const isDefault = isDefaultMask(cursor);
  cursor.skipAll('masked', 'with');
  if (isDefault) {
    cursor.skip('default');
    return { function: { keyspace: null, name: 'mask_default' }, arguments: [] };
  }
  const name = parseFunctionName(cursor);
  return { function: name, arguments: parseArguments(cursor) };
}

function parseArguments(cursor: TokenCursor): readonly Term[] {
  if (cursor.kind !== '(') cursor.noViableAlternative();
  const first = cursor.peek(1);
  if (first !== ')' && !beginsTerm(first)) cursor.noViableAlternative(1);
  cursor.skip('(');
  const inside = first === ')' ? [] : parseList(cursor, parseTerm);
  cursor.skip(')');
  return inside;
}

function isDefaultMask(cursor: TokenCursor): boolean {
  if (cursor.peek(1) !== 'with') cursor.noViableAlternative(1);
  const word = cursor.peek(2);
  if (!beginsFunctionName(word)) cursor.noViableAlternative(2);
  if (word !== 'default') return false;
  const next = cursor.peek(3);
  if (next === '(' || next === '.') return false;
  if (!followers.has(next)) cursor.noViableAlternative(3);
  return true;
}
