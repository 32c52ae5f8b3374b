// Paths to properties, as partition keys, unique keys and indexing policies name them: `/address/zip`, `/"odd name"/x`, `/tags/[]/?`.

/** A name, or `eachElement` for any element of an array. */
export type PathStep = string | typeof eachElement;

export const eachElement: unique symbol = Symbol('each element');

export interface PropertyPath {
  readonly steps: readonly PathStep[];
  /** `/?` is the value itself, `/*` everything below; none where neither stands at its end. */
  readonly ending: '?' | '*' | 'none';
}

export type ReadPath =
  | { readonly kind: 'path'; readonly path: PropertyPath }
  /** Where it stops being a path: the place of the first letter that cannot stand there. */
  | { readonly kind: 'wrong'; readonly position: number };

// What else there may be in a name has to stand in quotes.
const plainName = /[\p{L}\p{N}_$@]+/uy;

export function readPropertyPath(text: string): ReadPath {
  const steps: PathStep[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] !== '/') return { kind: 'wrong', position: at };
    at++;
    const mark = text[at];
    if ((mark === '?' || mark === '*') && at === text.length - 1)
      return { kind: 'path', path: { steps, ending: mark } };
    if (text.startsWith('[]', at)) {
      steps.push(eachElement);
      at += 2;
      continue;
    }
    const name = mark === '"' || mark === "'" ? quotedName(text, at, mark) : nameAt(text, at);
    if (name === undefined) return { kind: 'wrong', position: at };
    steps.push(name.name);
    at = name.end;
  }
  return steps.length === 0
    ? { kind: 'wrong', position: 0 }
    : { kind: 'path', path: { steps, ending: 'none' } };
}

/** The names of a path that is nothing but names; otherwise where it is wrong. */
export function readNames(text: string): readonly string[] | { readonly position: number } {
  const read = readPropertyPath(text);
  if (read.kind === 'wrong') return read;
  const { steps, ending } = read.path;
  const names = steps.filter((step) => step !== eachElement);
  if (ending !== 'none') return { position: text.length - 1 };
  return names.length === steps.length ? names : { position: text.indexOf('[]') };
}

interface NameInPath {
  readonly name: string;
  readonly end: number;
}

function nameAt(text: string, start: number): NameInPath | undefined {
  plainName.lastIndex = start;
  const [name] = plainName.exec(text) ?? [];
  return name === undefined ? undefined : { name, end: start + name.length };
}

/** A backslash lets the quote, or another backslash, be part of the name. */
function quotedName(text: string, start: number, quote: string): NameInPath | undefined {
  let name = '';
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === quote) return { name, end: at + 1 };
    const next = text[at + 1];
    if (letter === '\\' && (next === quote || next === '\\')) {
      name += next;
      at++;
    } else {
      name += letter;
    }
  }
  return undefined;
}
