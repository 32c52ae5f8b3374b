import { parseIfNotExists } from '../existence-clause.ts';
import { parseKeyspaceName } from '../names.ts';
import { type Properties, parseProperties } from '../properties.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface CreateKeyspaceStatement {
  readonly kind: 'createKeyspace';
  readonly ifNotExists: boolean;
  readonly keyspace: string;
  readonly properties: Properties;
}

export function parseCreateKeyspace(cursor: TokenCursor): CreateKeyspaceStatement {
  cursor.skipAll('create', 'keyspace');
  const ifNotExists = parseIfNotExists(cursor);
  const keyspace = parseKeyspaceName(cursor);
  cursor.skip('with');
  return { kind: 'createKeyspace', ifNotExists, keyspace, properties: parseProperties(cursor) };
}
