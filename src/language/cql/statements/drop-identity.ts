import { parseIfExists } from '../existence-clause.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseIdentity } from '../user-options.ts';

export interface DropIdentityStatement {
  readonly kind: 'dropIdentity';
  readonly ifExists: boolean;
  readonly identity: string;
}

export function parseDropIdentity(cursor: TokenCursor): DropIdentityStatement {
  cursor.skipAll('drop', 'identity');
  const ifExists = parseIfExists(cursor);
  return { kind: 'dropIdentity', ifExists, identity: parseIdentity(cursor) };
}
