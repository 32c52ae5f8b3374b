// What functions that are made for their arguments ask of them, and what they say of those that do not suit them.

import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { fitOfType } from '../type-compatibility.ts';
import type { Operand } from '../untyped-term.ts';
import type { Call, FunctionFactory, NativeFunction } from './native-function.ts';

export interface FunctionParameter {
  readonly text: string;
  readonly isOptional: boolean;
  /** `inferred` are the types of all arguments as far as they are known without one another. */
  infer(
    operand: Operand,
    receiver: CqlType | undefined,
    inferred: readonly (CqlType | undefined)[],
  ): CqlType | undefined;
  /** What is wanted, where the type is not. */
  complaint(type: CqlType): string | undefined;
}

const plain = {
  isOptional: false,
  infer: (operand: Operand) => operand.likelyType(),
};

export function anyType(options: { inferFromReceiver: boolean }): FunctionParameter {
  return {
    ...plain,
    text: 'any',
    infer: (operand, receiver) => operand.likelyType() ?? (options.inferFromReceiver ? receiver : undefined),
    complaint: () => undefined,
  };
}

export function fixedType(first: CqlType, ...others: readonly CqlType[]): FunctionParameter {
  const types = [first, ...others];
  const names = types.map(printCqlType);
  return namedTypes(types, others.length === 0 ? names.join() : `[${names.join('|')}]`);
}

/** Text is named twice in Cassandra, by both of its names. */
export const stringType: FunctionParameter = namedTypes(
  [{ kind: 'text' }, { kind: 'ascii' }],
  '[text|varchar|ascii]',
);

function namedTypes(types: readonly CqlType[], text: string): FunctionParameter {
  return {
    ...plain,
    text,
    infer: (operand) => operand.likelyType() ?? types[0],
    complaint: (given) =>
      types.every((type) => fitOfType(given, type) === 'none') ? `an argument of type ${text}` : undefined,
  };
}

export function optional(parameter: FunctionParameter): FunctionParameter {
  return { ...parameter, text: `[${parameter.text}]`, isOptional: true };
}

/** Of the type that another argument has, if its own is not known or if the other's is preferred. */
export function sameTypeAs(
  index: number,
  options: { preferOther: boolean },
  parameter: FunctionParameter,
): FunctionParameter {
  return {
    ...parameter,
    infer(operand, receiver, inferred) {
      const own = () => parameter.infer(operand, receiver, inferred);
      return options.preferOther ? (inferred[index] ?? own()) : (own() ?? inferred[index]);
    },
  };
}

export const anyCollection: FunctionParameter = {
  ...plain,
  text: 'collection',
  complaint: ({ kind }) =>
    kind === 'list' || kind === 'set' || kind === 'map' ? undefined : 'a collection argument',
};

export const setOrList: FunctionParameter = {
  ...plain,
  text: 'numeric_set_or_list',
  complaint: ({ kind }) => (kind === 'list' || kind === 'set' ? undefined : 'a set or list argument'),
};

const numericKinds: ReadonlySet<CqlType['kind']> = new Set([
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'float',
  'double',
  'decimal',
  'varint',
]);

export const numericSetOrList: FunctionParameter = {
  ...plain,
  text: 'numeric_set_or_list',
  complaint(type) {
    const isNumeric = (type.kind === 'list' || type.kind === 'set') && numericKinds.has(type.element.kind);
    return isNumeric ? undefined : 'a numeric set/list argument';
  },
};

export const anyMap: FunctionParameter = {
  ...plain,
  text: 'map',
  complaint: ({ kind }) => (kind === 'map' ? undefined : 'a map argument'),
};

export const floatVector: FunctionParameter = {
  ...plain,
  text: 'vector<float, n>',
  infer(operand, receiver) {
    if (operand.arrayLength !== undefined) {
      return { kind: 'vector', element: { kind: 'float' }, dimension: operand.arrayLength };
    }
    return operand.likelyType() ?? receiver;
  },
  complaint: (type) =>
    type.kind === 'vector' && type.element.kind === 'float' ? undefined : 'a float vector argument',
};

/** A factory that is told the types of its arguments when all of them are known and suit it. */
export function factoryOf(
  name: string,
  parameters: readonly FunctionParameter[],
  create: (types: readonly CqlType[], call: Call) => NativeFunction,
): FunctionFactory {
  const text = `system.${name}(${parameters.map((parameter) => parameter.text).join(', ')})`;
  const mandatory = parameters.filter((parameter) => !parameter.isOptional).length;
  return {
    name,
    create(call) {
      const { operands, receiverType } = call;
      if (operands.length < mandatory || operands.length > parameters.length) {
        throw invalidRequest(`Invalid number of arguments for function ${text}`);
      }
      const used = parameters.slice(0, operands.length);
      const alone = used.map((parameter, at) => inferAt(parameter, operands[at], receiverType, []));
      const types = used.map((parameter, at) => {
        const operand = operands[at];
        const type = inferAt(parameter, operand, receiverType, alone);
        if (type === undefined) {
          throw invalidRequest(
            `Cannot infer type of argument ${operand?.text} in call to function ${text}: use type casts to disambiguate`,
          );
        }
        const complaint = parameter.complaint(type);
        if (complaint !== undefined) {
          throw invalidRequest(
            `Function system.${name} requires ${complaint}, but found argument ${operand?.text} of type ${printCqlType(type)}`,
          );
        }
        return type;
      });
      return create(types, call);
    },
  };
}

function inferAt(
  parameter: FunctionParameter,
  operand: Operand | undefined,
  receiver: CqlType | undefined,
  inferred: readonly (CqlType | undefined)[],
): CqlType | undefined {
  return operand === undefined ? undefined : parameter.infer(operand, receiver, inferred);
}
