import { isName, type TokenKind } from '../cql-token-kind.ts';
import {
  beginsFunctionName,
  parseFunctionName,
  parseKeyspaceName,
  parseName,
  parseTableName,
  type QualifiedName,
} from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseUserTypeName } from '../type-name.ts';

export interface DescribeStatement {
  readonly kind: 'describe';
  readonly target: DescribeTarget;
  readonly withInternals: boolean;
}

export type DescribeTarget =
  | { readonly kind: 'cluster' | 'keyspaces' | 'tables' | 'types' | 'functions' | 'aggregates' }
  | { readonly kind: 'schema'; readonly isFull: boolean }
  /** No name means the keyspace in use; `only` leaves out what is in it. */
  | { readonly kind: 'keyspace'; readonly keyspace: string | null; readonly isOnly: boolean }
  | {
      readonly kind: 'table' | 'index' | 'materializedView' | 'type' | 'function' | 'aggregate';
      readonly name: QualifiedName;
    }
  /** A bare name: a keyspace, a table, an index or a view, whichever there is. */
  | { readonly kind: 'any'; readonly name: QualifiedName };

export function parseDescribe(cursor: TokenCursor): DescribeStatement {
  if (!cursor.accept('desc')) cursor.skip('describe');
  const target = parseTarget(cursor);
  const withInternals = cursor.accept('with');
  if (withInternals) cursor.skip('internals');
  return { kind: 'describe', target, withInternals };
}

function parseTarget(cursor: TokenCursor): DescribeTarget {
  const { kind } = cursor;
  switch (kind) {
    case 'cluster':
    case 'keyspaces':
    case 'tables':
    case 'types':
    case 'functions':
    case 'aggregates':
      cursor.hasRead(2);
      cursor.take();
      return { kind };
    case 'full':
    case 'schema': {
      const isFull = cursor.accept('full');
      cursor.skip('schema');
      return { kind: 'schema', isFull };
    }
    case 'only':
      if (isBareName(cursor.peek(1))) break;
      if (cursor.peek(1) !== 'keyspace') cursor.noViableAlternative(1);
      cursor.take();
      return parseKeyspace(cursor, true);
    case 'keyspace':
      return parseKeyspace(cursor, false);
    case 'table':
      cursor.take();
      return { kind, name: parseTableName(cursor) };
    case 'index':
      cursor.take();
      return { kind, name: parseTableName(cursor) };
    case 'materialized':
      cursor.skipAll('materialized', 'view');
      return { kind: 'materializedView', name: parseTableName(cursor) };
    case 'type':
      if (isBareName(cursor.peek(1))) break;
      if (!isName(cursor.peek(1))) cursor.noViableAlternative(1);
      cursor.take();
      return { kind, name: parseUserTypeName(cursor) };
    case 'function':
    case 'aggregate':
      if (isBareName(cursor.peek(1))) break;
      if (!beginsFunctionName(cursor.peek(1))) cursor.noViableAlternative(1);
      cursor.take();
      return { kind, name: parseFunctionName(cursor) };
    default:
      if (!isName(kind)) cursor.noViableAlternative();
      if (!isBareName(cursor.peek(1))) cursor.noViableAlternative(1);
  }
  return { kind: 'any', name: parseAnyName(cursor) };
}

/** Whether the word before this token is a name and not a kind of thing. */
function isBareName(next: TokenKind): boolean {
  return next === '.' || next === 'with' || next === ';' || next === 'EOF';
}

function parseKeyspace(cursor: TokenCursor, isOnly: boolean): DescribeTarget {
  cursor.skip('keyspace');
  const isNamed = isName(cursor.kind) || cursor.kind === 'QMARK';
  return { kind: 'keyspace', keyspace: isNamed ? parseKeyspaceName(cursor) : null, isOnly };
}

function parseAnyName(cursor: TokenCursor): QualifiedName {
  const first = parseName(cursor);
  if (!cursor.accept('.')) return { keyspace: null, name: first };
  return { keyspace: first, name: parseName(cursor) };
}
