// Which paths of an item a query looks at. Most look at a few, and need not have the rest of the item read.

import { partsOf, selectedBy } from './find-aggregates.ts';
import { lastNameOf, rootNameOf } from './item-path.ts';
import { type Expression, isQuery, type Source, type SqlQuery } from './sql-query.ts';

type Paths = readonly (readonly string[])[];

/** Undefined where the query looks at the item as a whole, or where it cannot be told. Whole items that are merely given out are not looked at. */
export function neededPathsOf(query: SqlQuery, givesWholeItems: boolean): Paths | undefined {
  const finder = new PathFinder();
  return finder.addQuery(query, new Map(), givesWholeItems) ? finder.paths : undefined;
}

/**
 * Those that the filter looks at, where it may be asked of an item before the rest of the query sees the item, and then once more. Undefined
 * where it is not worth while: nothing else is looked at.
 */
export function filterPathsOf(query: SqlQuery, givesWholeItems: boolean): Paths | undefined {
  const { where, select } = query;
  if (where === undefined || !isAskedTwice(where)) return undefined;
  const filterOnly: SqlQuery = {
    ...query,
    select: { ...select, list: { kind: 'items', items: [] } },
    groupBy: [],
    orderBy: [],
  };
  const paths = neededPathsOf(filterOnly, false);
  const all = neededPathsOf(query, givesWholeItems);
  return paths === undefined || (all !== undefined && isTheSame(paths, all)) ? undefined : paths;
}

function isTheSame(some: Paths, all: Paths): boolean {
  const known = new Set(some.map((path) => JSON.stringify(path)));
  return all.every((path) => known.has(JSON.stringify(path)));
}

/** Not by chance, not by what others have written, and without rows that are counted. */
function isAskedTwice(node: Expression): boolean {
  if (node.kind === 'subquery') return false;
  if (node.kind === 'call' && (node.isUserDefined || node.name.toUpperCase() === 'RAND')) return false;
  return partsOf(node).every(isAskedTwice);
}

/** What an alias stands for: the item, or something that is needed whole already. */
type Aliases = ReadonlyMap<string, 'item' | 'known'>;

/** Each method answers false where the whole item is needed. */
class PathFinder {
  readonly paths: (readonly string[])[] = [];

  addQuery(query: SqlQuery, outer: Aliases, givesWholeItems: boolean): boolean {
    const aliases = new Map(outer);
    const isTop = outer.size === 0;
    for (const [at, source] of query.from.entries()) {
      const stands = this.#addSource(source, aliases, isTop && at === 0);
      if (stands === undefined) return false;
      const alias = aliasOf(source);
      if (alias !== undefined) aliases.set(alias, stands);
      // `SELECT *` gives what the only source stands for.
      if (query.select.list.kind === 'all' && stands === 'item' && !givesWholeItems) return false;
    }
    const { where, groupBy, orderBy } = query;
    const nodes = [
      ...(givesWholeItems ? [] : selectedBy(query)),
      ...(where === undefined ? [] : [where]),
      ...groupBy,
      ...orderBy.map(({ value }) => value),
    ];
    return nodes.every((node) => this.#add(node, aliases));
  }

  /** `mayBeContainer`: an unknown name stands for the item. */
  #addSource(
    { origin, isIterated }: Source,
    aliases: Aliases,
    mayBeContainer: boolean,
  ): 'item' | 'known' | undefined {
    if (isQuery(origin)) {
      // What is round a sub-query over all items sees rows, and no item.
      if (mayBeContainer) return undefined;
      return this.addQuery(origin, aliases, false) ? 'known' : undefined;
    }
    const root = rootNameOf(origin);
    const isUnknown = root !== undefined && !aliases.has(root.name);
    if (isUnknown && !mayBeContainer) return undefined;
    const seen = isUnknown ? new Map([...aliases, [root.name, 'item'] as const]) : aliases;
    if (origin.kind === 'name' && seen.get(origin.name) === 'item') return isIterated ? undefined : 'item';
    return this.#add(origin, seen) ? 'known' : undefined;
  }

  #add(node: Expression, aliases: Aliases): boolean {
    if (node.kind === 'subquery') return this.addQuery(node.query, aliases, false);
    if (node.kind === 'name') return aliases.get(node.name) === 'known';
    if (node.kind !== 'property' && node.kind !== 'element')
      return partsOf(node).every((part) => this.#add(part, aliases));
    return this.#addPath(node, aliases);
  }

  #addPath(node: Expression, aliases: Aliases): boolean {
    const steps: (string | undefined)[] = [];
    let at = node;
    while (at.kind === 'property' || at.kind === 'element') {
      const key = at.kind === 'element' ? at.key : undefined;
      // A name or number that is only known when the query runs.
      if (key !== undefined && key.kind !== 'literal' && !this.#add(key, aliases)) return false;
      const name = at.kind === 'property' ? at.name : key?.kind === 'literal' ? key.value : undefined;
      steps.push(typeof name === 'string' ? name : undefined);
      at = at.of;
    }
    if (at.kind !== 'name' || aliases.get(at.name) !== 'item') return this.#add(at, aliases);
    steps.reverse();
    const end = steps.indexOf(undefined);
    const path = (end < 0 ? steps : steps.slice(0, end)) as readonly string[];
    // Names that every object of JavaScript has are read with care, which is left to who reads all.
    if (path.length === 0 || path.some((name) => name in Object.prototype)) return false;
    this.paths.push(path);
    return true;
  }
}

function aliasOf({ alias, origin }: Source): string | undefined {
  return alias !== undefined || isQuery(origin) ? alias : lastNameOf(origin);
}
