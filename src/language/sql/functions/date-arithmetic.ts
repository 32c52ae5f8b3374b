import { type DatePart, ticksOfPart } from './date-part.ts';
import { dateOf, daysIn, floorDiv, floorMod, ticksOfParts, ticksPerSecond } from './date-text.ts';

/** Undefined beyond the calendar's years. A day that the month does not have becomes its last. */
export function addToDate(ticks: bigint, part: DatePart, count: number): bigint | undefined {
  if (!Number.isSafeInteger(count)) return undefined;
  if (part === 'nanosecond') return ticks + BigInt(count) / 100n;
  if (part !== 'year' && part !== 'month') return ticks + BigInt(count) * ticksOfPart[part];
  const date = dateOf(ticks);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + (part === 'year' ? count * 12 : count);
  const year = Math.floor(months / 12);
  const month = months - year * 12 + 1;
  if (year < 1 || year > 9999) return undefined;
  const day = Math.min(date.getUTCDate(), daysIn(year, month));
  return ticksOfParts(
    year,
    month,
    day,
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    Number(floorMod(ticks, ticksPerSecond)),
  );
}

/** How many boundaries of the part lie between the two, not how long it is from one to the other. */
export function boundariesBetween(part: DatePart, start: bigint, end: bigint): number {
  if (part === 'year' || part === 'month') {
    const [first, last] = [dateOf(start), dateOf(end)];
    const years = last.getUTCFullYear() - first.getUTCFullYear();
    return part === 'year' ? years : years * 12 + last.getUTCMonth() - first.getUTCMonth();
  }
  if (part === 'nanosecond') return Number((end - start) * 100n);
  return Number(floorDiv(end, ticksOfPart[part]) - floorDiv(start, ticksOfPart[part]));
}

/** The start of the bin of that size, counted from the origin, in which the moment lies. */
export function binOf(ticks: bigint, part: DatePart, size: number, origin: bigint): bigint | undefined {
  if (part === 'nanosecond') {
    const sizeTicks = BigInt(Math.max(Math.ceil(size / 100), 1));
    return origin + floorDiv(ticks - origin, sizeTicks) * sizeTicks;
  }
  if (part !== 'year' && part !== 'month') {
    const sizeTicks = BigInt(size) * ticksOfPart[part];
    return origin + floorDiv(ticks - origin, sizeTicks) * sizeTicks;
  }
  const bins = Math.floor(boundariesBetween(part, origin, ticks) / size);
  const start = addToDate(origin, part, bins * size);
  // The origin may be later in its month than the moment is in its own.
  return start !== undefined && start > ticks ? addToDate(origin, part, (bins - 1) * size) : start;
}

export function partOfDate(part: DatePart, ticks: bigint): number {
  const date = dateOf(ticks);
  const fraction = Number(floorMod(ticks, ticksPerSecond));
  switch (part) {
    case 'year':
      return date.getUTCFullYear();
    case 'month':
      return date.getUTCMonth() + 1;
    case 'day':
      return date.getUTCDate();
    case 'hour':
      return date.getUTCHours();
    case 'minute':
      return date.getUTCMinutes();
    case 'second':
      return date.getUTCSeconds();
    case 'millisecond':
      return Math.trunc(fraction / 10_000);
    case 'microsecond':
      return Math.trunc(fraction / 10);
    case 'nanosecond':
      return fraction * 100;
  }
}
