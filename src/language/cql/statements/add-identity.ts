import { parseIfNotExists } from '../existence-clause.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseIdentity } from '../user-options.ts';

export interface AddIdentityStatement {
  readonly kind: 'addIdentity';
  readonly ifNotExists: boolean;
  readonly identity: string;
  readonly role: string;
}

export function parseAddIdentity(cursor: TokenCursor): AddIdentityStatement {
  cursor.skipAll('add', 'identity');
  const ifNotExists = parseIfNotExists(cursor);
  const identity = parseIdentity(cursor);
  cursor.skipAll('to', 'role');
  return { kind: 'addIdentity', ifNotExists, identity, role: parseIdentity(cursor) };
}
