import { type ColumnMask, parseColumnMask } from '../column-mask.ts';
import { parseParenthesized } from '../comma-list.ts';
import { isName } from '../cql-token-kind.ts';
import { parseIfExists, parseIfNotExists } from '../existence-clause.ts';
import { isColumnName, parseColumnName, parseName, parseTableName, type QualifiedName } from '../names.ts';
import { type Properties, parseProperties } from '../properties.ts';
import { parseRenames, type Rename } from '../renames.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseTypeName, type TypeName } from '../type-name.ts';
import { type ColumnDefinition, parseColumnDefinition } from './create-table.ts';

export interface AlterTableStatement {
  readonly kind: 'alterTable';
  readonly ifExists: boolean;
  readonly table: QualifiedName;
  readonly change: TableChange;
}

export type TableChange =
  | { readonly kind: 'alterType'; readonly column: string; readonly type: TypeName }
  /** A mask of null is taken off. */
  | {
      readonly kind: 'mask';
      readonly ifColumnExists: boolean;
      readonly column: string;
      readonly mask: ColumnMask | null;
    }
  | { readonly kind: 'add'; readonly ifNotExists: boolean; readonly columns: readonly ColumnDefinition[] }
  | {
      readonly kind: 'drop';
      readonly ifColumnExists: boolean;
      readonly columns: readonly string[];
      /** In microseconds; null for now. */
      readonly timestamp: bigint | null;
    }
  | { readonly kind: 'rename'; readonly ifColumnExists: boolean; readonly renames: readonly Rename[] }
  | { readonly kind: 'dropCompactStorage' }
  | { readonly kind: 'properties'; readonly properties: Properties };

export function parseAlterTable(cursor: TokenCursor): AlterTableStatement {
  cursor.skipAll('alter', 'table');
  const ifExists = parseIfExists(cursor);
  const table = parseTableName(cursor);
  return { kind: 'alterTable', ifExists, table, change: parseChange(cursor) };
}

function parseChange(cursor: TokenCursor): TableChange {
  switch (cursor.kind) {
    case 'alter':
      return parseAlterColumn(cursor);
    case 'add':
      return parseAdd(cursor);
    case 'drop':
      return parseDrop(cursor);
    case 'rename': {
      cursor.take();
      const ifColumnExists = parseIfExists(cursor);
      return { kind: 'rename', ifColumnExists, renames: parseRenames(cursor) };
    }
    case 'with':
      cursor.take();
      return { kind: 'properties', properties: parseProperties(cursor) };
    default:
      return cursor.noViableAlternative();
  }
}

function parseAlterColumn(cursor: TokenCursor): TableChange {
  checkAlterColumn(cursor);
  cursor.skip('alter');
  const ifColumnExists = parseIfExists(cursor);
  const column = parseColumnName(cursor);
  if (!ifColumnExists && cursor.accept('type'))
    return { kind: 'alterType', column, type: parseTypeName(cursor) };
  if (cursor.kind === 'masked')
    return { kind: 'mask', ifColumnExists, column, mask: parseColumnMask(cursor) };
  if (cursor.kind !== 'drop') cursor.noViableAlternative();
  cursor.skipAll('drop', 'masked');
  return { kind: 'mask', ifColumnExists, column, mask: null };
}

/** The two forms are told apart by the token after the column, and refused at ALTER. */
function checkAlterColumn(cursor: TokenCursor): void {
  const first = cursor.peek(1);
  if (first === 'if') return;
  if (!isColumnName(first)) cursor.noViableAlternative(1);
  const next = cursor.peek(2);
  if (next !== 'type' && next !== 'masked' && next !== 'drop') cursor.noViableAlternative(2);
}

function parseAdd(cursor: TokenCursor): TableChange {
  cursor.skip('add');
  const ifNotExists = parseIfNotExists(cursor);
  const columns =
    cursor.kind === '(' ? parseParenthesized(cursor, parseColumnDefinition) : [parseColumnDefinition(cursor)];
  return { kind: 'add', ifNotExists, columns };
}

function parseDrop(cursor: TokenCursor): TableChange {
  const first = cursor.peek(1);
  if (first !== 'if' && first !== '(' && !isName(first)) cursor.noViableAlternative(1);
  if (first === 'compact') {
    const next = cursor.peek(2);
    if (next === 'storage') {
      cursor.skipAll('drop', 'compact', 'storage');
      return { kind: 'dropCompactStorage' };
    }
    if (next !== 'using' && next !== ';' && next !== 'EOF') cursor.noViableAlternative(2);
  }
  cursor.skip('drop');
  const ifColumnExists = parseIfExists(cursor);
  const columns = cursor.kind === '(' ? parseParenthesized(cursor, parseName) : [parseName(cursor)];
  return { kind: 'drop', ifColumnExists, columns, timestamp: parseTimestamp(cursor) };
}

function parseTimestamp(cursor: TokenCursor): bigint | null {
  if (!cursor.accept('using')) return null;
  cursor.skip('timestamp');
  const text = cursor.expect('INTEGER');
  const timestamp = BigInt(text);
  if (timestamp !== BigInt.asIntN(64, timestamp)) cursor.refuseNumber(`For input string: "${text}"`);
  return timestamp;
}
