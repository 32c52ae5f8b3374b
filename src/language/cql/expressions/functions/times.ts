import { assert } from '../../../../foundation/assert.ts';
import { encodeCqlValue } from '../../../../values/cql-codec.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import { dayOf, msPerDay, startOfDay } from './durations.ts';
import { bytesFunction, type ScalarFunction } from './native-function.ts';
import { largestTimeUuid, newTimeUuid, smallestTimeUuid, timeOfUuid } from './time-uuid.ts';

type Temporal = 'timestamp' | 'date' | 'timeuuid';

/** Milliseconds since the epoch. */
export function timeIn(kind: Temporal, bytes: Buffer): bigint {
  switch (kind) {
    case 'timestamp':
      return bytes.readBigInt64BE();
    case 'date':
      return startOfDay(bytes.readUInt32BE() - 2 ** 31);
    case 'timeuuid':
      return timeOfUuid(bytes);
  }
}

export function bytesOf(kind: 'timestamp' | 'date' | 'bigint', ms: bigint): Buffer {
  const bytes = encodeCqlValue({ kind }, kind === 'date' ? dayOf(ms) : BigInt.asIntN(64, ms));
  assert(bytes !== null, 'a time has bytes');
  return bytes;
}

/** Under the name it has since Cassandra 5 and under the older one. */
function bothNames(name: string, make: (name: string) => ScalarFunction): ScalarFunction[] {
  return [make(name), make(name.replaceAll('_', ''))];
}

function conversion(
  name: string,
  from: Temporal,
  to: CqlType,
  convert: (ms: bigint) => Buffer,
): ScalarFunction[] {
  return bothNames(name, (each) =>
    bytesFunction(each, [{ kind: from }], to, ([bytes]) =>
      bytes === null || bytes === undefined || bytes.length === 0 ? null : convert(timeIn(from, bytes)),
    ),
  );
}

function present(name: string, kind: CqlType, value: (nowMicros: bigint) => Buffer | null): ScalarFunction {
  return {
    ...bytesFunction(name, [], kind, (_values, { nowMicros }) => value(nowMicros)),
    isPure: false,
  };
}

const timeuuid: CqlType = { kind: 'timeuuid' };
const timestamp: CqlType = { kind: 'timestamp' };
const date: CqlType = { kind: 'date' };
const time: CqlType = { kind: 'time' };
const bigint: CqlType = { kind: 'bigint' };

export const timeFunctions: readonly ScalarFunction[] = [
  present('now', timeuuid, newTimeUuid),
  ...bothNames('current_timeuuid', (name) => present(name, timeuuid, newTimeUuid)),
  ...bothNames('current_timestamp', (name) =>
    present(name, timestamp, (micros) => bytesOf('timestamp', micros / 1000n)),
  ),
  ...bothNames('current_date', (name) => present(name, date, (micros) => bytesOf('date', micros / 1000n))),
  ...bothNames('current_time', (name) =>
    present(name, time, (micros) => encodeCqlValue(time, (micros % (msPerDay * 1000n)) * 1000n)),
  ),
  ...conversion('min_timeuuid', 'timestamp', timeuuid, smallestTimeUuid),
  ...conversion('max_timeuuid', 'timestamp', timeuuid, largestTimeUuid),
  ...conversion('to_date', 'timeuuid', date, (ms) => bytesOf('date', ms)),
  ...conversion('to_timestamp', 'timeuuid', timestamp, (ms) => bytesOf('timestamp', ms)),
  ...conversion('to_unix_timestamp', 'timeuuid', bigint, (ms) => bytesOf('bigint', ms)),
  ...conversion('to_unix_timestamp', 'timestamp', bigint, (ms) => bytesOf('bigint', ms)),
  ...conversion('to_date', 'timestamp', date, (ms) => bytesOf('date', ms)),
  ...conversion('to_unix_timestamp', 'date', bigint, (ms) => bytesOf('bigint', ms)),
  ...conversion('to_timestamp', 'date', timestamp, (ms) => bytesOf('timestamp', ms)),
];
