// Selectors: what SELECT and GROUP BY are made of. A bare word is a column here, and literals need not be typed.

import { parseList } from './comma-list.ts';
import { isFunctionName, isName, type NativeTypeWord, type TokenKind } from './cql-token-kind.ts';
import { parseFunctionName, parseName, type QualifiedName } from './names.ts';
import {
  type ArithmeticOperator,
  type Constant,
  isConstant,
  parseConstant,
  parseMarker,
  parseTerm,
  type Term,
} from './terms.ts';
import type { BindMarker, TokenCursor } from './token-cursor.ts';
import { parseNativeType, parseTypeName, type TypeName } from './type-name.ts';

export type Selectable =
  | Constant
  | BindMarker
  | { readonly kind: 'null' }
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'countRows' }
  | { readonly kind: 'function'; readonly name: QualifiedName; readonly arguments: readonly Selectable[] }
  | { readonly kind: 'cast'; readonly selectable: Selectable; readonly type: NativeTypeWord }
  | {
      readonly kind: 'cellProperty';
      readonly property: 'writetime' | 'maxwritetime' | 'ttl';
      readonly selectable: Selectable;
    }
  | { readonly kind: 'field'; readonly selectable: Selectable; readonly name: string }
  | { readonly kind: 'element'; readonly selectable: Selectable; readonly key: Term }
  | {
      readonly kind: 'slice';
      readonly selectable: Selectable;
      readonly from: Term | null;
      readonly to: Term | null;
    }
  | { readonly kind: 'typeHint'; readonly type: TypeName; readonly selectable: Selectable }
  /** Parentheses around one thing mean that thing, or a tuple of one where a tuple is wanted. */
  | { readonly kind: 'list' | 'set' | 'parentheses'; readonly elements: readonly Selectable[] }
  | { readonly kind: 'mapOrUserType'; readonly entries: readonly SelectableEntry[] }
  | { readonly kind: 'negation'; readonly selectable: Selectable }
  | {
      readonly kind: 'operation';
      readonly operator: ArithmeticOperator;
      readonly left: Selectable;
      readonly right: Selectable;
    };

export interface SelectableEntry {
  readonly key: Selectable;
  readonly value: Selectable;
}

export interface Selector {
  readonly selectable: Selectable;
  readonly alias: string | null;
}

/** The empty list stands for `*`. */
export function parseSelectors(cursor: TokenCursor): readonly Selector[] {
  if (cursor.accept('*')) return [];
  if (!beginsSelectable(cursor.kind)) cursor.noViableAlternative();
  return parseList(cursor, parseSelector);
}

function parseSelector(cursor: TokenCursor): Selector {
  const selectable = parseSelectable(cursor);
  return { selectable, alias: cursor.accept('as') ? parseName(cursor) : null };
}

export function parseSelectable(cursor: TokenCursor): Selectable {
  cursor.descend();
  let selectable = parseProduct(cursor);
  let operators = 0;
  while (cursor.kind === '+' || cursor.kind === '-') {
    const operator = cursor.kind;
    cursor.take();
    cursor.descend();
    operators += 1;
    selectable = { kind: 'operation', operator, left: selectable, right: parseProduct(cursor) };
  }
  cursor.rise(operators + 1);
  return selectable;
}

function parseProduct(cursor: TokenCursor): Selectable {
  let selectable = parseGroup(cursor);
  let operators = 0;
  while (cursor.kind === '*' || cursor.kind === '/' || cursor.kind === '%') {
    const operator = cursor.kind;
    cursor.take();
    cursor.descend();
    operators += 1;
    selectable = { kind: 'operation', operator, left: selectable, right: parseGroup(cursor) };
  }
  cursor.rise(operators);
  return selectable;
}

