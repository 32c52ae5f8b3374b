import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { assert } from '../../../../foundation/assert.ts';
import type { AggregateFunction, NativeFunction, ScalarFunction } from '../functions/native-function.ts';
import { fitOfType } from '../type-compatibility.ts';
import type { Bindings } from '../typed-term.ts';
import { composedRun, constantRun } from './part-run.ts';
import { unsetOutput } from './term.ts';
import type {
  PreparedSelector,
  SelectionScope,
  SelectorRun,
  UntypedSelectable,
} from './untyped-selectable.ts';

/** A call of a function that is known already: its arguments decided which one it is. */
export function selectCall(found: NativeFunction, operands: readonly UntypedSelectable[]): UntypedSelectable {
  const { returnType } = found;
  return {
    text: found.columnName(operands.map((operand) => operand.text)),
    isMarker: false,
    arrayLength: undefined,
    call: { found, operands },
    fit: (receiver) => fitOfType(returnType, receiver.type),
    exactType: () => returnType,
    likelyType: () => returnType,
    prepare: (_expected, scope) => callSelector(found, prepareArguments(found, operands, scope)),
  };
}

function prepareArguments(
  found: NativeFunction,
  operands: readonly UntypedSelectable[],
  scope: SelectionScope,
): readonly PreparedSelector[] {
  return operands.map((operand, at) => operand.prepare(found.argumentTypes[at], scope));
}

export function callSelector(found: NativeFunction, parts: readonly PreparedSelector[]): PreparedSelector {
  const name = found.columnName(parts.map((part) => part.name));
  const isOnAggregate = parts.some((part) => part.isAggregate);
  if (found.kind === 'scalar') {
    return {
      name,
      type: found.returnType,
      isAggregate: isOnAggregate,
      column: undefined,
      begin: (bindings) => scalarRun(found, parts, bindings),
    };
  }
  if (isOnAggregate) {
    throw invalidRequest('aggregate functions cannot be used as arguments of aggregate functions');
  }
  return {
    name,
    type: found.returnType,
    isAggregate: true,
    column: undefined,
    begin: (bindings) =>
      aggregateRun(
        found,
        parts.map((part) => part.begin(bindings)),
      ),
  };
}

function scalarRun(
  found: ScalarFunction,
  parts: readonly PreparedSelector[],
  bindings: Bindings,
): SelectorRun {
  const runs = parts.map((part) => part.begin(bindings));
  checkConstants(found, runs);
  const execute = (values: readonly (Buffer | null)[]) => found.execute(checkSet(found, values), bindings);
  // Cassandra calls it before it reads: what cannot be computed is refused though there be no row.
  if (found.isPure && runs.length > 0 && runs.every((run) => run.isConstant))
    return constantRun(execute(runs.map((run) => run.output())));
  return composedRun(runs, execute);
}

/** Those too are refused before anything is read. */
function checkConstants(found: ScalarFunction, runs: readonly SelectorRun[]): void {
  if (!runs.some((run) => run.isConstant)) return;
  const values = runs.map((run) => (run.isConstant ? run.output() : undefined));
  checkSet(found, values);
  found.checkConstants?.(values);
}

function checkSet<T extends Buffer | null | undefined>(
  found: NativeFunction,
  values: readonly T[],
): readonly T[] {
  if (!values.some((value) => value === unsetOutput)) return values;
  throw invalidRequest(`Invalid unset value for argument in call to function ${found.name}`);
}

function aggregateRun(found: AggregateFunction, parts: readonly SelectorRun[]): SelectorRun {
  const aggregate = found.begin();
  return {
    add(row) {
      for (const part of parts) part.add(row);
      aggregate.add(
        checkSet(
          found,
          parts.map((part) => part.output()),
        ),
      );
      for (const part of parts) part.reset();
    },
    output: () => aggregate.take(),
    reset() {},
    times() {
      assert(false, 'an aggregate is no column');
    },
  };
}
