// What of a filter an index can look up. What is found is never too little: the filter itself still decides.

import { eachElement } from '../../../catalog/nosql/property-path.ts';
import {
  commonRanges,
  type FilterAccess,
  type IndexSeek,
  unitedRanges,
  type ValueRange,
} from '../../../execution/nosql/queries/query-access.ts';
import { aggregatesOf } from '../find-aggregates.ts';
import type { SqlParameters } from '../sql-parameters.ts';
import type { Binary, Call, Expression, Like, Subquery } from '../sql-query.ts';
import type { SqlValue } from '../sql-value.ts';
import { constantElementsOf, constantOf } from './constant-value.ts';
import { type AliasPaths, type IndexPath, indexPathOf, textOfPath, withSources } from './index-paths.ts';
import { prefixOfLike } from './prefix-of-like.ts';
import {
  type Comparison,
  definedValues,
  rangesOfComparison,
  rangesOfEqual,
  rangesOfPrefix,
  rangesOfTypes,
} from './value-ranges.ts';

/** Undefined for a condition that any item might fulfil. */
export function seeksOf(
  node: Expression,
  paths: AliasPaths,
  parameters: SqlParameters,
): FilterAccess | undefined {
  return new SeekFinder(paths, parameters).of(node);
}

/** Beyond this, one query would keep more ranges than it is worth. */
const mostRanges = 20_000;

const nothing: FilterAccess = { kind: 'any', of: [] };

const turned: Readonly<Record<Comparison, Comparison>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

class SeekFinder {
  readonly #paths: AliasPaths;
  readonly #parameters: SqlParameters;

  constructor(paths: AliasPaths, parameters: SqlParameters) {
    this.#paths = paths;
    this.#parameters = parameters;
  }

  of(node: Expression): FilterAccess | undefined {
    switch (node.kind) {
      case 'literal':
        return node.value === true ? undefined : nothing;
      case 'property':
      case 'element':
        return this.#at(node, rangesOfEqual(true));
      case 'unary':
        return node.operator === 'NOT' ? this.#at(node.operand, rangesOfEqual(false)) : undefined;
      case 'binary':
        return this.#ofComparison(node);
      case 'between': {
        if (node.isNegated) return undefined;
        const [low, high] = [this.#constant(node.low), this.#constant(node.high)];
        if (low === undefined || high === undefined) return undefined;
        const ranges = commonRanges(
          rangesOfComparison('>=', low.value),
          rangesOfComparison('<=', high.value),
        );
        return this.#at(node.value, ranges);
      }
      case 'in':
        return node.isNegated ? undefined : this.#atOneOf(node.value, this.#constants(node.items));
      case 'like':
        return node.isNegated ? undefined : this.#ofLike(node);
      case 'logical':
        return node.operator === 'AND' ? this.#all(node.operands) : this.#any(node.operands);
      case 'call':
        return this.#ofCall(node);
      case 'subquery':
        return this.#ofSubquery(node);
      default:
        return undefined;
    }
  }

  #ofComparison({ operator, left, right }: Binary): FilterAccess | undefined {
    if (operator === '=') return this.#compared(left, right, rangesOfEqual, rangesOfEqual);
    if (operator !== '<' && operator !== '<=' && operator !== '>' && operator !== '>=') return undefined;
    return this.#compared(
      left,
      right,
      (value) => rangesOfComparison(operator, value),
      (value) => rangesOfComparison(turned[operator], value),
    );
  }

  #compared(
    left: Expression,
    right: Expression,
    toRight: (value: SqlValue) => readonly ValueRange[],
    toLeft: (value: SqlValue) => readonly ValueRange[],
  ): FilterAccess | undefined {
    const [first, second] = [this.#constant(left), this.#constant(right)];
    if (second !== undefined) return this.#at(left, toRight(second.value));
    return first === undefined ? undefined : this.#at(right, toLeft(first.value));
  }

  #ofLike({ value, pattern, escapedBy }: Like): FilterAccess | undefined {
    const written = this.#constant(pattern);
    if (written === undefined) return undefined;
    if (typeof written.value !== 'string') return this.#at(value, []);
    const { prefix, isWhole } = prefixOfLike(written.value, escapedBy);
    return this.#at(value, isWhole ? rangesOfEqual(prefix) : rangesOfPrefix(prefix));
  }

  #ofCall(node: Call): FilterAccess | undefined {
    if (node.isUserDefined) return undefined;
    const [first, second, third] = node.arguments;
    if (first === undefined) return undefined;
    const name = node.name.toUpperCase();
    const types = typeChecks[name];
    if (types !== undefined) return second === undefined ? this.#at(first, types) : undefined;
    if (second === undefined || !this.#isOff(third)) return undefined;
    if (name === 'STARTSWITH') return this.#withText(first, second, rangesOfPrefix);
    if (name === 'STRINGEQUALS')
      return this.#withText(first, second, rangesOfEqual) ?? this.#withText(second, first, rangesOfEqual);
    return name === 'ARRAY_CONTAINS' ? this.#ofContains(first, second) : undefined;
  }

  /** A constant in a list of the item, or a value of the item in a constant list. */
  #ofContains(list: Expression, element: Expression): FilterAccess | undefined {
    const elements = constantElementsOf(list, this.#parameters);
    if (elements !== undefined) return this.#atOneOf(element, elements);
    const path = indexPathOf(list, this.#paths);
    const sought = this.#constant(element);
    if (path === undefined || sought === undefined) return undefined;
    return this.#seek([...path, eachElement], rangesOfEqual(sought.value));
  }

  /** There is such a row only if there is an item with what its filter asks for. */
  #ofSubquery({ form, query }: Subquery): FilterAccess | undefined {
    if (form !== 'EXISTS' || query.where === undefined) return undefined;
    if (query.groupBy.length > 0 || aggregatesOf(query).length > 0) return undefined;
    return seeksOf(query.where, withSources(this.#paths, query), this.#parameters);
  }

  #withText(
    node: Expression,
    text: Expression,
    ranges: (text: string) => readonly ValueRange[],
  ): FilterAccess | undefined {
    const constant = this.#constant(text);
    if (constant === undefined) return undefined;
    return this.#at(node, typeof constant.value === 'string' ? ranges(constant.value) : []);
  }

  #atOneOf(node: Expression, values: readonly SqlValue[] | undefined): FilterAccess | undefined {
    if (values === undefined || values.length > mostRanges) return undefined;
    return this.#at(
      node,
      values.flatMap((value) => rangesOfEqual(value)),
    );
  }

  #at(node: Expression, ranges: readonly ValueRange[]): FilterAccess | undefined {
    const path = indexPathOf(node, this.#paths);
    return path === undefined ? undefined : this.#seek(path, ranges);
  }

  #seek(path: IndexPath, ranges: readonly ValueRange[]): FilterAccess | undefined {
    if (path.length === 0) return undefined;
    const united = unitedRanges(ranges);
    return united.length === 0 ? nothing : { kind: 'seek', order: { kind: 'path', path }, ranges: united };
  }

  #all(operands: readonly Expression[]): FilterAccess | undefined {
    const found: FilterAccess[] = [];
    for (const operand of operands) {
      const access = this.of(operand);
      if (access === undefined) continue;
      if (isNothing(access)) return nothing;
      if (access.kind === 'all') found.push(...access.of);
      else found.push(access);
    }
    const narrowed = joinedSeeks(
      found,
      (path) => !path.includes(eachElement),
      (lists) => lists.reduce(commonRanges),
    );
    if (narrowed.some(isNothing)) return nothing;
    return narrowed.length > 1 ? { kind: 'all', of: narrowed } : narrowed[0];
  }

  #any(operands: readonly Expression[]): FilterAccess | undefined {
    const found: FilterAccess[] = [];
    for (const operand of operands) {
      const access = this.of(operand);
      if (access === undefined) return undefined;
      if (access.kind === 'any') found.push(...access.of);
      else found.push(access);
    }
    const widened = joinedSeeks(
      found,
      () => true,
      (lists) => lists.flat(),
    );
    const [only] = widened;
    return widened.length === 1 && only !== undefined ? only : { kind: 'any', of: widened };
  }

  #isOff(flag: Expression | undefined): boolean {
    return flag === undefined || this.#constant(flag)?.value === false;
  }

  #constant(node: Expression): { readonly value: SqlValue } | undefined {
    return constantOf(node, this.#parameters);
  }

  #constants(nodes: readonly Expression[]): readonly SqlValue[] | undefined {
    const values: SqlValue[] = [];
    for (const node of nodes) {
      const constant = this.#constant(node);
      if (constant === undefined) return undefined;
      values.push(constant.value);
    }
    return values;
  }
}

