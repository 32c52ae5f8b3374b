// Expressions by precedence. From loose to tight: ?: · ?? · OR · AND · NOT · IN, LIKE, BETWEEN · || · | · ^ · & · = != ·
// < > <= >= · << >> >>> · + - · * / % · signs. NOT binds looser than comparisons, as everywhere in SQL (not verified).

import { syntaxError } from './sql-error.ts';
import type { BinaryOperator, Expression, Literal, SubqueryForm, UnaryOperator } from './sql-query.ts';
import type { TokenCursor } from './token-cursor.ts';

const level = { conditional: 0, coalesce: 1, or: 2, and: 3, not: 4, predicate: 5, binary: 6 } as const;

/** Above `level.predicate`, by operator. */
const precedences: Readonly<Record<string, number>> = {
  '||': 6,
  '|': 7,
  '^': 8,
  '&': 9,
  '=': 10,
  '!=': 10,
  '<>': 10,
  '<': 11,
  '>': 11,
  '<=': 11,
  '>=': 11,
  '<<': 12,
  '>>': 12,
  '>>>': 12,
  '+': 13,
  '-': 13,
  '*': 14,
  '/': 14,
  '%': 14,
};

export function parseExpression(cursor: TokenCursor): Expression {
  return cursor.nested(() => parseFrom(cursor, level.conditional));
}

/** An expression whose operators all bind at least as tightly as `lowest`. */
function parseFrom(cursor: TokenCursor, lowest: number): Expression {
  const start = cursor.next.start;
  let left = parseUnary(cursor, lowest);
  let links = 0;
  while (true) {
    const longer = parseOperator(cursor, left, start, lowest);
    if (longer === undefined) return left;
    if (links++ > 0 && longer.kind !== 'logical') cursor.chain();
    left = longer;
  }
}

/** What an operator that follows makes of what stands before it; undefined where none follows that binds tightly enough. */
function parseOperator(
  cursor: TokenCursor,
  left: Expression,
  start: number,
  lowest: number,
): Expression | undefined {
  const { kind, text } = cursor.next;
  if (kind === 'symbol') return parseSymbolOperator(cursor, text, left, start, lowest);
  if (kind !== 'name') return undefined;
  if (lowest <= level.and && cursor.takeWord('AND')) return logical(cursor, 'AND', left, start);
  if (lowest <= level.or && cursor.takeWord('OR')) return logical(cursor, 'OR', left, start);
  if (lowest <= level.predicate) return parsePredicate(cursor, left, start);
  return undefined;
}

function parseSymbolOperator(
  cursor: TokenCursor,
  symbol: string,
  left: Expression,
  start: number,
  lowest: number,
): Expression | undefined {
  if (symbol === '?' && lowest <= level.conditional) {
    cursor.take();
    const then = parseExpression(cursor);
    cursor.expectSymbol(':');
    const otherwise = cursor.nested(() => parseFrom(cursor, level.conditional));
    return frozen({ kind: 'conditional', condition: left, then, otherwise, span: cursor.spanFrom(start) });
  }
  if (symbol === '??' && lowest <= level.coalesce) {
    cursor.take();
    const right = parseFrom(cursor, level.or);
    return frozen({ kind: 'binary', operator: '??', left, right, span: cursor.spanFrom(start) });
  }
  const precedence = precedences[symbol];
  if (precedence === undefined || precedence < lowest) return undefined;
  cursor.take();
  const right = parseFrom(cursor, precedence + 1);
  const operator = (symbol === '<>' ? '!=' : symbol) as BinaryOperator;
  return frozen({ kind: 'binary', operator, left, right, span: cursor.spanFrom(start) });
}

function logical(cursor: TokenCursor, operator: 'AND' | 'OR', left: Expression, start: number): Expression {
  const right = parseFrom(cursor, operator === 'AND' ? level.not : level.and);
  const before = left.kind === 'logical' && left.operator === operator ? left.operands : [left];
  const operands = [...before, right];
  // A list of thousands would be copied for each of them: take the rest of the chain at once.
  while (cursor.takeWord(operator)) {
    operands.push(parseFrom(cursor, operator === 'AND' ? level.not : level.and));
  }
  return frozen({ kind: 'logical', operator, operands, span: cursor.spanFrom(start) });
}

function parsePredicate(cursor: TokenCursor, value: Expression, start: number): Expression | undefined {
  const isNegated = cursor.isWord('NOT');
  const distance = isNegated ? 1 : 0;
  const word = ['IN', 'LIKE', 'BETWEEN'].find((candidate) => cursor.isWord(candidate, distance));
  if (word === undefined) return undefined;
  if (isNegated) cursor.take();
  cursor.take();
  if (word === 'IN') {
    cursor.expectSymbol('(');
    const items = parseList(cursor, ')');
    if (items.length === 0) throw syntaxError(')', cursor.spanFrom(cursor.next.start - 1));
    return frozen({ kind: 'in', value, items, isNegated, span: cursor.spanFrom(start) });
  }
  if (word === 'BETWEEN') {
    const low = parseFrom(cursor, level.binary);
    cursor.expectWord('AND');
    const high = parseFrom(cursor, level.binary);
    return frozen({ kind: 'between', value, low, high, isNegated, span: cursor.spanFrom(start) });
  }
  const pattern = parseFrom(cursor, level.binary);
  let escapedBy: string | undefined;
  if (cursor.takeWord('ESCAPE')) {
    if (cursor.next.kind !== 'string' || [...String(cursor.next.value)].length !== 1) cursor.fail();
    escapedBy = String(cursor.take().value);
  }
  return frozen({ kind: 'like', value, pattern, escapedBy, isNegated, span: cursor.spanFrom(start) });
}

