// Whether a query can tell that an item has system properties. Most cannot, and those are made for nobody then.

import { isSystemProperty } from '../../values/json-item.ts';
import { partsOf, selectedBy } from './find-aggregates.ts';
import { type Expression, isQuery, type SqlQuery } from './sql-query.ts';

export function needsSystemProperties(query: SqlQuery): boolean {
  return needs(query, new Set());
}

/** `outer` are the aliases round the query that never are the item: what they stand for is made out of it. */
function needs(query: SqlQuery, outer: ReadonlySet<string>): boolean {
  const derived = new Set(outer);
  for (const { alias, isIterated, origin } of query.from) {
    // What the rest of the query does with a whole item is not followed.
    if (isQuery(origin) && origin.select.list.kind === 'all') return true;
    if (isQuery(origin) ? needs(origin, derived) : origin.kind !== 'name' && finds(origin, derived))
      return true;
    if (alias === undefined) continue;
    if (isIterated || isQuery(origin) || origin.kind !== 'name') derived.add(alias);
    else derived.delete(alias);
  }
  const { select, where, groupBy, orderBy } = query;
  const { list } = select;
  // The item as a whole is sent as its text, and only looked at to be told from others.
  if (list.kind === 'all' && select.isDistinct) return true;
  const all = [
    ...selectedBy(query),
    ...(where === undefined ? [] : [where]),
    ...groupBy,
    ...orderBy.map(({ value }) => value),
  ];
  return all.some((node) => finds(node, derived));
}

function finds(node: Expression, derived: ReadonlySet<string>): boolean {
  if (node.kind === 'subquery') return needs(node.query, derived);
  if (node.kind === 'name') return !derived.has(node.name);
  if (node.kind === 'property' || node.kind === 'element') {
    const step =
      node.kind === 'property' ? node.name : node.key.kind === 'literal' ? node.key.value : undefined;
    const isPlain = (typeof step === 'string' && !isSystemProperty(step)) || typeof step === 'number';
    if (isPlain) return node.of.kind !== 'name' && finds(node.of, derived);
  }
  return partsOf(node).some((part) => finds(part, derived));
}
