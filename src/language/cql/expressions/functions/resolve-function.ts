// Which function a call means: the one whose signature fits best, in Cassandra's way of finding it.

import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import { printCqlType } from '../../../../values/cql-type.ts';
import type { QualifiedName } from '../../names.ts';
import { type Fit, fitOfType, isSameType, worstFit } from '../type-compatibility.ts';
import { findFactories, findFunctions } from './function-registry.ts';
import { type Call, type NativeFunction, printSignature } from './native-function.ts';
import { operatorOf } from './operator-names.ts';

/** Undefined if there is none of that name. A function of the user's own never is: none can be created. */
export function resolveFunction(name: QualifiedName, call: Call): NativeFunction | undefined {
  if (name.keyspace !== null && name.keyspace !== 'system') return undefined;
  const candidates = [
    ...findFunctions(name.name),
    ...findFactories(name.name).map((factory) => factory.create(call)),
  ];
  const [only] = candidates;
  if (candidates.length > 1) return bestMatch(name, call, candidates);
  if (only !== undefined) checkArguments(only, call);
  return only;
}

/** What an argument is for. */
export function argumentSpec(
  { name, argumentTypes }: NativeFunction,
  at: number,
  { keyspace, table }: Pick<ColumnSpec, 'keyspace' | 'table'>,
): ColumnSpec {
  const type = argumentTypes[at];
  if (type === undefined) throw new Error('invariant broken: a function has as many types as arguments');
  return { keyspace, table, name: `arg${at}(system.${name.toLowerCase()})`, type };
}

export function printFunctionName({ keyspace, name }: QualifiedName): string {
  return keyspace === null ? name : `${keyspace}.${name}`;
}

function checkArguments(found: NativeFunction, call: Call): void {
  const { operands } = call;
  const { name, argumentTypes } = found;
  if (operands.length !== argumentTypes.length) {
    throw invalidRequest(
      `Invalid number of arguments in call to function system.${name}: ${argumentTypes.length} required but ${operands.length} provided`,
    );
  }
  for (const [at, operand] of operands.entries()) {
    const spec = argumentSpec(found, at, call);
    if (operand.fit(spec) !== 'none') continue;
    throw invalidRequest(
      `Type error: ${operand.text} cannot be passed as argument ${at} of function system.${name} of type ${printCqlType(spec.type)}`,
    );
  }
}

function bestMatch(name: QualifiedName, call: Call, candidates: readonly NativeFunction[]): NativeFunction {
  const { operands, receiverType } = call;
  const exact: NativeFunction[] = [];
  const compatible: NativeFunction[] = [];
  for (const candidate of candidates) {
    if (receiverType !== undefined && fitOfType(candidate.returnType, receiverType) === 'none') continue;
    const fit = fitOfArguments(candidate, call);
    if (fit === 'exact') exact.push(candidate);
    if (fit === 'weak') compatible.push(candidate);
  }
  // Cassandra takes whichever its hashes bring first; so 1 + 1 + 1 may be computed in a tinyint there.
  const best = onReceiver(exact, call) ?? exact[0];
  if (best !== undefined) return best;
  const [first] = compatible;
  const operator = operatorOf(name.name);
  const [left, right] = operands.map((operand) => operand.text);
  if (first === undefined) {
    if (operator !== undefined) {
      throw invalidRequest(`the '${operator}' operation is not supported between ${left} and ${right}`);
    }
    throw invalidRequest(
      `Invalid call to function ${printFunctionName(name)}, none of its type signatures match (known type signatures: ${printAll(candidates)})`,
    );
  }
  if (compatible.length === 1) return first;
  if (operator !== undefined) {
    const preferred = onReceiver(compatible, call);
    if (preferred !== undefined) return preferred;
    throw invalidRequest(
      `Ambiguous '${operator}' operation with args ${left} and ${right}: use type hint to disambiguate, example '(int) ?'`,
    );
  }
  if (name.name === '_negate') throw invalidRequest('Ambiguous negation: use type casts to disambiguate');
  throw invalidRequest(
    `Ambiguous call to function ${printFunctionName(name)} (can be matched by following signatures: ${printAll(compatible)}): use type casts to disambiguate`,
  );
}

function fitOfArguments(candidate: NativeFunction, call: Call): Fit {
  if (call.operands.length !== candidate.argumentTypes.length) return 'none';
  return worstFit(fitsOfArguments(candidate, call));
}

function* fitsOfArguments(candidate: NativeFunction, call: Call): Iterable<Fit> {
  for (const [at, operand] of call.operands.entries()) yield operand.fit(argumentSpec(candidate, at, call));
}

/** Of operators that would do, the one on two values of the type that is wanted. */
function onReceiver(
  compatible: readonly NativeFunction[],
  { operands, receiverType }: Call,
): NativeFunction | undefined {
  if (receiverType === undefined || operands.some((operand) => operand.isMarker)) return undefined;
  return compatible.find(({ argumentTypes }) =>
    argumentTypes.every((type) => isSameType(type, receiverType)),
  );
}

function printAll(functions: readonly NativeFunction[]): string {
  return functions.map((found) => printSignature(found)).join(', ');
}