function parseGroup(cursor: TokenCursor): Selectable {
  if (cursor.accept('-')) {
    cursor.descend();
    const selectable = parseGroup(cursor);
    cursor.rise();
    return { kind: 'negation', selectable };
  }
  if (beginsSelectable(cursor.kind)) cursor.hasRead(2);
  const selectable = parseUnmodified(cursor);
  if (cursor.kind !== '.' && cursor.kind !== '[') return selectable;
  // What cannot be read as a field or an element is refused at the dot or bracket, as if none had been possible.
  return cursor.attempt(() => parseModifiers(cursor, selectable)) ?? selectable;
}

/** `.field`, `[key]` and `[from..to]`, any number of them. */
function parseModifiers(cursor: TokenCursor, receiver: Selectable): Selectable {
  let selectable = receiver;
  let levels = 0;
  for (;;) {
    if (cursor.accept('.')) selectable = { kind: 'field', selectable, name: parseName(cursor) };
    else if (cursor.accept('[')) {
      selectable = parseElement(cursor, selectable);
      cursor.skip(']');
    } else break;
    cursor.descend();
    levels += 1;
  }
  // Cassandra forgot that a semicolon may come here: `GROUP BY a.b;` is refused, and without its end it is not.
  if (!followsSelectable(cursor.kind) || cursor.kind === ';') cursor.noViableAlternative();
  cursor.rise(levels);
  return selectable;
}

function parseElement(cursor: TokenCursor, selectable: Selectable): Selectable {
  if (cursor.accept('RANGE')) return { kind: 'slice', selectable, from: null, to: parseTerm(cursor) };
  const key = parseTerm(cursor);
  if (!cursor.accept('RANGE')) return { kind: 'element', selectable, key };
  return { kind: 'slice', selectable, from: key, to: cursor.kind === ']' ? null : parseTerm(cursor) };
}

function parseUnmodified(cursor: TokenCursor): Selectable {
  switch (cursor.kind) {
    case 'null':
      cursor.take();
      return { kind: 'null' };
    case 'QMARK':
      if (isCall(cursor)) return parseCall(cursor);
      return parseMarker(cursor, 'selection');
    case ':':
      return parseMarker(cursor, 'selection');
    case '(':
      return cursor.attempt(() => parseTypeHint(cursor)) ?? parseParentheses(cursor);
    case '[':
      return parseListSelector(cursor);
    case '{':
      return parseBraces(cursor);
    default:
      return parseConstant(cursor) ?? parseColumnOrCall(cursor);
  }
}

function parseTypeHint(cursor: TokenCursor): Selectable {
  cursor.skip('(');
  const type = parseTypeName(cursor);
  cursor.skip(')');
  cursor.descend();
  const selectable = parseUnmodified(cursor);
  cursor.rise();
  return { kind: 'typeHint', type, selectable };
}

function parseParentheses(cursor: TokenCursor): Selectable {
  cursor.skip('(');
  const elements = parseList(cursor, parseSelectable);
  cursor.skip(')');
  return { kind: 'parentheses', elements };
}

function parseListSelector(cursor: TokenCursor): Selectable {
  cursor.skip('[');
  const elements = beginsSelectable(cursor.kind) ? parseList(cursor, parseSelectable) : [];
  cursor.skip(']');
  return { kind: 'list', elements };
}

function parseBraces(cursor: TokenCursor): Selectable {
  const inside = cursor.peek(1);
  if (inside !== '}' && !beginsSelectable(inside)) cursor.noViableAlternative(1);
  cursor.skip('{');
  if (cursor.accept('}')) return { kind: 'set', elements: [] };
  const first = parseSelectable(cursor);
  const { kind } = cursor;
  if (kind !== ':' && kind !== ',' && kind !== '}') cursor.noViableAlternative();
  const selectable = kind === ':' ? parseMapFrom(cursor, first) : parseSetFrom(cursor, first);
  cursor.skip('}');
  return selectable;
}

function parseSetFrom(cursor: TokenCursor, first: Selectable): Selectable {
  const elements = [first];
  while (cursor.accept(',')) elements.push(parseSelectable(cursor));
  return { kind: 'set', elements };
}

