// Which path of the item an expression stands for, as an index knows paths: any element of an array is as good as another.

import { eachElement, type PathStep } from '../../../catalog/nosql/property-path.ts';
import { lastNameOf } from '../item-path.ts';
import { type Expression, isQuery, type Source, type SqlQuery } from '../sql-query.ts';

export type IndexPath = readonly PathStep[];

/** What each alias stands for, as far as that is a path of the item. */
export type AliasPaths = ReadonlyMap<string, IndexPath>;

/** Of the outermost query: its first source begins with the container, whatever that is called. */
export function aliasPathsOf({ from }: SqlQuery): AliasPaths {
  const paths = new Map<string, IndexPath>();
  for (const [at, source] of from.entries()) declare(source, at === 0 ? containerPath : undefined, paths);
  return paths;
}

/** With the sources of a sub-query, which may begin with what is known outside. */
export function withSources(outer: AliasPaths, { from }: SqlQuery): AliasPaths {
  const paths = new Map(outer);
  for (const source of from) declare(source, undefined, paths);
  return paths;
}

const containerPath: IndexPath = [];

function declare(
  { alias, origin, isIterated }: Source,
  root: IndexPath | undefined,
  paths: Map<string, IndexPath>,
): void {
  if (isQuery(origin)) {
    if (alias !== undefined) paths.delete(alias);
    return;
  }
  const path = pathFrom(origin, (name) => paths.get(name) ?? root);
  const name = alias ?? lastNameOf(origin);
  if (name === undefined) return;
  // What hides a name hides it whatever it stands for.
  if (path === undefined) paths.delete(name);
  else paths.set(name, isIterated ? [...path, eachElement] : path);
}

/** Undefined for what is no path of the item. */
export function indexPathOf(node: Expression, paths: AliasPaths): IndexPath | undefined {
  return pathFrom(node, (name) => paths.get(name));
}

function pathFrom(node: Expression, rootOf: (name: string) => IndexPath | undefined): IndexPath | undefined {
  const steps: PathStep[] = [];
  let at = node;
  while (at.kind === 'property' || at.kind === 'element') {
    if (at.kind === 'property') {
      steps.push(at.name);
    } else {
      const key = at.key.kind === 'literal' ? at.key.value : undefined;
      if (typeof key === 'string') steps.push(key);
      else if (typeof key === 'number') steps.push(eachElement);
      else return undefined;
    }
    at = at.of;
  }
  const root = at.kind === 'name' ? rootOf(at.name) : undefined;
  return root === undefined ? undefined : [...root, ...steps.reverse()];
}

/** The same text for the same path. */
export function textOfPath(path: IndexPath): string {
  return path
    .map((step) => {
      if (step === eachElement) return '/[]';
      return /^[A-Za-z_]\w*$/.test(step) ? `/${step}` : `/${JSON.stringify(step)}`;
    })
    .join('');
}
