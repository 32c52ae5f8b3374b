import { randomUUID } from 'node:crypto';
import { uuidBytes } from '../../../../values/cql-codec.ts';
import { bytesFunction, type ScalarFunction } from './native-function.ts';

export const uuidFunctions: readonly ScalarFunction[] = [
  { ...bytesFunction('uuid', [], { kind: 'uuid' }, () => uuidBytes(randomUUID())), isPure: false },
];
