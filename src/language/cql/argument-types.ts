import { parseList } from './comma-list.ts';
import type { TokenCursor } from './token-cursor.ts';
import { beginsType, parseTypeName, type TypeName } from './type-name.ts';

/** `(int, text)`, which tell functions of one name apart; there may be none inside. */
export function parseArgumentTypes(cursor: TokenCursor): readonly TypeName[] {
  cursor.skip('(');
  const types = beginsType(cursor.kind) ? parseList(cursor, parseTypeName) : [];
  cursor.skip(')');
  return types;
}

/** Null where no parentheses follow, which leaves open which of several functions is meant. */
export function parseOptionalArgumentTypes(cursor: TokenCursor): readonly TypeName[] | null {
  return cursor.kind === '(' ? parseArgumentTypes(cursor) : null;
}
