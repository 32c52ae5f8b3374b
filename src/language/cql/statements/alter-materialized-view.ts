import { parseIfExists } from '../existence-clause.ts';
import { parseTableName, type QualifiedName } from '../names.ts';
import { type Properties, parseProperties } from '../properties.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface AlterMaterializedViewStatement {
  readonly kind: 'alterMaterializedView';
  readonly ifExists: boolean;
  readonly view: QualifiedName;
  readonly properties: Properties;
}

export function parseAlterMaterializedView(cursor: TokenCursor): AlterMaterializedViewStatement {
  cursor.skipAll('alter', 'materialized', 'view');
  const ifExists = parseIfExists(cursor);
  const view = parseTableName(cursor);
  cursor.skip('with');
  return { kind: 'alterMaterializedView', ifExists, view, properties: parseProperties(cursor) };
}
