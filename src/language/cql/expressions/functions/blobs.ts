import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { CqlType, NativeKind } from '../../../../values/cql-type.ts';
import { validateCqlValue } from '../../../../values/cql-validation.ts';
import { reasonOf } from '../../../../values/invalid-value.ts';
import { bytesFunction, type ScalarFunction } from './native-function.ts';

const blob: CqlType = { kind: 'blob' };

/** Text has two names, and functions for both. */
const named: readonly (readonly [string, NativeKind])[] = [
  ['ascii', 'ascii'],
  ['bigint', 'bigint'],
  ['boolean', 'boolean'],
  ['counter', 'counter'],
  ['date', 'date'],
  ['decimal', 'decimal'],
  ['double', 'double'],
  ['duration', 'duration'],
  ['empty', 'empty'],
  ['float', 'float'],
  ['inet', 'inet'],
  ['int', 'int'],
  ['smallint', 'smallint'],
  ['text', 'text'],
  ['time', 'time'],
  ['timestamp', 'timestamp'],
  ['timeuuid', 'timeuuid'],
  ['tinyint', 'tinyint'],
  ['uuid', 'uuid'],
  ['varchar', 'text'],
  ['varint', 'varint'],
];

export const blobFunctions: readonly ScalarFunction[] = named.flatMap(([name, kind]) => [
  toBlob(`${name}_as_blob`, kind),
  toBlob(`${name}asblob`, kind),
  fromBlob(`blob_as_${name}`, name, kind),
  fromBlob(`blobas${name}`, name, kind),
]);

function toBlob(name: string, kind: NativeKind): ScalarFunction {
  return bytesFunction(name, [{ kind }], blob, ([bytes]) => bytes ?? null);
}

function fromBlob(name: string, typeName: string, kind: NativeKind): ScalarFunction {
  const type: CqlType = { kind };
  return bytesFunction(name, [blob], type, ([bytes]) => {
    if (!bytes) return null;
    try {
      validateCqlValue(type, bytes);
    } catch (error) {
      reasonOf(error);
      throw invalidRequest(
        `In call to function system.${name}, value 0x${bytes.toString('hex')} is not a valid binary representation for type ${typeName}`,
      );
    }
    return bytes;
  });
}
