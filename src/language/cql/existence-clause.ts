import type { TokenCursor } from './token-cursor.ts';

/** `IF NOT EXISTS`, which may be absent. */
export function parseIfNotExists(cursor: TokenCursor): boolean {
  if (!cursor.accept('if')) return false;
  cursor.skipAll('not', 'exists');
  return true;
}

/** `IF EXISTS`, which may be absent. */
export function parseIfExists(cursor: TokenCursor): boolean {
  if (!cursor.accept('if')) return false;
  cursor.skip('exists');
  return true;
}
