// Expressions as closures over a frame: a query is walked once, and then run as often as there are rows.

import { aggregates, isAggregate } from './aggregates.ts';
import { findFunction } from './built-in-functions.ts';
import { compileOperator } from './compile-operator.ts';
import type { Evaluate } from './frame.ts';
import { likeMatcher } from './functions/like.ts';
import { printExpression } from './print-sql.ts';
import type { Scope } from './scope.ts';
import { sqlError, unresolvedName } from './sql-error.ts';
import type {
  Between,
  Call,
  Element,
  Expression,
  In,
  Like,
  Name,
  ObjectNode,
  Subquery,
} from './sql-query.ts';
import {
  asNumber,
  difference,
  equals,
  isArray,
  isObject,
  memberOf,
  type SqlValue,
  setMember,
} from './sql-value.ts';
import { anyOf } from './three-valued.ts';

export function compileExpression(node: Expression, scope: Scope): Evaluate {
  if (scope.isGrouped) {
    const replacement = scope.replacementFor(printExpression(node));
    if (replacement !== undefined) return replacement;
  }
  switch (node.kind) {
    case 'literal': {
      const { value } = node;
      return () => value;
    }
    case 'parameter': {
      const index = scope.layout.parameterIndex(node.name);
      return ({ parameters }) => parameters[index];
    }
    case 'name':
      return compileName(node, scope);
    case 'property':
      return propertyReader(compileExpression(node.of, scope), node.name);
    case 'element':
      return compileElement(node, scope);
    case 'unary':
    case 'binary':
      return compileOperator(node, (operand) => compileExpression(operand, scope));
    case 'logical':
      return compileLogical(
        node.operator,
        node.operands.map((operand) => compileExpression(operand, scope)),
      );
    case 'conditional': {
      const condition = compileExpression(node.condition, scope);
      const then = compileExpression(node.then, scope);
      const otherwise = compileExpression(node.otherwise, scope);
      return (frame) => (condition(frame) === true ? then(frame) : otherwise(frame));
    }
    case 'between':
      return compileBetween(node, scope);
    case 'in':
      return compileIn(node, scope);
    case 'like':
      return compileLike(node, scope);
    case 'array': {
      const items = node.items.map((item) => compileExpression(item, scope));
      return (frame) => items.map((item) => item(frame)).filter((value) => value !== undefined);
    }
    case 'object':
      return compileObject(node, scope);
    case 'call':
      return compileCall(node, scope);
    case 'subquery':
      return compileSubquery(node, scope);
  }
}

function compileName({ name, span }: Name, scope: Scope): Evaluate {
  if (scope.isHidden(name)) {
    throw sqlError(
      'SC2102',
      `Property reference '${name}' is invalid in the select list because it is not contained in either an aggregate ` +
        'function or the GROUP BY clause.',
      span,
    );
  }
  const slot = scope.slotOf(name);
  if (slot === undefined) throw unresolvedName(name, span);
  return ({ slots }) => slots[slot];
}

/** What every object inherits is no property of an item; other names need no such care. */
function propertyReader(of: Evaluate, name: string): Evaluate {
  if (name in Object.prototype) return (frame) => memberOf(of(frame), name);
  return (frame) => {
    const object = of(frame);
    return isObject(object) ? object[name] : undefined;
  };
}

function compileElement({ of, key }: Element, scope: Scope): Evaluate {
  const container = compileExpression(of, scope);
  if (key.kind === 'literal' && typeof key.value === 'string') return propertyReader(container, key.value);
  const index = compileExpression(key, scope);
  return (frame) => {
    const value = container(frame);
    const at = index(frame);
    if (typeof at === 'number') return isArray(value) ? value[at] : undefined;
    return typeof at === 'string' ? memberOf(value, at) : undefined;
  };
}

function compileLogical(operator: 'AND' | 'OR', operands: readonly Evaluate[]): Evaluate {
  const decides = operator === 'OR';
  return (frame) => {
    let result: boolean | undefined = !decides;
    for (const operand of operands) {
      const value = operand(frame);
      if (value === decides) return decides;
      if (value !== !decides) result = undefined;
    }
    return result;
  };
}

function compileBetween(node: Between, scope: Scope): Evaluate {
  const value = compileExpression(node.value, scope);
  const low = compileExpression(node.low, scope);
  const high = compileExpression(node.high, scope);
  const { isNegated } = node;
  return (frame) => {
    const at = value(frame);
    const [fromLow, fromHigh] = [difference(at, low(frame)), difference(at, high(frame))];
    if (fromLow !== undefined && fromHigh !== undefined) return (fromLow >= 0 && fromHigh <= 0) !== isNegated;
    const isOutside = (fromLow !== undefined && fromLow < 0) || (fromHigh !== undefined && fromHigh > 0);
    return isOutside ? isNegated : undefined;
  };
}

