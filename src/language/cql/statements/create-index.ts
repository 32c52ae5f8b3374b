import { parseList } from '../comma-list.ts';
import { isName, type TokenKind } from '../cql-token-kind.ts';
import { parseIfNotExists } from '../existence-clause.ts';
import {
  isColumnName,
  parseBareIndexName,
  parseColumnName,
  parseTableName,
  type QualifiedName,
} from '../names.ts';
import { type Properties, parseProperties } from '../properties.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface CreateIndexStatement {
  readonly kind: 'createIndex';
  readonly isCustom: boolean;
  readonly ifNotExists: boolean;
  /** Null where Cassandra makes a name of table and column. */
  readonly name: string | null;
  readonly table: QualifiedName;
  readonly targets: readonly IndexTarget[];
  /** `USING 'class'`; null for the default kind. */
  readonly using: string | null;
  readonly properties: Properties;
}

export interface IndexTarget {
  readonly kind: 'simple' | 'values' | 'keys' | 'entries' | 'full';
  readonly column: string;
}

export function parseCreateIndex(cursor: TokenCursor): CreateIndexStatement {
  cursor.skip('create');
  const isCustom = cursor.accept('custom');
  cursor.skip('index');
  const ifNotExists = parseIfNotExists(cursor);
  const name = isName(cursor.kind) || cursor.kind === 'QMARK' ? parseBareIndexName(cursor) : null;
  cursor.skip('on');
  const table = parseTableName(cursor);
  cursor.skip('(');
  const targets = beginsTarget(cursor.kind) ? parseList(cursor, parseTarget) : [];
  cursor.skip(')');
  const using = cursor.accept('using') ? cursor.expect('STRING_LITERAL') : null;
  const properties: Properties = cursor.accept('with') ? parseProperties(cursor) : new Map();
  return { kind: 'createIndex', isCustom, ifNotExists, name, table, targets, using, properties };
}

function beginsTarget(kind: TokenKind): boolean {
  return isColumnName(kind) || kind === 'entries' || kind === 'full';
}

function parseTarget(cursor: TokenCursor): IndexTarget {
  const { kind } = cursor;
  if (kind === 'entries' || kind === 'full') return parsePart(cursor, kind);
  if (kind === 'values' || kind === 'keys') {
    const next = cursor.peek(1);
    if (next === '(') return parsePart(cursor, kind);
    if (next !== ',' && next !== ')') cursor.noViableAlternative(1);
  }
  return { kind: 'simple', column: parseColumnName(cursor) };
}

/** `values(column)` and its like. */
function parsePart(cursor: TokenCursor, kind: 'values' | 'keys' | 'entries' | 'full'): IndexTarget {
  cursor.skipAll(kind, '(');
  const column = parseColumnName(cursor);
  cursor.skip(')');
  return { kind, column };
}
