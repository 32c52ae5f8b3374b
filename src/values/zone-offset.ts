import { daysOfDate } from './civil-date.ts';
import { zonesByAbbreviation } from './zone-abbreviations.ts';

const msPerDay = 86_400_000;
/** Before the first there was no rule anywhere, and after the last none changes any more; it is also that of a Date, but for days. */
const firstMs = daysOfDate({ year: 1800, month: 1, day: 1 }) * msPerDay;
const lastMs = 8.64e15 - 2 * msPerDay;
/** A formatter takes some kilobytes, and longer to make than to use. */
const maxKept = 32;

/** As the tz database has them, in its own letters: `Europe/Berlin`, `EST5EDT`. */
const region = /^[A-Z][A-Za-z]*[A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*){0,2}$/;
/** Of which java.time reads only the first part. */
const notRead = /^Etc\/GMT./;

const kept = new Map<string, Intl.DateTimeFormat>();

/**
 * What a clock on a wall is ahead of Greenwich, in milliseconds, when it shows this time (as if it were UTC). A time that is there twice is
 * the first; one that is skipped is as much later as is skipped. Undefined for a zone that is not known.
 */
export function zoneOffset(zone: string, wallMs: number): number | undefined {
  const format = formatOf(zonesByAbbreviation.get(zone) ?? zone);
  if (format === undefined) return undefined;
  const before = offsetAt(format, wallMs - msPerDay);
  const after = offsetAt(format, wallMs + msPerDay);
  if (before === after || offsetAt(format, wallMs - before) === before) return before;
  return offsetAt(format, wallMs - after) === after ? after : before;
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = kept.get(zone);
  if (known !== undefined) return known;
  if (!region.test(zone) || notRead.test(zone)) return undefined;
  const format = newFormat(zone);
  if (format === undefined) return undefined;
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  kept.set(zone, format);
  return format;
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const canonical = format.resolvedOptions().timeZone;
    const isOtherCase = canonical !== timeZone && canonical.toLowerCase() === timeZone.toLowerCase();
    return isOtherCase ? undefined : format;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function offsetAt(format: Intl.DateTimeFormat, ms: number): number {
  const at = Math.max(firstMs, Math.min(lastMs, ms));
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const days = daysOfDate({ year: part('year'), month: part('month'), day: part('day') });
  const clock = ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000;
  return days * msPerDay + clock - Math.floor(at / 1000) * 1000;
}
