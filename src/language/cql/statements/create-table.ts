import { type ColumnMask, parseOptionalMask } from '../column-mask.ts';
import { isName } from '../cql-token-kind.ts';
import { parseIfNotExists } from '../existence-clause.ts';
import { parseName, parseTableName, type QualifiedName } from '../names.ts';
import { type PrimaryKey, parsePrimaryKey } from '../primary-key.ts';
import { parseTableOptions, type TableOptions } from '../table-options.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseTypeName, type TypeName } from '../type-name.ts';

export interface CreateTableStatement {
  readonly kind: 'createTable';
  readonly ifNotExists: boolean;
  readonly table: QualifiedName;
  readonly columns: readonly ColumnDefinition[];
  /** As many as were written, beside a column and on their own; that there must be one is for the checks to say. */
  readonly primaryKeys: readonly PrimaryKey[];
  readonly options: TableOptions;
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: TypeName;
  readonly isStatic: boolean;
  readonly mask: ColumnMask | null;
}

export function parseCreateTable(cursor: TokenCursor): CreateTableStatement {
  cursor.skipAll('create', 'table');
  const ifNotExists = parseIfNotExists(cursor);
  const table = parseTableName(cursor);
  const columns: ColumnDefinition[] = [];
  const primaryKeys: PrimaryKey[] = [];
  cursor.skip('(');
  parseTableElement(cursor, columns, primaryKeys);
  while (cursor.accept(',')) {
    // A comma may stand before the closing parenthesis, and before another comma.
    if (cursor.kind === 'primary' || isName(cursor.kind)) parseTableElement(cursor, columns, primaryKeys);
  }
  cursor.skip(')');
  return {
    kind: 'createTable',
    ifNotExists,
    table,
    columns,
    primaryKeys,
    options: parseTableOptions(cursor),
  };
}

function parseTableElement(
  cursor: TokenCursor,
  columns: ColumnDefinition[],
  primaryKeys: PrimaryKey[],
): void {
  if (cursor.kind === 'primary') {
    primaryKeys.push(parsePrimaryKey(cursor));
    return;
  }
  const column = parseColumnDefinition(cursor);
  columns.push(column);
  if (!cursor.accept('primary')) return;
  cursor.skip('key');
  primaryKeys.push({ partitionKey: [column.name], clustering: [] });
}

/** `name type [STATIC] [MASKED WITH …]`. */
export function parseColumnDefinition(cursor: TokenCursor): ColumnDefinition {
  const name = parseName(cursor);
  const type = parseTypeName(cursor);
  const isStatic = cursor.accept('static');
  return { name, type, isStatic, mask: parseOptionalMask(cursor) };
}