function compileIn({ value, items, isNegated }: In, scope: Scope): Evaluate {
  const sought = compileExpression(value, scope);
  const constants = items.map((item) => (item.kind === 'literal' ? item.value : undefined));
  if (constants.every((constant) => typeof constant === 'string' || typeof constant === 'number')) {
    // Machines write lists of thousands.
    const known: ReadonlySet<SqlValue> = new Set(constants);
    const types = new Set(constants.map((constant) => typeof constant));
    return (frame) => {
      const at = asNumber(sought(frame));
      if (known.has(at)) return !isNegated;
      return types.size === 1 && types.has(typeof at as 'string' | 'number') ? isNegated : undefined;
    };
  }
  const candidates = items.map((item) => compileExpression(item, scope));
  return (frame) => {
    const at = sought(frame);
    const found = anyOf(candidates.map((candidate) => equals(at, candidate(frame))));
    return found === undefined ? undefined : found !== isNegated;
  };
}

function compileLike({ value, pattern, escapedBy, isNegated }: Like, scope: Scope): Evaluate {
  const text = compileExpression(value, scope);
  const written = compileExpression(pattern, scope);
  let known: string | undefined;
  let matches: (text: string) => boolean = () => false;
  return (frame) => {
    const [searched, sought] = [text(frame), written(frame)];
    if (typeof searched !== 'string' || typeof sought !== 'string') return undefined;
    if (sought !== known) {
      known = sought;
      matches = likeMatcher(sought, escapedBy);
    }
    return matches(searched) !== isNegated;
  };
}

function compileObject({ members }: ObjectNode, scope: Scope): Evaluate {
  const compiled = members.map(({ name, value }) => ({ name, value: compileExpression(value, scope) }));
  return (frame) => {
    const object: Record<string, SqlValue> = {};
    for (const { name, value } of compiled) setMember(object, name, value(frame));
    return object;
  };
}

function compileCall(node: Call, scope: Scope): Evaluate {
  const { name, span } = node;
  if (node.isUserDefined) {
    throw sqlError(
      'SC2006',
      `The user defined function '${name}' cannot be run: programs are not supported yet.`,
      span,
    );
  }
  if (isAggregate(name)) throw misplacedAggregate(node);
  const found = findFunction(name);
  if (found === undefined) {
    throw sqlError('SC2005', `'${name}' is not a recognized built-in function name.`, span);
  }
  const { least, most, run, takesUndefined } = found;
  const count = node.arguments.length;
  if (count < least || count > most) throw wrongCount(name, least, most, node);
  const { arguments: written } = node;
  const given = written.map((argument) => compileExpression(argument, scope));
  if (takesUndefined)
    return (frame) =>
      run(
        given.map((argument) => argument(frame)),
        frame.context,
        written,
      );
  return (frame) => {
    const values: SqlValue[] = [];
    for (const argument of given) {
      const value = argument(frame);
      if (value === undefined) return undefined;
      values.push(asNumber(value));
    }
    return run(values, frame.context, written);
  };
}

function wrongCount(name: string, least: number, most: number, { span }: Call): Error {
  const expected =
    least === most
      ? `${least}`
      : most === Number.POSITIVE_INFINITY
        ? `at least ${least}`
        : `${least} to ${most}`;
  return sqlError('SC2050', `The ${name.toUpperCase()} function requires ${expected} argument(s).`, span);
}

/** The compiler meets an aggregate only where none may stand; where one may, its group's value has taken its place. */
function misplacedAggregate({ name, span }: Call): Error {
  const known = Object.keys(aggregates).find((aggregate) => aggregate === name.toUpperCase()) ?? name;
  return sqlError('SC2101', `The aggregate function '${known}' is not allowed in this place.`, span);
}

function compileSubquery({ form, query, span }: Subquery, scope: Scope): Evaluate {
  const run = scope.layout.compileSubquery(query, scope, false);
  switch (form) {
    case 'EXISTS':
      return (frame) => run(frame, () => true);
    case 'ARRAY':
      return (frame) => {
        const rows: SqlValue[] = [];
        run(frame, (value) => {
          rows.push(value);
          return false;
        });
        return rows;
      };
    case 'ALL':
      return (frame) => !run(frame, (value) => value !== true);
    case 'scalar':
    case 'FIRST':
      return (frame) => {
        let first: SqlValue;
        run(frame, (value) => {
          first = value;
          return true;
        });
        return first;
      };
    case 'LAST':
      return (frame) => {
        let last: SqlValue;
        run(frame, (value) => {
          last = value;
          return false;
        });
        return last;
      };
    default:
      throw sqlError('SC1001', `Syntax error, incorrect syntax near '${form}'.`, span);
  }
}
