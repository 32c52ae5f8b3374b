// Terms: what stands on the right of a relation, in VALUES, in SET. Selectors look alike but are their own grammar,
// because there a bare word is a column; a term never refers to one.

import { parseList } from './comma-list.ts';
import { isFunctionName, isName, type NativeTypeWord, type TokenKind } from './cql-token-kind.ts';
import { parseFunctionName, parseName, type QualifiedName } from './names.ts';
import type { BindMarker, MarkerPlace, TokenCursor } from './token-cursor.ts';
import { parseNativeType, parseTypeName, type TypeName } from './type-name.ts';

/** A literal by its text, since what it means depends on the type it is given to; NaN and Infinity in Java's spelling. */
export interface Constant {
  readonly kind: 'constant';
  readonly type: 'string' | 'integer' | 'float' | 'boolean' | 'duration' | 'uuid' | 'hex';
  readonly text: string;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

export type Term =
  | Constant
  | BindMarker
  | { readonly kind: 'null' }
  | { readonly kind: 'list' | 'set' | 'tuple'; readonly elements: readonly Term[] }
  | { readonly kind: 'map'; readonly entries: readonly MapEntry[] }
  | { readonly kind: 'userType'; readonly fields: readonly FieldValue[] }
  | { readonly kind: 'function'; readonly name: QualifiedName; readonly arguments: readonly Term[] }
  | { readonly kind: 'typeHint'; readonly type: TypeName; readonly term: Term }
  | { readonly kind: 'cast'; readonly term: Term; readonly type: NativeTypeWord }
  | { readonly kind: 'negation'; readonly term: Term }
  | {
      readonly kind: 'operation';
      readonly operator: ArithmeticOperator;
      readonly left: Term;
      readonly right: Term;
    };

export interface MapEntry {
  readonly key: Term;
  readonly value: Term;
}

export interface FieldValue {
  readonly name: string;
  readonly value: Term;
}

export function parseTerm(cursor: TokenCursor): Term {
  cursor.descend();
  let term = parseProduct(cursor);
  let operators = 0;
  // `SET l = [1] + l`: a plus that a column follows belongs to the assignment, not to the term.
  while ((cursor.kind === '+' && !isPrepending(cursor)) || cursor.kind === '-') {
    const operator = cursor.kind;
    cursor.take();
    cursor.descend();
    operators += 1;
    term = { kind: 'operation', operator, left: term, right: parseProduct(cursor) };
  }
  if (!followsTerm(cursor.kind)) cursor.noViableAlternative();
  cursor.hasRead(1);
  cursor.rise(operators + 1);
  return term;
}

// Where a plus may begin something else, Cassandra looks at what follows a term, and refuses it there and then.
const followers: ReadonlySet<TokenKind> = new Set<TokenKind>([
  '+',
  ',',
  ')',
  ']',
  '}',
  ':',
  ';',
  'RANGE',
  'EOF',
  'and',
  'where',
  'if',
  'group',
  'order',
  'per',
  'limit',
  'allow',
  'asc',
  'desc',
  'primary',
  'insert',
  'update',
  'delete',
  'apply',
]);

function followsTerm(kind: TokenKind): boolean {
  return followers.has(kind);
}

function isPrepending(cursor: TokenCursor): boolean {
  const next = cursor.peek(1);
  if (next === 'EMPTY_QUOTED_NAME') return true;
  if (!beginsTerm(next)) cursor.noViableAlternative(1);
  if (!isName(next)) return false;
  const after = cursor.peek(2);
  if (after === '(' || after === '.') return false;
  if (after !== ',' && after !== 'where') cursor.noViableAlternative(2);
  return true;
}

function parseProduct(cursor: TokenCursor): Term {
  let term = parseFactor(cursor);
  let operators = 0;
  while (cursor.kind === '*' || cursor.kind === '/' || cursor.kind === '%') {
    const operator = cursor.kind;
    cursor.take();
    cursor.descend();
    operators += 1;
    term = { kind: 'operation', operator, left: term, right: parseFactor(cursor) };
  }
  cursor.rise(operators);
  return term;
}

function parseFactor(cursor: TokenCursor): Term {
  if (cursor.accept('-')) return { kind: 'negation', term: parseSimpleTerm(cursor) };
  return parseSimpleTerm(cursor);
}

function parseSimpleTerm(cursor: TokenCursor): Term {
  switch (cursor.kind) {
    case 'null':
      cursor.take();
      return { kind: 'null' };
    case 'QMARK':
      return parseQuestionMark(cursor);
    case ':':
      return parseMarker(cursor, 'value');
    case '(':
      return parseAfterParenthesis(cursor);
    case '[':
      return parseListLiteral(cursor);
    case '{':
      return parseBraces(cursor);
    case 'cast':
      if (cursor.peek(1) === '(') return parseCast(cursor);
      return parseFunctionCall(cursor);
    default:
      return parseConstant(cursor) ?? parseFunctionCall(cursor);
  }
}

/** A question mark may also stand, though wrongly, for the keyspace of a function. */
function parseQuestionMark(cursor: TokenCursor): Term {
  const next = cursor.peek(1);
  if (next === '.') return parseFunctionCall(cursor);
  if (!followsTerm(next) && !operators.has(next) && next !== 'as') cursor.noViableAlternative(1);
  return parseMarker(cursor, 'value');
}

const operators: ReadonlySet<TokenKind> = new Set<TokenKind>(['+', '-', '*', '/', '%']);

/** `?` or `:name`. */
export function parseMarker(cursor: TokenCursor, place: MarkerPlace): BindMarker {
  if (cursor.accept('QMARK')) return cursor.addMarker(null, place);
  cursor.skip(':');
  return cursor.addMarker(parseName(cursor), place);
}

const constantTypes: ReadonlyMap<TokenKind, Constant['type']> = new Map<TokenKind, Constant['type']>([
  ['STRING_LITERAL', 'string'],
  ['INTEGER', 'integer'],
  ['FLOAT', 'float'],
  ['BOOLEAN', 'boolean'],
  ['DURATION', 'duration'],
  ['UUID', 'uuid'],
  ['HEXNUMBER', 'hex'],
]);

const namedFloats: ReadonlyMap<TokenKind, string> = new Map<TokenKind, string>([
  ['nan', 'NaN'],
  ['-nan', 'NaN'],
  ['infinity', 'Infinity'],
  ['-infinity', '-Infinity'],
]);

export function parseConstant(cursor: TokenCursor): Constant | undefined {
  const { kind } = cursor;
  const type = constantTypes.get(kind);
  if (type !== undefined) {
    if (type === 'float') checkMagnitude(cursor);
    return { kind: 'constant', type, text: cursor.take() };
  }
  const text = namedFloats.get(kind);
  if (text === undefined) return undefined;
  cursor.take();
  return { kind: 'constant', type: 'float', text };
}

/** Cassandra reads every float as a double first, so even a decimal may not be larger than one. */
function checkMagnitude(cursor: TokenCursor): void {
  if (Number.isFinite(Number(cursor.text))) return;
  const allowed = 'a decimal digit number, decimal point, nor "e" notation exponential mark.';
  cursor.refuseNumber(`Character I is neither ${allowed}`);
}

export function isConstant(kind: TokenKind): boolean {
  return constantTypes.has(kind) || namedFloats.has(kind);
}

/** `now()`, `ks.f(1, ?)`. Whether it is one is decided by what follows the name. */
function parseFunctionCall(cursor: TokenCursor): Term {
  const { kind } = cursor;
  if (!isFunctionName(kind) && !isName(kind) && kind !== 'QMARK') cursor.noViableAlternative();
  checkCall(cursor);
  const name = parseFunctionName(cursor);
  cursor.skip('(');
  const inside = cursor.kind === ')' ? [] : parseList(cursor, parseTerm);
  cursor.skip(')');
  return { kind: 'function', name, arguments: inside };
}

/** Refuses a name that no parenthesis follows, at the token where that became clear. */
function checkCall(cursor: TokenCursor): void {
  const { kind } = cursor;
  const next = cursor.peek(1);
  if (next === '(' && isFunctionName(kind)) {
    checkArguments(cursor, 2);
    return;
  }
  if (next !== '.' || kind === 'token') cursor.noViableAlternative(1);
  if (!isFunctionName(cursor.peek(2))) cursor.noViableAlternative(2);
  if (cursor.peek(3) !== '(') cursor.noViableAlternative(3);
  checkArguments(cursor, 4);
}

function checkArguments(cursor: TokenCursor, ahead: number): void {
  const inside = cursor.peek(ahead);
  if (inside !== ')' && !beginsTerm(inside)) cursor.noViableAlternative(ahead);
}

/** `CAST(term AS type)`. */
function parseCast(cursor: TokenCursor): Term {
  cursor.skipAll('cast', '(');
  cursor.descend();
  const term = parseSimpleTerm(cursor);
  cursor.rise();
  cursor.skip('as');
  const type = parseNativeType(cursor);
  cursor.skip(')');
  return { kind: 'cast', term, type };
}

/** `(int) 1` is a type hint, `(1, 2)` a tuple; the first tokens tell which. */
function parseAfterParenthesis(cursor: TokenCursor): Term {
  if (beginsTypeHint(cursor)) {
    cursor.skip('(');
    const type = parseTypeName(cursor);
    cursor.skip(')');
    cursor.descend();
    const term = parseSimpleTerm(cursor);
    cursor.rise();
    return { kind: 'typeHint', type, term };
  }
  return parseTupleLiteral(cursor);
}

function beginsTypeHint(cursor: TokenCursor): boolean {
  const inside = cursor.peek(1);
  if (inside === 'set') return true;
  if (!beginsTerm(inside)) cursor.noViableAlternative(1);
  if (inside === 'STRING_LITERAL') return cursor.peek(2) === ')' && beginsHintedTerm(cursor, 3);
  if (!isName(inside)) return false;
  const next = cursor.peek(2);
  if (next === ')' || next === '<') return true;
  if (next === '(') return false;
  if (next !== '.') cursor.noViableAlternative(2);
  const name = cursor.peek(3);
  if (!isName(name) && !isFunctionName(name)) cursor.noViableAlternative(3);
  const after = cursor.peek(4);
  if (after !== ')' && after !== '(') cursor.noViableAlternative(4);
  return after === ')';
}

/** After `('x')` a word may begin the next clause as well: `= ('x') GROUP BY p`. */
function beginsHintedTerm(cursor: TokenCursor, ahead: number): boolean {
  const kind = cursor.peek(ahead);
  const isWord = (isFunctionName(kind) || isName(kind)) && !isConstant(kind) && kind !== 'QMARK';
  const next = cursor.peek(ahead + 1);
  return isWord ? next === '(' || next === '.' : beginsSimpleTerm(kind);
}

export function beginsTerm(kind: TokenKind): boolean {
  return kind === '-' || beginsSimpleTerm(kind);
}

function beginsSimpleTerm(kind: TokenKind): boolean {
  if (isConstant(kind) || isFunctionName(kind) || isName(kind)) return true;
  return kind === 'null' || kind === 'QMARK' || kind === ':' || kind === '(' || kind === '[' || kind === '{';
}

export function parseTupleLiteral(cursor: TokenCursor): Term {
  cursor.skip('(');
  const elements = parseList(cursor, parseTerm);
  cursor.skip(')');
  return { kind: 'tuple', elements };
}

function parseListLiteral(cursor: TokenCursor): Term {
  cursor.skip('[');
  const elements = beginsTerm(cursor.kind) ? parseList(cursor, parseTerm) : [];
  cursor.skip(']');
  return { kind: 'list', elements };
}

/** `{}` is a set here, whatever the column makes of it; `{name: term}` a user-defined type; else a set or a map. */
function parseBraces(cursor: TokenCursor): Term {
  if (beginsUserType(cursor)) return parseUserTypeLiteral(cursor);
  cursor.skip('{');
  if (cursor.accept('}')) return { kind: 'set', elements: [] };
  const first = parseTerm(cursor);
  const { kind } = cursor;
  if (kind !== ':' && kind !== ',' && kind !== '}') cursor.noViableAlternative();
  const literal: Term = kind === ':' ? parseMapFrom(cursor, first) : parseSetFrom(cursor, first);
  cursor.skip('}');
  return literal;
}

function beginsUserType(cursor: TokenCursor): boolean {
  const inside = cursor.peek(1);
  if (inside !== '}' && !beginsTerm(inside)) cursor.noViableAlternative(1);
  if (!isName(inside)) return false;
  const next = cursor.peek(2);
  if (next !== ':' && next !== '(' && next !== '.') cursor.noViableAlternative(2);
  return next === ':';
}

function parseSetFrom(cursor: TokenCursor, first: Term): Term {
  const elements = [first];
  while (cursor.accept(',')) elements.push(parseTerm(cursor));
  return { kind: 'set', elements };
}

function parseMapFrom(cursor: TokenCursor, firstKey: Term): Term {
  cursor.skip(':');
  const entries: MapEntry[] = [{ key: firstKey, value: parseTerm(cursor) }];
  while (cursor.accept(',')) entries.push(parseMapEntry(cursor));
  return { kind: 'map', entries };
}

function parseMapEntry(cursor: TokenCursor): MapEntry {
  const key = parseTerm(cursor);
  cursor.skip(':');
  return { key, value: parseTerm(cursor) };
}

/** `{}` or `{key: value, …}`, and nothing else in braces: what options take. */
export function parseMapLiteral(cursor: TokenCursor): readonly MapEntry[] {
  cursor.skip('{');
  const entries = beginsTerm(cursor.kind) ? parseList(cursor, parseMapEntry) : [];
  cursor.skip('}');
  return entries;
}

function parseUserTypeLiteral(cursor: TokenCursor): Term {
  cursor.skip('{');
  const fields = parseList(cursor, parseFieldValue);
  cursor.skip('}');
  return { kind: 'userType', fields };
}

function parseFieldValue(cursor: TokenCursor): FieldValue {
  const name = parseName(cursor);
  cursor.skip(':');
  return { name, value: parseTerm(cursor) };
}

/** LIMIT, TTL and TIMESTAMP take an integer or a marker, never an expression. */
export function parseIntegerOrMarker(cursor: TokenCursor, place: MarkerPlace): Constant | BindMarker {
  if (cursor.kind === 'INTEGER') return { kind: 'constant', type: 'integer', text: cursor.take() };
  if (cursor.kind !== 'QMARK' && cursor.kind !== ':') cursor.noViableAlternative();
  return parseMarker(cursor, place);
}
