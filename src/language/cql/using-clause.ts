import { parseIntegerOrMarker, type Term } from './terms.ts';
import type { TokenCursor } from './token-cursor.ts';

/** What a statement on data may say about its cells; of two that say the same, the last counts. */
export interface UsingClause {
  readonly timestamp: Term | null;
  readonly ttl: Term | null;
}

const nothingSaid: UsingClause = { timestamp: null, ttl: null };

/** `USING TIMESTAMP n AND TTL m`, in any order, which may be absent. */
export function parseUsing(cursor: TokenCursor): UsingClause {
  if (!cursor.accept('using')) return nothingSaid;
  let using = parseObjective(cursor, nothingSaid);
  while (cursor.accept('and')) using = parseObjective(cursor, using);
  return using;
}

function parseObjective(cursor: TokenCursor, using: UsingClause): UsingClause {
  if (cursor.accept('timestamp')) return { ...using, timestamp: parseIntegerOrMarker(cursor, 'timestamp') };
  if (cursor.accept('ttl')) return { ...using, ttl: parseIntegerOrMarker(cursor, 'ttl') };
  return cursor.noViableAlternative();
}

/** DELETE takes a timestamp only. */
export function parseUsingTimestamp(cursor: TokenCursor): Term | null {
  if (!cursor.accept('using')) return null;
  cursor.skip('timestamp');
  return parseIntegerOrMarker(cursor, 'timestamp');
}
