import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { decodeCqlValue } from '../../../../values/cql-codec.ts';
import { bytesOfJson, printCqlJson } from '../../../../values/cql-json.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import { validateCqlValue } from '../../../../values/cql-validation.ts';
import { reasonOf } from '../../../../values/invalid-value.ts';
import { type JavaJson, parseJavaJson } from '../../../../values/java-json.ts';
import { functionFailure } from './function-failure.ts';
import { anyType, factoryOf, fixedType } from './function-parameter.ts';
import { bytesFunction, type FunctionFactory } from './native-function.ts';

const text: CqlType = { kind: 'text' };

function toJson(name: string): FunctionFactory {
  return factoryOf(name, [anyType({ inferFromReceiver: false })], ([type = text]) =>
    bytesFunction(name, [type], text, ([bytes]) => {
      // Those that are only selected may have nulls inside.
      if (bytes && (type.kind === 'list' || type.kind === 'map')) validateCqlValue(type, bytes);
      return Buffer.from(bytes && decodeCqlValue(type, bytes) !== null ? printCqlJson(type, bytes) : 'null');
    }),
  );
}

function parseOrFail(name: string, json: string): JavaJson {
  try {
    return parseJavaJson(json);
  } catch (error) {
    const reason = `Could not decode JSON string '${json}': ${reasonOf(error)}`;
    throw functionFailure(name, [text], `execution of 'system.${name}[text]' failed: ${reason}`);
  }
}

function fromJson(name: string): FunctionFactory {
  return factoryOf(name, [fixedType(text)], (_types, { receiverType }) => {
    if (receiverType === undefined) {
      throw invalidRequest(`${name}() cannot be used in the selection clause of a SELECT statement`);
    }
    return bytesFunction(name, [text], receiverType, ([bytes], { nowMicros }) => {
      if (!bytes) return null;
      const parsed = parseOrFail(name, bytes.toString('utf8'));
      if (parsed === null) return null;
      try {
        return bytesOfJson(receiverType, parsed, nowMicros / 1000n);
      } catch (error) {
        const reason = reasonOf(error);
        // Of all types duration alone has no failure of its own.
        if (reason.endsWith('to a duration')) throw error;
        throw functionFailure(name, [text], `org.apache.cassandra.serializers.MarshalException: ${reason}`);
      }
    });
  });
}

export const jsonFactories: readonly FunctionFactory[] = [
  toJson('to_json'),
  toJson('tojson'),
  fromJson('from_json'),
  fromJson('fromjson'),
];
