import { parseKeyspaceName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface UseStatement {
  readonly kind: 'use';
  readonly keyspace: string;
}

export function parseUse(cursor: TokenCursor): UseStatement {
  cursor.skip('use');
  return { kind: 'use', keyspace: parseKeyspaceName(cursor) };
}
