// Names as they stand in a statement: folded to lower case unless they were quoted.

import { isFunctionName, isName, isNativeType, type TokenKind } from './cql-token-kind.ts';
import type { TokenCursor } from './token-cursor.ts';

/** The keyspace is null where the statement leaves it to `USE`. */
export interface QualifiedName {
  readonly keyspace: string | null;
  readonly name: string;
}

/** A name of a column, a field, an alias. */
export function parseName(cursor: TokenCursor): string {
  if (!isName(cursor.kind)) cursor.noViableAlternative();
  return takeName(cursor);
}

/** In statements on data a column may have the empty name `""`, a remainder of super columns. */
export function parseColumnName(cursor: TokenCursor): string {
  if (cursor.accept('EMPTY_QUOTED_NAME')) return '';
  return parseName(cursor);
}

export function isColumnName(kind: TokenKind): boolean {
  return kind === 'EMPTY_QUOTED_NAME' || isName(kind);
}

export function parseKeyspaceName(cursor: TokenCursor): string {
  return parseObjectName(cursor, 'keyspace');
}

export function parseTableName(cursor: TokenCursor): QualifiedName {
  const keyspace = parseQualifier(cursor, isObjectName, afterTable);
  return { keyspace, name: parseObjectName(cursor, 'table') };
}

export function parseIndexName(cursor: TokenCursor): QualifiedName {
  const keyspace = parseQualifier(cursor, isObjectName, afterIndex);
  return { keyspace, name: parseObjectName(cursor, 'index') };
}

/** An index where the grammar gives it no keyspace of its own. */
export function parseBareIndexName(cursor: TokenCursor): string {
  return parseObjectName(cursor, 'index');
}

export function parseRoleName(cursor: TokenCursor): string {
  if (cursor.kind === 'STRING_LITERAL') return cursor.take();
  return parseObjectName(cursor, 'role');
}

export function parseFunctionName(cursor: TokenCursor): QualifiedName {
  const keyspace = parseQualifier(cursor, isFunctionName, afterFunction);
  return { keyspace, name: parseBareFunctionName(cursor) };
}

/** Whether a function's name, or the keyspace before it, may begin so. */
export function beginsFunctionName(kind: TokenKind): boolean {
  return isObjectName(kind) || isFunctionName(kind);
}

/** A keyword in the place of a function's name keeps the case it was typed in, unless it is a type. */
export function parseBareFunctionName(cursor: TokenCursor): string {
  const { kind } = cursor;
  if (!isFunctionName(kind)) cursor.noViableAlternative();
  const text = cursor.take();
  if (kind === 'token' || kind === 'count' || isNativeType(kind)) return kind;
  return kind === 'IDENT' ? text.toLowerCase() : text;
}

type ObjectKind = 'keyspace' | 'table' | 'index' | 'role';

// Whether a keyspace stands before a name is decided by the token after the first word. If that is neither a dot nor
// anything that can follow such a name in some statement, be it another one, the word itself is where it is refused.
const afterTable: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'where',
  'group',
  'order',
  'per',
  'limit',
  'allow',
  '(',
  'json',
  'using',
  'set',
  'with',
  'as',
  'primary',
  'alter',
  'add',
  'drop',
  'rename',
  'to',
  'from',
  'of',
  'norecursive',
  ';',
  'EOF',
]);
const afterIndex: ReadonlySet<TokenKind> = new Set<TokenKind>([';', 'EOF']);
const afterFunction: ReadonlySet<TokenKind> = new Set<TokenKind>(['(', 'with', ';', 'EOF']);

function isObjectName(kind: TokenKind): boolean {
  return kind === 'QMARK' || isName(kind);
}

/** The name before a dot, and the dot. */
export function parseQualifier(
  cursor: TokenCursor,
  canStandAlone: (kind: TokenKind) => boolean,
  followers: ReadonlySet<TokenKind> | 'anything',
): string | null {
  const { kind } = cursor;
  if (!isObjectName(kind)) return null;
  if (canStandAlone(kind)) {
    const next = cursor.peek(1);
    if (next !== '.') {
      if (followers === 'anything') return null;
      if (!followers.has(next)) cursor.noViableAlternative(1);
      cursor.hasRead(2);
      return null;
    }
  }
  const name = parseObjectName(cursor, 'keyspace');
  cursor.skip('.');
  return name;
}

function parseObjectName(cursor: TokenCursor, object: ObjectKind): string {
  if (cursor.accept('QMARK')) {
    cursor.refuse(`Bind variables cannot be used for ${object} names`);
    return '';
  }
  return parseName(cursor);
}

function takeName(cursor: TokenCursor): string {
  const isQuoted = cursor.kind === 'QUOTED_NAME';
  const text = cursor.take();
  return isQuoted ? text : text.toLowerCase();
}
