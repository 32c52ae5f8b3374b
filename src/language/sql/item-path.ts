import { type Expression, isQuery, type Name, type SqlQuery } from './sql-query.ts';

/** The aliases of a query that stand for the item itself, whatever the container is called. */
export function itemAliasesOf({ from }: SqlQuery): ReadonlySet<string> {
  const [first] = from;
  if (first === undefined || first.isIterated || isQuery(first.origin) || first.origin.kind !== 'name')
    return new Set();
  return new Set([first.alias ?? first.origin.name]);
}

/** The steps from the item to a value: names, and numbers for elements of arrays. Undefined for what is no path from the item. */
export function itemPathOf(
  node: Expression,
  itemAliases: ReadonlySet<string>,
): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  let at = node;
  while (at.kind === 'property' || at.kind === 'element') {
    if (at.kind === 'property') {
      steps.push(at.name);
    } else {
      const key = at.key.kind === 'literal' ? at.key.value : undefined;
      if (typeof key !== 'string' && typeof key !== 'number') return undefined;
      steps.push(key);
    }
    at = at.of;
  }
  return at.kind === 'name' && itemAliases.has(at.name) ? steps.reverse() : undefined;
}

/** The name that a path begins with; undefined for what begins with none, such as a call that makes an array. */
export function rootNameOf(path: Expression): Name | undefined {
  let node = path;
  while (node.kind === 'property' || node.kind === 'element') node = node.of;
  return node.kind === 'name' ? node : undefined;
}

/** By which a value is called that nobody gave a name. */
export function lastNameOf(node: Expression): string | undefined {
  if (node.kind === 'name' || node.kind === 'property') return node.name;
  if (node.kind !== 'element' || node.key.kind !== 'literal') return undefined;
  return typeof node.key.value === 'string' ? node.key.value : undefined;
}
