import { parseParenthesized } from './comma-list.ts';
import { parseName } from './names.ts';
import { type Properties, type PropertyValue, parseProperty } from './properties.ts';
import type { TokenCursor } from './token-cursor.ts';

/** What follows WITH in the definition of a table or a view. */
export interface TableOptions {
  readonly properties: Properties;
  readonly isCompactStorage: boolean;
  /** As written, and not yet held against the primary key. */
  readonly clusteringOrder: readonly ClusteringOrder[];
}

export interface ClusteringOrder {
  readonly column: string;
  readonly descending: boolean;
}

/** `WITH option AND …`, which may be absent. */
export function parseTableOptions(cursor: TokenCursor): TableOptions {
  const properties = new Map<string, PropertyValue>();
  const clusteringOrder: ClusteringOrder[] = [];
  let isCompactStorage = false;
  if (!cursor.accept('with')) return { properties, isCompactStorage, clusteringOrder };
  do {
    if (cursor.kind === 'compact' && cursor.peek(1) === 'storage') {
      cursor.skipAll('compact', 'storage');
      isCompactStorage = true;
    } else if (cursor.kind === 'clustering' && cursor.peek(1) === 'order') {
      cursor.skipAll('clustering', 'order', 'by');
      clusteringOrder.push(...parseParenthesized(cursor, parseClusteringOrder));
    } else {
      parseProperty(cursor, properties);
    }
  } while (cursor.accept('and'));
  return { properties, isCompactStorage, clusteringOrder };
}

function parseClusteringOrder(cursor: TokenCursor): ClusteringOrder {
  const column = parseName(cursor);
  if (cursor.accept('asc')) return { column, descending: false };
  if (cursor.accept('desc')) return { column, descending: true };
  return cursor.noViableAlternative();
}