function parseUnary(cursor: TokenCursor, lowest: number): Expression {
  const { start, kind, text } = cursor.next;
  if (cursor.isWord('NOT')) {
    cursor.take();
    // Where NOT stands as the operand of something tighter (`1 + NOT x`), it takes what is tighter still.
    const operand = cursor.nested(() => parseFrom(cursor, Math.max(lowest, level.not)));
    return frozen({ kind: 'unary', operator: 'NOT', operand, span: cursor.spanFrom(start) });
  }
  if (kind === 'symbol' && (text === '-' || text === '+' || text === '~')) {
    cursor.take();
    const operand = cursor.nested(() => parseUnary(cursor, level.binary));
    // A number below zero is a constant like others: keys and ranges are made of it.
    if (text === '-' && operand.kind === 'literal' && typeof operand.value === 'number')
      return literal(-operand.value, cursor, start);
    return frozen({ kind: 'unary', operator: text as UnaryOperator, operand, span: cursor.spanFrom(start) });
  }
  return parsePath(cursor);
}

/** A name, a call or anything else that has no operator, and the steps from it. */
export function parsePath(cursor: TokenCursor): Expression {
  const { start } = cursor.next;
  let node = parsePrimary(cursor, start);
  for (let steps = 0; ; steps++) {
    if (steps > 8) cursor.chain();
    if (cursor.takeSymbol('.')) {
      node = frozen({ kind: 'property', of: node, name: cursor.takeName(), span: cursor.spanFrom(start) });
    } else if (cursor.takeSymbol('[')) {
      const key = parseExpression(cursor);
      cursor.expectSymbol(']');
      node = frozen({ kind: 'element', of: node, key, span: cursor.spanFrom(start) });
    } else {
      return node;
    }
  }
}

function parsePrimary(cursor: TokenCursor, start: number): Expression {
  const token = cursor.next;
  switch (token.kind) {
    case 'number':
    case 'string':
      cursor.take();
      return literal(token.value, cursor, start);
    case 'parameter':
      cursor.take();
      return frozen({ kind: 'parameter', name: token.text, span: cursor.spanFrom(start) });
    case 'symbol':
      return parseBracketed(cursor, token.text, start);
    case 'name':
      return parseWord(cursor, token.text, start);
    case 'end':
      return cursor.fail();
  }
}

const constants: ReadonlyMap<string, Literal['value']> = new Map<string, Literal['value']>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
]);

function literal(value: Literal['value'], cursor: TokenCursor, start: number): Literal {
  return frozen({ kind: 'literal', value, span: cursor.spanFrom(start) });
}

const subqueryForms: ReadonlySet<string> = new Set(['EXISTS', 'ARRAY', 'ALL', 'FIRST', 'LAST']);

function parseWord(cursor: TokenCursor, text: string, start: number): Expression {
  if (constants.has(text)) {
    cursor.take();
    return literal(constants.get(text), cursor, start);
  }
  const word = text.toUpperCase();
  if (subqueryForms.has(word) && cursor.isSymbol('(', 1)) {
    cursor.take();
    cursor.take();
    const query = cursor.query();
    cursor.expectSymbol(')');
    return frozen({ kind: 'subquery', form: word as SubqueryForm, query, span: cursor.spanFrom(start) });
  }
  if (text === 'udf') {
    cursor.take();
    cursor.expectSymbol('.');
    return parseCall(cursor, cursor.takeName(), true, start);
  }
  if (!cursor.isName()) cursor.fail();
  cursor.take();
  if (cursor.isSymbol('(')) return parseCall(cursor, text, false, start);
  return frozen({ kind: 'name', name: text, span: cursor.spanFrom(start) });
}

function parseCall(cursor: TokenCursor, name: string, isUserDefined: boolean, start: number): Expression {
  cursor.expectSymbol('(');
  const given = parseList(cursor, ')');
  return frozen({ kind: 'call', name, isUserDefined, arguments: given, span: cursor.spanFrom(start) });
}

function parseBracketed(cursor: TokenCursor, symbol: string, start: number): Expression {
  if (symbol === '(') {
    cursor.take();
    if (cursor.isWord('SELECT')) {
      const query = cursor.query();
      cursor.expectSymbol(')');
      return frozen({ kind: 'subquery', form: 'scalar', query, span: cursor.spanFrom(start) });
    }
    const inner = parseExpression(cursor);
    cursor.expectSymbol(')');
    return inner;
  }
  if (symbol === '[') {
    cursor.take();
    const items = parseList(cursor, ']');
    return frozen({ kind: 'array', items, span: cursor.spanFrom(start) });
  }
  if (symbol === '{') {
    cursor.take();
    return parseObject(cursor, start);
  }
  return cursor.fail();
}

function parseObject(cursor: TokenCursor, start: number): Expression {
  const members: { readonly name: string; readonly value: Expression }[] = [];
  while (!cursor.takeSymbol('}')) {
    if (members.length > 0) cursor.expectSymbol(',');
    const { kind } = cursor.next;
    if (kind !== 'string' && kind !== 'name') cursor.fail();
    const name = String(cursor.take().value);
    cursor.expectSymbol(':');
    members.push(Object.freeze({ name, value: parseExpression(cursor) }));
  }
  return frozen({ kind: 'object', members, span: cursor.spanFrom(start) });
}

/** Up to the closing symbol, which is taken. */
function parseList(cursor: TokenCursor, closing: string): readonly Expression[] {
  const items: Expression[] = [];
  while (!cursor.takeSymbol(closing)) {
    if (items.length > 0) cursor.expectSymbol(',');
    items.push(parseExpression(cursor));
  }
  return Object.freeze(items);
}

function frozen<T extends Expression>(node: T): T {
  return Object.freeze(node);
}
