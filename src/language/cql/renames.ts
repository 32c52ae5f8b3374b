import { parseName } from './names.ts';
import type { TokenCursor } from './token-cursor.ts';

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** `a TO b AND c TO d`. */
export function parseRenames(cursor: TokenCursor): readonly Rename[] {
  const renames = [parseRename(cursor)];
  while (cursor.accept('and')) renames.push(parseRename(cursor));
  return renames;
}

function parseRename(cursor: TokenCursor): Rename {
  const from = parseName(cursor);
  cursor.skip('to');
  return { from, to: parseName(cursor) };
}
