import { parseIfNotExists } from '../existence-clause.ts';
import { parseTableName, type QualifiedName } from '../names.ts';
import { type PrimaryKey, parsePrimaryKey } from '../primary-key.ts';
import { parseWhere, type Relation } from '../relations.ts';
import { parseSelectors, type Selector } from '../selectors.ts';
import { parseTableOptions, type TableOptions } from '../table-options.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface CreateMaterializedViewStatement {
  readonly kind: 'createMaterializedView';
  readonly ifNotExists: boolean;
  readonly view: QualifiedName;
  readonly selectors: readonly Selector[];
  readonly table: QualifiedName;
  readonly where: readonly Relation[];
  readonly primaryKey: PrimaryKey;
  readonly options: TableOptions;
}

export function parseCreateMaterializedView(cursor: TokenCursor): CreateMaterializedViewStatement {
  cursor.skipAll('create', 'materialized', 'view');
  const ifNotExists = parseIfNotExists(cursor);
  const view = parseTableName(cursor);
  cursor.skipAll('as', 'select');
  const selectors = parseSelectors(cursor);
  cursor.skip('from');
  const table = parseTableName(cursor);
  const where = cursor.accept('where') ? parseWhere(cursor) : [];
  const primaryKey = parsePrimaryKey(cursor);
  const options = parseTableOptions(cursor);
  if (options.isCompactStorage) {
    cursor.refuse('COMPACT STORAGE tables are not allowed starting with version 4.0');
  }
  return { kind: 'createMaterializedView', ifNotExists, view, selectors, table, where, primaryKey, options };
}
