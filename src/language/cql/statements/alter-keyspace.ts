import { parseIfExists } from '../existence-clause.ts';
import { parseKeyspaceName } from '../names.ts';
import { type Properties, parseProperties } from '../properties.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface AlterKeyspaceStatement {
  readonly kind: 'alterKeyspace';
  readonly ifExists: boolean;
  readonly keyspace: string;
  readonly properties: Properties;
}

export function parseAlterKeyspace(cursor: TokenCursor): AlterKeyspaceStatement {
  cursor.skipAll('alter', 'keyspace');
  const ifExists = parseIfExists(cursor);
  const keyspace = parseKeyspaceName(cursor);
  cursor.skip('with');
  return { kind: 'alterKeyspace', ifExists, keyspace, properties: parseProperties(cursor) };
}
