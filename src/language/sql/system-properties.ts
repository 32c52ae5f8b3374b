// Whether a query can tell that an item has system properties. Most cannot, and those are made for nobody then.

import { isSystemProperty } from '../../values/json-item.ts';
import { partsOf } from './find-aggregates.ts';
import { type Expression, isQuery, type SqlQuery } from './sql-query.ts';

export function needsSystemProperties(query: SqlQuery): boolean {
  return new Finder().needs(query);
}

class Finder {
  /** Aliases that never are the item: what they stand for is made out of it. */
  readonly #derived = new Set<string>();

  needs(query: SqlQuery): boolean {
    for (const { alias, isIterated, origin } of query.from) {
      if (alias !== undefined && (isIterated || isQuery(origin) || origin.kind !== 'name'))
        this.#derived.add(alias);
      // What the rest of the query does with a whole item is not followed.
      if (isQuery(origin) && origin.select.list.kind === 'all') return true;
      if (isQuery(origin) ? this.needs(origin) : origin.kind !== 'name' && this.#finds(origin)) return true;
    }
    const { select, where, groupBy, orderBy } = query;
    const { list } = select;
    // The item as a whole is sent as its text, and only looked at to be told from others.
    if (list.kind === 'all' && select.isDistinct) return true;
    const selected =
      list.kind === 'value'
        ? [list.value]
        : list.kind === 'items'
          ? list.items.map(({ value }) => value)
          : [];
    const all = [
      ...selected,
      ...(where === undefined ? [] : [where]),
      ...groupBy,
      ...orderBy.map(({ value }) => value),
    ];
    return all.some((node) => this.#finds(node));
  }

  #finds(node: Expression): boolean {
    if (node.kind === 'subquery') return this.needs(node.query);
    if (node.kind === 'name') return !this.#derived.has(node.name);
    if (node.kind === 'property' || node.kind === 'element') {
      const step =
        node.kind === 'property' ? node.name : node.key.kind === 'literal' ? node.key.value : undefined;
      const isPlain = (typeof step === 'string' && !isSystemProperty(step)) || typeof step === 'number';
      if (isPlain) return node.of.kind !== 'name' && this.#finds(node.of);
    }
    return partsOf(node).some((part) => this.#finds(part));
  }
}
