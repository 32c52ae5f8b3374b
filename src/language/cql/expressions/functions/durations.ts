// Times and durations, as Cassandra computes with them: milliseconds since the epoch, months by the calendar.

import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { dateOfDays, daysInMonth, daysOfDate } from '../../../../values/civil-date.ts';
import type { CqlDuration } from '../../../../values/cql-duration.ts';

export const msPerDay = 86_400_000n;
const nanosPerMs = 1_000_000n;

/** The day of a moment, counted towards zero as Java's Duration.toDays does: the last of 1969 is day 0 too. */
export function dayOf(ms: bigint): number {
  const seconds = ms >= 0n ? ms / 1000n : -((-ms + 999n) / 1000n);
  return Number(BigInt.asIntN(32, seconds / 86_400n));
}

/** The beginning of a day. */
export function startOfDay(days: number): bigint {
  return BigInt(days) * msPerDay;
}

export function plusDuration(ms: bigint, duration: CqlDuration, sign: 1 | -1): bigint {
  const amount = BigInt(sign);
  const days = amount * BigInt(duration.days) * msPerDay;
  const rest = amount * (duration.nanoseconds / nanosPerMs);
  return plusMonths(ms, sign * duration.months) + days + rest;
}

/** The same day of another month, or its last one. */
export function plusMonths(ms: bigint, months: number): bigint {
  if (months === 0) return ms;
  const days = floorDivide(ms, msPerDay);
  const { year, month, day } = dateOfDays(Number(days));
  const target = year * 12 + (month - 1) + months;
  const [newYear, newMonth] = [Math.floor(target / 12), (((target % 12) + 12) % 12) + 1];
  const newDay = Math.min(day, daysInMonth(newYear, newMonth));
  return (
    BigInt(daysOfDate({ year: newYear, month: newMonth, day: newDay })) * msPerDay + (ms - days * msPerDay)
  );
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

function isNegative({ months, days, nanoseconds }: CqlDuration): boolean {
  return months < 0 || days < 0 || nanoseconds < 0n;
}

/** The last of the moments that are a whole number of durations after the start, and not after the time. */
export function floorTime(ms: bigint, duration: CqlDuration, start: bigint): bigint {
  if (start > ms) throw invalidRequest('The floor function starting time is greater than the provided time');
  if (isNegative(duration))
    throw invalidRequest('Negative durations are not supported by the floor function');
  const fixed = BigInt(duration.days) * msPerDay + duration.nanoseconds / nanosPerMs;
  if (duration.months === 0) return fixed === 0n ? ms : ms - ((ms - start) % fixed);
  let multiplier = Math.trunc(monthsBetween(start, ms) / duration.months);
  let floor = plusMonths(start, multiplier * duration.months) + BigInt(multiplier) * fixed;
  if (fixed === 0n) return floor;
  while (floor > ms) {
    multiplier -= 1;
    floor = plusMonths(start, multiplier * duration.months) + BigInt(multiplier) * fixed;
  }
  return floor > start ? floor : start;
}

function monthsBetween(start: bigint, end: bigint): number {
  const [from, to] = [start, end].map((ms) => dateOfDays(Number(floorDivide(ms, msPerDay))));
  if (from === undefined || to === undefined) return 0;
  return (to.year - from.year) * 12 + (to.month - from.month);
}

/** The same within a day, in nanoseconds. */
export function floorTimeOfDay(nanos: bigint, duration: CqlDuration): bigint {
  if (isNegative(duration))
    throw invalidRequest('Negative durations are not supported by the floor function');
  if (duration.months !== 0 || duration.days !== 0 || duration.nanoseconds > msPerDay * nanosPerMs) {
    throw invalidRequest('For time values, the floor can only be computed for durations smaller that a day');
  }
  return duration.nanoseconds === 0n ? nanos : nanos - (nanos % duration.nanoseconds);
}
