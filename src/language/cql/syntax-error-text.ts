// The text of a syntax error, as Cassandra writes it: where, what, and the tokens around it with the offending one in
// brackets. Only made when a statement is refused, so it reads the text a second time to count spaces and comments.

import { lexCqlWithHidden } from './cql-lexer.ts';
import { CqlSyntaxError } from './cql-syntax-error.ts';
import type { TokenList } from './token-list.ts';

const tokensBefore = 10;
const tokensAfter = 2;

interface Position {
  readonly line: number;
  readonly column: number;
}

interface QuotedToken extends Position {
  readonly endColumn: number;
}

export function lexicalError(source: string, reason: string, offset: number): CqlSyntaxError {
  const { line, column } = positionAt(source, offset);
  return new CqlSyntaxError(`line ${line}:${column} ${reason}`, line, column);
}

/**
 * `at` is the token the message names, `current` the one the parser stood on, `furthest` the last it had looked at:
 * Cassandra quotes no token that it had not read yet, and quotes nothing at all once it had seen the end.
 */
export function parseError(
  tokens: TokenList,
  reason: string,
  at: number,
  current: number,
  furthest: number,
): CqlSyntaxError {
  const { line, column } = positionOfToken(tokens, at);
  const message = `line ${line}:${column} ${reason}`;
  try {
    return new CqlSyntaxError(message + quote(tokens, current, furthest), line, column);
  } catch (error) {
    if (!(error instanceof UnquotableError)) throw error;
    const failure = `Failed parsing statement: [${tokens.source}] reason: ${error.message}`;
    return new CqlSyntaxError(failure, line, column);
  }
}

/** A token as a message names it. */
export function tokenName(tokens: TokenList, index: number): string {
  const text = tokens.textAt(index);
  return `'${text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`;
}

export function positionOfToken(tokens: TokenList, index: number): Position {
  if (tokens.kindAt(index) === 'EOF') return { line: 0, column: -1 };
  return positionAt(tokens.source, tokens.starts[index] ?? 0);
}

function positionAt(source: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let feed = source.indexOf('\n'); feed !== -1 && feed < offset; feed = source.indexOf('\n', feed + 1)) {
    line += 1;
    lineStart = feed + 1;
  }
  return { line, column: offset - lineStart };
}

// Cassandra takes a string for as long as its content and cuts the line there, which may be past the end of the line.
class UnquotableError extends Error {}

function quote(tokens: TokenList, current: number, furthest: number): string {
  const withHidden = lexCqlWithHidden(tokens.source);
  const visible: number[] = [];
  withHidden.kinds.forEach((kind, index) => {
    if (kind !== 'HIDDEN') visible.push(index);
  });
  const offendingIndex = visible[current] ?? 0;
  const lastIndex = Math.min(visible[furthest] ?? 0, offendingIndex + tokensAfter);
  const from = quotedToken(withHidden, Math.max(0, offendingIndex - tokensBefore));
  const to = quotedToken(withHidden, lastIndex);
  const offending = quotedToken(withHidden, offendingIndex);
  if (from === undefined || to === undefined || offending === undefined) return '';

  const lines = linesOf(tokens.source);
  const lastLine = lines.at(-1) ?? '';
  const fromStart = from.line === 1 && from.column === 0;
  const toEnd = to.line === lines.length && to.endColumn === lastLine.length;
  edit(lines, to, (line) => (to.endColumn >= line.length ? line : line.slice(0, to.endColumn)));
  edit(lines, offending, (line) => insert(insert(line, offending.endColumn, ']'), offending.column, '['));
  edit(lines, from, (line) => cutFrom(line, from.column));
  const text = lines.slice(from.line - 1, to.line).join('');
  return ` (${fromStart ? '' : '...'}${text}${toEnd ? '' : '...'})`;
}

function quotedToken(tokens: TokenList, index: number): QuotedToken | undefined {
  if (tokens.kindAt(index) === 'EOF') return undefined;
  const position = positionOfToken(tokens, index);
  return { ...position, endColumn: position.column + tokens.textAt(index).length };
}

/** Lines without the empty ones at the end, as Java splits them. */
function linesOf(source: string): string[] {
  const lines = source.split('\n');
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

function edit(lines: string[], token: QuotedToken, change: (line: string) => string): void {
  const index = token.line - 1;
  const line = lines[index];
  if (line === undefined) {
    const bounds = `Index ${index} out of bounds for length ${lines.length}`;
    throw new UnquotableError(`ArrayIndexOutOfBoundsException ${bounds}`);
  }
  lines[index] = change(line);
}

function insert(line: string, column: number, character: string): string {
  if (column > line.length) {
    const bounds = `begin 0, end ${column}, length ${line.length}`;
    throw new UnquotableError(`StringIndexOutOfBoundsException ${bounds}`);
  }
  return line.slice(0, column) + character + line.slice(column);
}

function cutFrom(line: string, column: number): string {
  if (column > line.length) {
    const bounds = `begin ${column}, end ${line.length}, length ${line.length}`;
    throw new UnquotableError(`StringIndexOutOfBoundsException ${bounds}`);
  }
  return line.slice(column);
}
