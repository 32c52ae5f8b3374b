import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { encodeCqlValue } from '../../../../values/cql-codec.ts';
import { type CqlDuration, durationOf, printDuration } from '../../../../values/cql-duration.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import { floorTime, floorTimeOfDay } from './durations.ts';
import { bytesFunction, type ScalarFunction } from './native-function.ts';
import { bytesOf, timeIn } from './times.ts';

const duration: CqlType = { kind: 'duration' };
const time: CqlType = { kind: 'time' };

/** With and without a time to count from; a timeuuid is counted from a timestamp. */
function floors(kind: 'timestamp' | 'date' | 'timeuuid'): ScalarFunction[] {
  const start = kind === 'date' ? 'date' : 'timestamp';
  const execute: ScalarFunction['execute'] = (values) => {
    const [bytes, length, from] = values;
    if (values.some((value) => value === null || value.length === 0) || !bytes || !length) return null;
    const amount = durationOf(length);
    checkPrecision(kind, amount);
    return bytesOf(start, floorTime(timeIn(kind, bytes), amount, from ? timeIn(start, from) : 0n));
  };
  return [
    bytesFunction('floor', [{ kind }, duration], { kind: start }, execute),
    bytesFunction('floor', [{ kind }, duration, { kind: start }], { kind: start }, execute),
  ];
}

function checkPrecision(kind: string, amount: CqlDuration): void {
  const text = printDuration(amount);
  if (kind === 'date' && amount.nanoseconds !== 0n) {
    throw invalidRequest(
      `The floor on date values cannot be computed for the ${text} duration as precision is below 1 day`,
    );
  }
  if (amount.nanoseconds % 1_000_000n !== 0n) {
    throw invalidRequest(
      `The floor cannot be computed for the ${text} duration as precision is below 1 millisecond`,
    );
  }
}

export const floorFunctions: readonly ScalarFunction[] = [
  ...floors('timestamp'),
  ...floors('timeuuid'),
  ...floors('date'),
  bytesFunction('floor', [time, duration], time, ([bytes, length]) =>
    bytes && length ? encodeCqlValue(time, floorTimeOfDay(bytes.readBigInt64BE(), durationOf(length))) : null,
  ),
];
