import { parseList } from '../comma-list.ts';
import { parseColumnName, parseTableName, type QualifiedName } from '../names.ts';
import { parseWhere, type Relation } from '../relations.ts';
import { parseSelectable, parseSelectors, type Selectable, type Selector } from '../selectors.ts';
import { parseIntegerOrMarker, parseTerm, type Term } from '../terms.ts';
import type { TokenCursor } from '../token-cursor.ts';

export interface SelectStatement {
  readonly kind: 'select';
  readonly isJson: boolean;
  readonly isDistinct: boolean;
  /** Empty for `*`. */
  readonly selectors: readonly Selector[];
  readonly table: QualifiedName;
  readonly where: readonly Relation[];
  readonly groupBy: readonly Selectable[];
  readonly orderBy: readonly Ordering[];
  readonly perPartitionLimit: Term | null;
  readonly limit: Term | null;
  readonly allowFiltering: boolean;
}

export interface Ordering {
  readonly column: string;
  readonly descending: boolean;
  /** What `ANN OF` measures the distance to; null for a plain ordering. */
  readonly nearestTo: Term | null;
}

interface SelectClause {
  readonly isDistinct: boolean;
  readonly selectors: readonly Selector[];
}

export function parseSelect(cursor: TokenCursor): SelectStatement {
  cursor.skip('select');
  const json = parseJsonClause(cursor);
  const clause = json ?? parseSelectClause(cursor);
  cursor.skip('from');
  const table = parseTableName(cursor);
  return {
    kind: 'select',
    isJson: json !== undefined,
    isDistinct: clause.isDistinct,
    selectors: clause.selectors,
    table,
    where: cursor.accept('where') ? parseWhere(cursor) : [],
    groupBy: parseGroupBy(cursor),
    orderBy: parseOrderBy(cursor),
    perPartitionLimit: parsePerPartitionLimit(cursor),
    limit: cursor.accept('limit') ? parseIntegerOrMarker(cursor, 'limit') : null,
    allowFiltering: parseAllowFiltering(cursor),
  };
}

/** `json` may be a column too: it is the keyword if a select clause can be read after it. */
function parseJsonClause(cursor: TokenCursor): SelectClause | undefined {
  if (cursor.kind !== 'json') return undefined;
  return cursor.attempt(() => {
    cursor.skip('json');
    return parseSelectClause(cursor);
  });
}

function parseSelectClause(cursor: TokenCursor): SelectClause {
  const distinct = parseDistinct(cursor);
  return distinct ?? { isDistinct: false, selectors: parseSelectors(cursor) };
}

/** `distinct` may be a column too. */
function parseDistinct(cursor: TokenCursor): SelectClause | undefined {
  if (cursor.kind !== 'distinct') return undefined;
  return cursor.attempt(() => {
    cursor.skip('distinct');
    return { isDistinct: true, selectors: parseSelectors(cursor) };
  });
}

function parseGroupBy(cursor: TokenCursor): readonly Selectable[] {
  if (!cursor.accept('group')) return [];
  cursor.skip('by');
  return parseList(cursor, parseSelectable);
}

function parseOrderBy(cursor: TokenCursor): readonly Ordering[] {
  if (!cursor.accept('order')) return [];
  cursor.skip('by');
  return parseList(cursor, parseOrdering);
}

function parseOrdering(cursor: TokenCursor): Ordering {
  const column = parseColumnName(cursor);
  const nearestTo = parseNearestTo(cursor);
  const descending = cursor.accept('desc');
  if (!descending) cursor.accept('asc');
  return { column, descending, nearestTo };
}

function parseNearestTo(cursor: TokenCursor): Term | null {
  if (!cursor.accept('ann')) return null;
  cursor.skip('of');
  return parseTerm(cursor);
}

function parsePerPartitionLimit(cursor: TokenCursor): Term | null {
  if (!cursor.accept('per')) return null;
  cursor.skipAll('partition', 'limit');
  return parseIntegerOrMarker(cursor, 'perPartitionLimit');
}

function parseAllowFiltering(cursor: TokenCursor): boolean {
  if (!cursor.accept('allow')) return false;
  cursor.skip('filtering');
  return true;
}
