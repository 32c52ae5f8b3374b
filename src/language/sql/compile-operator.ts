import type { Evaluate } from './frame.ts';
import { finite } from './sql-function.ts';
import type { Binary, BinaryOperator, Expression, Unary } from './sql-query.ts';
import { asNumber, difference, equals, isSame, type SqlValue } from './sql-value.ts';
import { checkTextLength } from './value-limits.ts';

export function compileOperator(node: Unary | Binary, compile: (operand: Expression) => Evaluate): Evaluate {
  if (node.kind === 'unary') return compileUnary(node, compile(node.operand));
  const left = compile(node.left);
  const right = compile(node.right);
  const { operator } = node;
  if (operator === '??') {
    return (frame) => {
      const value = left(frame);
      return value === undefined ? right(frame) : value;
    };
  }
  if (operator === '=') return (frame) => equals(left(frame), right(frame));
  const apply = operations[operator];
  return (frame) => apply(left(frame), right(frame));
}

function compileUnary({ operator }: Unary, operand: Evaluate): Evaluate {
  switch (operator) {
    case 'NOT':
      return (frame) => {
        const value = operand(frame);
        return typeof value === 'boolean' ? !value : undefined;
      };
    case '-':
      return ofNumber(operand, (value) => -value);
    case '+':
      return ofNumber(operand, (value) => value);
    case '~':
      return ofNumber(operand, (value) => ~value);
  }
}

function ofNumber(operand: Evaluate, compute: (value: number) => number): Evaluate {
  return (frame) => {
    const value = asNumber(operand(frame));
    return typeof value === 'number' ? compute(value) : undefined;
  };
}

type Operation = (left: SqlValue, right: SqlValue) => SqlValue;

/** Of numbers alone. What has no finite result, such as a division by zero, is undefined (not verified). */
function arithmetic(compute: (left: number, right: number) => number): Operation {
  return (first, second) => {
    const [left, right] = [asNumber(first), asNumber(second)];
    return typeof left === 'number' && typeof right === 'number' ? finite(compute(left, right)) : undefined;
  };
}

function comparison(holds: (order: number) => boolean): Operation {
  return (left, right) => {
    const order = difference(left, right);
    return order === undefined ? undefined : holds(order);
  };
}

const operations: Readonly<Record<Exclude<BinaryOperator, '??' | '='>, Operation>> = {
  '*': arithmetic((left, right) => left * right),
  '/': arithmetic((left, right) => left / right),
  '%': arithmetic((left, right) => left % right),
  '+': arithmetic((left, right) => left + right),
  '-': arithmetic((left, right) => left - right),
  '<<': arithmetic((left, right) => left << right),
  '>>': arithmetic((left, right) => left >> right),
  '>>>': arithmetic((left, right) => left >>> right),
  '&': arithmetic((left, right) => left & right),
  '^': arithmetic((left, right) => left ^ right),
  '|': arithmetic((left, right) => left | right),
  '<': comparison((order) => order < 0),
  '>': comparison((order) => order > 0),
  '<=': comparison((order) => order <= 0),
  '>=': comparison((order) => order >= 0),
  // The service's page says undefined across types. By users' reports it is true (not verified), and `c.a != null` would never hold otherwise.
  '!=': (left, right) => (left === undefined || right === undefined ? undefined : !isSame(left, right)),
  '||': (left, right) => {
    if (typeof left !== 'string' || typeof right !== 'string') return undefined;
    checkTextLength(left.length + right.length);
    return left + right;
  },
};