const typeChecks: Readonly<Record<string, readonly ValueRange[]>> = {
  IS_DEFINED: definedValues,
  IS_NULL: rangesOfTypes('null'),
  IS_BOOL: rangesOfTypes('false', 'true'),
  IS_BOOLEAN: rangesOfTypes('false', 'true'),
  IS_NUMBER: rangesOfTypes('number'),
  IS_INTEGER: rangesOfTypes('number'),
  IS_FINITE_NUMBER: rangesOfTypes('number'),
  IS_STRING: rangesOfTypes('string'),
  IS_ARRAY: rangesOfTypes('array'),
  IS_OBJECT: rangesOfTypes('object'),
  IS_PRIMITIVE: rangesOfTypes('null', 'false', 'true', 'number', 'string'),
};

function isNothing(access: FilterAccess): boolean {
  return access.kind === 'seek'
    ? access.ranges.length === 0
    : access.kind === 'any' && access.of.length === 0;
}

/** Seeks at the same path become one; that of all lies where the first of them did. */
function joinedSeeks(
  found: readonly FilterAccess[],
  isJoined: (path: IndexPath) => boolean,
  join: (lists: readonly (readonly ValueRange[])[]) => readonly ValueRange[],
): readonly FilterAccess[] {
  const ranges = new Map<string, (readonly ValueRange[])[]>();
  const joined: FilterAccess[] = [];
  const placeOf = new Map<string, number>();
  for (const access of found) {
    const { kind } = access;
    if (kind !== 'seek' || access.order.kind !== 'path' || !isJoined(access.order.path)) {
      joined.push(access);
      continue;
    }
    const text = textOfPath(access.order.path);
    const known = ranges.get(text);
    if (known === undefined) {
      ranges.set(text, [access.ranges]);
      placeOf.set(text, joined.push(access) - 1);
    } else {
      known.push(access.ranges);
    }
  }
  for (const [text, lists] of ranges) {
    const at = placeOf.get(text) ?? 0;
    const seek = joined[at] as IndexSeek;
    if (lists.length > 1) joined[at] = { ...seek, ranges: unitedRanges(join(lists)) };
  }
  return joined;
}
