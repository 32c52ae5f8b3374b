import type { TokenCursor } from './token-cursor.ts';

/** Things with a comma between them, at least one. */
export function parseList<Item>(
  cursor: TokenCursor,
  parseItem: (cursor: TokenCursor) => Item,
): readonly Item[] {
  const items = [parseItem(cursor)];
  while (cursor.accept(',')) items.push(parseItem(cursor));
  return items;
}

/** Things with a comma between them, in parentheses, at least one. */
export function parseParenthesized<Item>(
  cursor: TokenCursor,
  parseItem: (cursor: TokenCursor) => Item,
): readonly Item[] {
  cursor.skip('(');
  const items = parseList(cursor, parseItem);
  cursor.skip(')');
  return items;
}