function parseMapFrom(cursor: TokenCursor, firstKey: Selectable): Selectable {
  cursor.skip(':');
  const entries: SelectableEntry[] = [{ key: firstKey, value: parseSelectable(cursor) }];
  while (cursor.accept(',')) {
    const key = parseSelectable(cursor);
    cursor.skip(':');
    entries.push({ key, value: parseSelectable(cursor) });
  }
  return { kind: 'mapOrUserType', entries };
}

function parseColumnOrCall(cursor: TokenCursor): Selectable {
  const { kind } = cursor;
  if (!isName(kind) && !isFunctionName(kind)) cursor.noViableAlternative();
  if (isCall(cursor)) return parseCall(cursor);
  return { kind: 'column', name: parseName(cursor) };
}

/** Whether a parenthesis makes the name a function; a name that nothing allowed follows is refused here. */
function isCall(cursor: TokenCursor): boolean {
  const { kind } = cursor;
  const next = cursor.peek(1);
  if (next === '(') {
    if (isFunctionName(kind) || kind === 'cast' || isCellProperty(kind)) return true;
    return cursor.noViableAlternative(1);
  }
  if (kind === 'token') return true;
  if (next !== '.') {
    if (!followsSelectable(next)) cursor.noViableAlternative(1);
    cursor.hasRead(2);
    return false;
  }
  const second = cursor.peek(2);
  if (!isFunctionName(second)) return isName(second) ? false : cursor.noViableAlternative(2);
  const after = cursor.peek(3);
  if (after === '(' || second === 'token') return true;
  if (after !== '.' && !followsSelectable(after)) cursor.noViableAlternative(3);
  cursor.hasRead(4);
  return false;
}

function parseCall(cursor: TokenCursor): Selectable {
  const { kind } = cursor;
  if (cursor.peek(1) === '(') {
    if (kind === 'count') {
      const inside = cursor.peek(2);
      if (inside === '*') {
        cursor.skipAll('count', '(', '*', ')');
        return { kind: 'countRows' };
      }
      if (inside !== ')' && !beginsSelectable(inside)) cursor.noViableAlternative(2);
    }
    if (kind === 'cast') return parseCast(cursor);
    if (isCellProperty(kind)) return parseCellProperty(cursor, kind);
  }
  const name = parseFunctionName(cursor);
  cursor.skip('(');
  const inside = beginsSelectable(cursor.kind) ? parseList(cursor, parseSelectable) : [];
  cursor.skip(')');
  return { kind: 'function', name, arguments: inside };
}

function parseCast(cursor: TokenCursor): Selectable {
  cursor.skipAll('cast', '(');
  const selectable = parseSelectable(cursor);
  cursor.skip('as');
  const type = parseNativeType(cursor);
  cursor.skip(')');
  return { kind: 'cast', selectable, type };
}

type CellProperty = 'writetime' | 'maxwritetime' | 'ttl';

function isCellProperty(kind: TokenKind): kind is CellProperty {
  return kind === 'writetime' || kind === 'maxwritetime' || kind === 'ttl';
}

function parseCellProperty(cursor: TokenCursor, property: CellProperty): Selectable {
  cursor.skipAll(property, '(');
  const column: Selectable = { kind: 'column', name: parseName(cursor) };
  const selectable = parseModifiers(cursor, column);
  cursor.skip(')');
  return { kind: 'cellProperty', property, selectable };
}

const openers: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'null',
  'QMARK',
  ':',
  '(',
  '[',
  '{',
  '-',
  'token',
]);

function beginsSelectable(kind: TokenKind): boolean {
  return isName(kind) || isConstant(kind) || openers.has(kind);
}

const followers: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'from',
  'as',
  ',',
  ')',
  ']',
  '}',
  ':',
  '[',
  '+',
  '-',
  '*',
  '/',
  '%',
  'order',
  'per',
  'limit',
  'allow',
  ';',
  'EOF',
]);

function followsSelectable(kind: TokenKind): boolean {
  return followers.has(kind);
}
