import type { CqlSchema } from '../../../../catalog/cql/cql-schema.ts';
import { type CqlValue, decodeCqlValue, encodeCqlValue } from '../../../../values/cql-codec.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import type { Bindings } from '../typed-term.ts';
import type { Operand } from '../untyped-term.ts';
import { orFailure } from './function-failure.ts';

interface Signature {
  /** Without the keyspace, which is always `system`. */
  readonly name: string;
  readonly argumentTypes: readonly CqlType[];
  readonly returnType: CqlType;
  /** What a result column of it is called, given what its arguments' columns would be. */
  columnName(argumentNames: readonly string[]): string;
}

export interface ScalarFunction extends Signature {
  readonly kind: 'scalar';
  /** The same arguments always give the same value. */
  readonly isPure: boolean;
  execute(values: readonly (Buffer | null)[], bindings: Bindings): Buffer | null;
  /** Refuses arguments that no row decides, though there be none; undefined stands for those that a row does. */
  checkConstants?(values: readonly (Buffer | null | undefined)[]): void;
}

export interface AggregateFunction extends Signature {
  readonly kind: 'aggregate';
  begin(): Aggregate;
}

/** Takes the rows of one group after the other. */
export interface Aggregate {
  add(values: readonly (Buffer | null)[]): void;
  /** The result of what was added since it was last asked. */
  take(): Buffer | null;
}

export type NativeFunction = ScalarFunction | AggregateFunction;

/** A call of which is to be found out which function it means. */
export interface Call {
  readonly operands: readonly Operand[];
  /** Undefined in a select clause. */
  readonly receiverType: CqlType | undefined;
  readonly schema: CqlSchema;
  readonly keyspace: string;
  readonly table: string;
}

/** Makes functions for types that are too many to list. */
export interface FunctionFactory {
  readonly name: string;
  create(call: Call): NativeFunction;
}

export function callName(name: string, argumentNames: readonly string[]): string {
  return `system.${name}(${argumentNames.join(', ')})`;
}

/** A function on bytes that gets nulls too. */
export function bytesFunction(
  name: string,
  argumentTypes: readonly CqlType[],
  returnType: CqlType,
  execute: ScalarFunction['execute'],
): ScalarFunction {
  return {
    kind: 'scalar',
    name,
    argumentTypes,
    returnType,
    isPure: true,
    columnName: (names) => callName(name, names),
    execute,
  };
}

/** A function on values, which gives null if one of them is. */
export function valueFunction(
  name: string,
  argumentTypes: readonly CqlType[],
  returnType: CqlType,
  execute: (...values: Exclude<CqlValue, null>[]) => CqlValue,
): ScalarFunction {
  return bytesFunction(name, argumentTypes, returnType, (values) => {
    const decoded: Exclude<CqlValue, null>[] = [];
    for (const [at, type] of argumentTypes.entries()) {
      const value = decodeCqlValue(type, values[at] ?? null);
      if (value === null) return null;
      decoded.push(value);
    }
    return orFailure(name, argumentTypes, () => encodeCqlValue(returnType, execute(...decoded)));
  });
}

/** As it stands in refusals: `system.sum : (int) -> int`. Of one call it may be told which arguments are constants. */
export function printSignature(
  { name, argumentTypes, returnType }: NativeFunction,
  areConstant: readonly boolean[] = [],
): string {
  const printed = argumentTypes
    .map((type, at) => `${printArgumentType(type)}${areConstant[at] === true ? '(constant)' : ''}`)
    .join(', ');
  const quoted = name.startsWith('_') ? `"${name}"` : name;
  return `system.${quoted} : (${printed}) -> ${printCqlType(returnType)}`;
}

function printArgumentType(type: CqlType): string {
  const printed = printCqlType(type);
  return type.kind === 'tuple' ? printed.slice('frozen<'.length, -1) : printed;
}
