import { parseParenthesized } from './comma-list.ts';
import { parseName } from './names.ts';
import type { TokenCursor } from './token-cursor.ts';

export interface PrimaryKey {
  readonly partitionKey: readonly string[];
  readonly clustering: readonly string[];
}

/** `PRIMARY KEY (a, b)` or `PRIMARY KEY ((a, b), c)`. */
export function parsePrimaryKey(cursor: TokenCursor): PrimaryKey {
  cursor.skipAll('primary', 'key', '(');
  const partitionKey = parsePartitionKey(cursor);
  const clustering: string[] = [];
  while (cursor.accept(',')) clustering.push(parseName(cursor));
  cursor.skip(')');
  return { partitionKey, clustering };
}

function parsePartitionKey(cursor: TokenCursor): readonly string[] {
  if (cursor.kind === '(') return parseParenthesized(cursor, parseName);
  return [parseName(cursor)];
}
