import { parseList } from './comma-list.ts';
import {
  isBasicUnreserved,
  isName,
  isNativeType,
  type NativeTypeWord,
  type TokenKind,
} from './cql-token-kind.ts';
import { parseName, parseQualifier, type QualifiedName } from './names.ts';
import { printTypeName } from './print-type-name.ts';
import type { TokenCursor } from './token-cursor.ts';

/** A type as it was written; whether it exists, and what freezing means for it, the schema decides. */
export type TypeName =
  | { readonly kind: 'native'; readonly name: NativeTypeWord }
  | { readonly kind: 'list' | 'set'; readonly element: TypeName }
  | { readonly kind: 'map'; readonly key: TypeName; readonly value: TypeName }
  | { readonly kind: 'tuple'; readonly elements: readonly TypeName[] }
  | { readonly kind: 'vector'; readonly element: TypeName; readonly dimension: number }
  | { readonly kind: 'frozen'; readonly type: TypeName }
  | { readonly kind: 'userType'; readonly name: QualifiedName }
  | { readonly kind: 'custom'; readonly className: string };

export function parseTypeName(cursor: TokenCursor): TypeName {
  cursor.descend();
  const type = parseTypeInside(cursor);
  cursor.rise();
  return type;
}

export function beginsType(kind: TokenKind): boolean {
  return kind === 'STRING_LITERAL' || kind === 'set' || isName(kind);
}

function parseTypeInside(cursor: TokenCursor): TypeName {
  const { kind } = cursor;
  if (kind === 'STRING_LITERAL') return { kind: 'custom', className: cursor.take() };
  if (kind === 'set') return parseParameters(cursor, kind);
  if (!isName(kind)) return cursor.noViableAlternative();
  const isParametric = takesParameters(kind);
  if (!isParametric && !isNativeType(kind)) return { kind: 'userType', name: parseUserTypeName(cursor) };
  const next = cursor.peek(1);
  if (isParametric && next === '<') return parseParameters(cursor, kind);
  if (next !== '.' && !followers.has(next)) cursor.noViableAlternative(1);
  cursor.hasRead(2);
  if (!isParametric && next !== '.') return { kind: 'native', name: takeNativeType(cursor) };
  return { kind: 'userType', name: parseUserTypeName(cursor) };
}

// A word that is a type may also be the keyspace of one, so Cassandra looks at what follows it.
const followers: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ')',
  ',',
  '>',
  'static',
  'masked',
  'primary',
  'language',
  'finalfunc',
  'initcond',
  ';',
  'EOF',
]);

/** The type of `CAST(… AS type)`, which is never a collection nor the user's own. */
export function parseNativeType(cursor: TokenCursor): NativeTypeWord {
  if (!isNativeType(cursor.kind)) cursor.noViableAlternative();
  return takeNativeType(cursor);
}

function takeNativeType(cursor: TokenCursor): NativeTypeWord {
  const { kind } = cursor;
  if (!isNativeType(kind)) return cursor.noViableAlternative();
  cursor.take();
  return kind;
}

type Parametric = 'list' | 'set' | 'map' | 'tuple' | 'vector' | 'frozen';

function takesParameters(kind: TokenKind): kind is Parametric {
  return (
    kind === 'map' ||
    kind === 'list' ||
    kind === 'set' ||
    kind === 'tuple' ||
    kind === 'vector' ||
    kind === 'frozen'
  );
}

function parseParameters(cursor: TokenCursor, kind: Parametric): TypeName {
  cursor.skipAll(kind, '<');
  const type = parseParametersInside(cursor, kind);
  cursor.skip('>');
  if (type.kind === 'frozen') checkFrozen(cursor, type.type);
  return type;
}

function parseParametersInside(cursor: TokenCursor, kind: Parametric): TypeName {
  switch (kind) {
    case 'list':
    case 'set':
      return { kind, element: parseTypeName(cursor) };
    case 'frozen':
      return { kind, type: parseTypeName(cursor) };
    case 'tuple':
      return { kind, elements: parseList(cursor, parseTypeName) };
    case 'map': {
      const key = parseTypeName(cursor);
      cursor.skip(',');
      return { kind, key, value: parseTypeName(cursor) };
    }
    case 'vector': {
      const element = parseTypeName(cursor);
      cursor.skip(',');
      return { kind, element, dimension: parseDimension(cursor) };
    }
  }
}

function checkFrozen(cursor: TokenCursor, type: TypeName): void {
  if (type.kind !== 'native' && type.kind !== 'custom') return;
  const allowed = 'frozen<> is only allowed on collections, tuples, and user-defined types';
  cursor.refuse(`${allowed} (got ${printTypeName(type)})`);
}

// What a Java int holds. That a dimension must be positive is for the checks to say.
const maxDimension = 2 ** 31 - 1;

function parseDimension(cursor: TokenCursor): number {
  const text = cursor.expect('INTEGER');
  const dimension = Number(text);
  if (dimension > maxDimension || dimension < -maxDimension - 1) {
    cursor.refuseNumber(`For input string: "${text}"`);
  }
  return dimension;
}

// Names that Cassandra keeps for types it may have one day.
const keptTypeNames: ReadonlySet<string> = new Set([
  'byte',
  'complex',
  'enum',
  'date',
  'interval',
  'macaddr',
  'bitstring',
]);

/** A user-defined type. Words that are types of CQL cannot name one, but can name its keyspace. */
export function parseUserTypeName(cursor: TokenCursor): QualifiedName {
  if (!isName(cursor.kind)) cursor.noViableAlternative();
  const keyspace = parseQualifier(cursor, namesUserType, 'anything');
  const { kind } = cursor;
  if (!namesUserType(kind)) cursor.noViableAlternative();
  // The check sees the name as it was typed, so BYTE is let through.
  if (kind === 'IDENT' && keptTypeNames.has(cursor.text)) {
    cursor.refuse(`Invalid (reserved) user type name ${cursor.text}`);
  }
  return { keyspace, name: parseName(cursor) };
}

function namesUserType(kind: TokenKind): boolean {
  return kind === 'IDENT' || kind === 'QUOTED_NAME' || kind === 'key' || isBasicUnreserved(kind);
}
