import { namesOf } from '../compile-select.ts';
import { itemAliasesOf } from '../item-path.ts';
import { sqlError } from '../sql-error.ts';
import type { Expression, SqlQuery } from '../sql-query.ts';
import { andNode, arrayNode, callNode, nameNode, objectNode, propertyNode } from './make-nodes.ts';

/** Clients put `true` in its place, or what leads on from where they were. */
export const filterPlace: string = '{documentdb-formattableorderbyquery-filter}';
const placeholder = `(${filterPlace})`;

/** Rows with what a client needs to merge those of several partitions: where each stands in the order, and its result as payload. */
export function rewriteOrder(query: SqlQuery): SqlQuery {
  const { payload, conditions } = payloadOf(query);
  return withOrderByItems(query, payload, conditions);
}

/** What the query selects, as one value, and what must hold besides its filter for that value to be a result. */
export function payloadOf(query: SqlQuery): {
  readonly payload: Expression;
  readonly conditions: readonly Expression[];
} {
  const { list } = query.select;
  // Without the condition a row that has no result would be one with an empty payload.
  if (list.kind === 'value') return { payload: list.value, conditions: [callNode('IS_DEFINED', list.value)] };
  if (list.kind === 'all') return { payload: itemOf(query), conditions: [] };
  const names = namesOf(list.items);
  const members = list.items.map(({ value }, at) => [names[at] as string, value] as const);
  return { payload: objectNode(members), conditions: [] };
}

export function withOrderByItems(
  query: SqlQuery,
  payload: Expression,
  conditions: readonly Expression[],
): SqlQuery {
  const { select, where, orderBy } = query;
  const keys = orderBy.map(({ value }) => objectNode([['item', value]]));
  return {
    ...query,
    select: {
      ...select,
      // Rows with a `_rid` are all different; clients tell their payloads apart.
      isDistinct: false,
      list: {
        kind: 'items',
        items: [
          { value: propertyNode(itemOf(query), '_rid'), alias: undefined },
          { value: arrayNode(keys), alias: 'orderByItems' },
          { value: payload, alias: 'payload' },
        ],
      },
    },
    where: andNode([...(where === undefined ? [] : [where]), ...conditions, nameNode(placeholder)]),
  };
}

function itemOf(query: SqlQuery): Expression {
  const [alias] = itemAliasesOf(query);
  if (alias === undefined) {
    throw sqlError(
      'SC2106',
      'ORDER BY over several partitions needs the item itself in the FROM clause.',
      query.span,
    );
  }
  return nameNode(alias);
}
