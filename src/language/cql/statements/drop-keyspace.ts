import { parseIfExists } from '../existence-clause.ts';
import { parseKeyspaceName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface DropKeyspaceStatement {
  readonly kind: 'dropKeyspace';
  readonly ifExists: boolean;
  readonly keyspace: string;
}

export function parseDropKeyspace(cursor: TokenCursor): DropKeyspaceStatement {
  cursor.skipAll('drop', 'keyspace');
  const ifExists = parseIfExists(cursor);
  return { kind: 'dropKeyspace', ifExists, keyspace: parseKeyspaceName(cursor) };
}
