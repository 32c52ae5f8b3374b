import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import { type CqlType, freeze, isMultiCell, printCqlType } from '../../../values/cql-type.ts';
import { reasonOf } from '../../../values/invalid-value.ts';
import type { QualifiedName } from '../names.ts';
import { findFactories } from './functions/function-registry.ts';
import type { NativeFunction } from './functions/native-function.ts';
import { operatorOf } from './functions/operator-names.ts';
import { argumentSpec, printFunctionName, resolveFunction } from './functions/resolve-function.ts';
import { isTimeUuid } from './functions/time-uuid.ts';
import type { TermContext } from './term-context.ts';
import { canReadValues, type Fit, isSameType } from './type-compatibility.ts';
import type { TypedTerm } from './typed-term.ts';
import type { UntypedTerm } from './untyped-term.ts';

/** `f(a, b)`, and what Cassandra makes of `a + b`, `-a` and `CAST(a AS t)`. `text` is the call as messages repeat it. */
export function untypedCall(
  name: QualifiedName,
  operands: readonly UntypedTerm[],
  text: string,
  context: TermContext,
): UntypedTerm {
  const resolve = remembering((receiver: ColumnSpec | undefined) =>
    resolveFunction(name, {
      operands,
      schema: context.schema,
      receiverType: receiver?.type,
      keyspace: receiver?.keyspace ?? '',
      table: receiver?.table ?? '',
    }),
  );
  return {
    text,
    isMarker: false,
    containsMarker: operands.some((operand) => operand.containsMarker),
    arrayLength: undefined,
    fit: (receiver) => orElse('weak', () => fitOfResult(resolve(receiver), receiver.type)),
    exactType: () => orElse(undefined, () => resolve(undefined)?.returnType),
    likelyType: () => orElse(undefined, () => resolve(undefined)?.returnType),
    prepare: (receiver) => prepareCall(name, resolve(receiver), operands, receiver),
  };
}

type Resolve = (receiver: ColumnSpec | undefined) => NativeFunction | undefined;

/**
 * Calls inside calls are asked again for every signature that the outer one might have: without a memory that takes as long as there
 * are ways to combine them all.
 */
function remembering(resolve: Resolve): Resolve {
  const answers = new Map<string, () => NativeFunction | undefined>();
  return (receiver) => {
    const key =
      receiver === undefined ? '' : `${printCqlType(receiver.type)} ${receiver.keyspace}.${receiver.table}`;
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = answerOf(() => resolve(receiver));
      answers.set(key, answer);
    }
    return answer();
  };
}

function answerOf(resolve: () => NativeFunction | undefined): () => NativeFunction | undefined {
  try {
    const found = resolve();
    return () => found;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** A call that means no function, or too many, is refused when it is prepared and not when somebody asks about it. */
function orElse<Value>(otherwise: Value, resolve: () => Value): Value {
  try {
    return resolve();
  } catch (error) {
    reasonOf(error);
    return otherwise;
  }
}

function fitOfResult(found: NativeFunction | undefined, type: CqlType): Fit {
  if (found === undefined || findFactories(found.name).length > 0) return 'weak';
  if (isSameType(type, found.returnType)) return 'exact';
  return canReadValues(type, found.returnType) ? 'weak' : 'none';
}

function prepareCall(
  name: QualifiedName,
  found: NativeFunction | undefined,
  operands: readonly UntypedTerm[],
  receiver: ColumnSpec,
): TypedTerm {
  if (found === undefined) throw invalidRequest(`Unknown function ${printFunctionName(name)} called`);
  if (found.kind === 'aggregate') {
    throw invalidRequest('Aggregation function are not supported in the where clause');
  }
  checkResult(found, receiver);
  const terms = operands.map((operand, at) => operand.prepare(argumentSpec(found, at, receiver)));
  return {
    type: found.returnType,
    isConstant: found.isPure && terms.every((term) => term.isConstant),
    evaluate(bindings) {
      const values = terms.map((term) => {
        const value = term.evaluate(bindings);
        if (value === undefined) {
          throw invalidRequest(`Invalid unset value for argument in call to function ${found.name}`);
        }
        return value;
      });
      return checkedResult(found, found.execute(values, bindings));
    },
  };
}

/** Only the time of a timeuuid can be such that it is none; what is selected is not looked at. */
function checkedResult({ name, argumentTypes, returnType }: NativeFunction, result: BoundValue): BoundValue {
  if (returnType.kind !== 'timeuuid' || !result || isTimeUuid(result)) return result;
  const types = argumentTypes.map(printCqlType).join(', ');
  throw invalidRequest(
    `Return of function system.${name} : (${types}) -> timeuuid (${result.toString('hex')}) is not a valid value for its declared return type timeuuid`,
  );
}

function checkResult(found: NativeFunction, { name, type }: ColumnSpec): void {
  const isFrozen = 'frozen' in type && !isMultiCell(type);
  const returned = isFrozen ? freeze(found.returnType) : found.returnType;
  if (isSameType(type, returned) || canReadValues(type, returned)) return;
  const operator = operatorOf(found.name);
  const what = operator === undefined ? `function system.${found.name}` : `operation ${operator}`;
  throw invalidRequest(
    `Type error: cannot assign result of ${what} (type ${printCqlType(found.returnType)}) to ${name} (type ${printCqlType(type)})`,
  );
}
