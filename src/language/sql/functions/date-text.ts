// Dates as queries write them: ISO 8601 texts in UTC, counted in ticks of 100 ns since 1970.

export const ticksPerSecond = 10_000_000n;
const ticksPerMillisecond = 10_000n;

/** A time may be left out, but what has one has its seconds. */
const form = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,7}))?)?Z?$/;

/** Undefined for what is no date, or a date that no calendar has. */
export function ticksOf(text: string): bigint | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = found;
  return ticksOfParts(
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(7, '0')),
  );
}

/** `fraction` is in ticks. Months count from 1. */
export function ticksOfParts(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  fraction: number,
): bigint | undefined {
  if (![year, month, day, hour, minute, second, fraction].every(Number.isInteger)) return undefined;
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month))
    return undefined;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return undefined;
  if (fraction < 0 || fraction > 9_999_999) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return BigInt(date.getTime()) * ticksPerMillisecond + BigInt(fraction);
}

export function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

const firstTick = -621_355_968_000_000_000n;
const endOfTicks = 253_402_300_800n * ticksPerSecond;

/** Years 1 to 9999; undefined beyond them. */
export function dateTextOf(ticks: bigint): string | undefined {
  if (ticks < firstTick || ticks >= endOfTicks) return undefined;
  const fraction = floorMod(ticks, ticksPerSecond);
  const date = new Date(Number((ticks - fraction) / ticksPerMillisecond));
  return `${date.toISOString().slice(0, 19)}.${String(fraction).padStart(7, '0')}Z`;
}

/** The calendar's view of a moment, to the millisecond. */
export function dateOf(ticks: bigint): Date {
  return new Date(Number(floorDiv(ticks, ticksPerMillisecond)));
}

export function floorDiv(a: bigint, b: bigint): bigint {
  return (a - floorMod(a, b)) / b;
}

export function floorMod(a: bigint, b: bigint): bigint {
  const rest = a % b;
  return rest < 0n ? rest + b : rest;
}
