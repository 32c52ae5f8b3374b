// Which partition keys, and which ids, a filter leaves possible. What is found is never too little: the filter itself still decides.

import type { JsonKeyComponent } from '../../../partitioning/json-key-component.ts';
import { MAX_PARTITION_KEY_BYTES } from '../../../partitioning/partition-limits.ts';
import { itemAliasesOf, itemPathOf } from '../item-path.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import { type Expression, isQuery, type SqlQuery } from '../sql-query.ts';
import { asNumber, isPrimitive, type SqlValue } from '../sql-value.ts';

/** The leading components of a key, at least one, and the id where that is known too. */
export interface KeyTarget {
  readonly components: readonly JsonKeyComponent[];
  readonly id: string | undefined;
}

/** What is known to be equal to what, by the number of the path. */
type Alternative = ReadonlyMap<number, SqlValue>;

/** Beyond this a filter counts as one that says nothing. */
const mostAlternatives = 16_000;

/** Undefined when keys do not matter to the filter; none when nothing can fulfil it. */
export function keyTargetsOf(
  query: SqlQuery,
  parameters: SqlParameters,
  keyPaths: readonly (readonly string[])[],
): readonly KeyTarget[] | undefined {
  const origin = query.from[0]?.origin;
  // All rows come out of the items that the sub-query leaves.
  if (origin !== undefined && isQuery(origin)) return keyTargetsOf(origin, parameters, keyPaths);
  if (query.where === undefined) return undefined;
  const finder = new AlternativeFinder([...keyPaths, ['id']], itemAliasesOf(query), parameters);
  const targets = new Map<string, KeyTarget>();
  for (const alternative of finder.of(query.where) ?? [new Map()]) {
    const target = targetOf(alternative, keyPaths.length);
    if (target === undefined) return undefined;
    targets.set(JSON.stringify([target.components, target.id ?? null]), target);
  }
  return [...targets.values()];
}

function targetOf(alternative: Alternative, levels: number): KeyTarget | undefined {
  const components: JsonKeyComponent[] = [];
  while (components.length < levels && alternative.has(components.length)) {
    const value = asNumber(alternative.get(components.length));
    if (!isPrimitive(value)) return undefined;
    components.push(value);
  }
  if (components.length === 0) return undefined;
  const id = components.length === levels ? alternative.get(levels) : undefined;
  return { components, id: typeof id === 'string' ? id : undefined };
}

class AlternativeFinder {
  readonly #paths: readonly string[];
  readonly #aliases: ReadonlySet<string>;
  readonly #parameters: SqlParameters;

  constructor(
    paths: readonly (readonly string[])[],
    aliases: ReadonlySet<string>,
    parameters: SqlParameters,
  ) {
    this.#paths = paths.map((path) => JSON.stringify(path));
    this.#aliases = aliases;
    this.#parameters = parameters;
  }

  /** One of these holds wherever the condition does; undefined for too many, or for a condition that says nothing of the paths. */
  of(node: Expression): readonly Alternative[] | undefined {
    switch (node.kind) {
      case 'literal':
        return node.value === true ? undefined : [];
      case 'binary':
        if (node.operator !== '=') return undefined;
        return this.#equal(node.left, [node.right]) ?? this.#equal(node.right, [node.left]);
      case 'in':
        return node.isNegated ? undefined : this.#equal(node.value, node.items);
      case 'logical':
        return node.operator === 'AND' ? this.#all(node.operands) : this.#any(node.operands);
      default:
        return undefined;
    }
  }

  #equal(path: Expression, values: readonly Expression[]): readonly Alternative[] | undefined {
    const steps = itemPathOf(path, this.#aliases);
    const number = steps === undefined ? -1 : this.#paths.indexOf(JSON.stringify(steps));
    if (number < 0) return undefined;
    const alternatives: Alternative[] = [];
    for (const node of values) {
      if (node.kind !== 'literal' && node.kind !== 'parameter') return undefined;
      const value = node.kind === 'literal' ? node.value : this.#parameters.get(node.name);
      // -0 is the same key as 0.
      if (canBeStored(value))
        alternatives.push(new Map([[number, typeof value === 'number' ? value + 0 : value]]));
    }
    return alternatives;
  }

  #any(operands: readonly Expression[]): readonly Alternative[] | undefined {
    const found: Alternative[] = [];
    for (const operand of operands) {
      const alternatives = this.of(operand);
      if (alternatives === undefined || found.length + alternatives.length > mostAlternatives)
        return undefined;
      for (const alternative of alternatives) found.push(alternative);
    }
    return found;
  }

  #all(operands: readonly Expression[]): readonly Alternative[] | undefined {
    let found: readonly Alternative[] | undefined;
    for (const operand of operands) {
      const further = this.of(operand);
      if (further === undefined) continue;
      if (found === undefined) {
        found = further;
      } else if (found.length * further.length <= mostAlternatives) {
        found = found.flatMap((left) => further.flatMap((right) => merged(left, right)));
      }
    }
    return found;
  }
}

/** Nothing is equal to undefined; no item has a number that JSON cannot write, or a key longer than keys may be. */
function canBeStored(value: SqlValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return Buffer.byteLength(value) <= MAX_PARTITION_KEY_BYTES;
  return value !== undefined;
}

/** Nothing when they contradict one another. */
function merged(left: Alternative, right: Alternative): readonly Alternative[] {
  const both = new Map(left);
  for (const [number, value] of right) {
    if (both.has(number) && both.get(number) !== value) return [];
    both.set(number, value);
  }
  return [both];
}
