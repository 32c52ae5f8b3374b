import { dateOfDays, daysInMonth, daysOfDate } from './civil-date.ts';
import { invalidValue } from './invalid-value.ts';

// A CQL date is days since the epoch; on the wire 2^31 is added, so that its bytes sort as the days do.

const smallestDay = -(2 ** 31);
const largestDay = 2 ** 31 - 1;
const wholeNumber = /^-?\d+$/;

/** `2024-02-29`, with a sign before years of more than four digits; or days with the epoch at 2^31. */
export function parseDate(text: string): number {
  if (wholeNumber.test(text)) {
    const raw = Number(text);
    if (raw < 0 || raw > 0xffff_ffff)
      throw invalidValue(`Unable to make unsigned int (for date) from: '${text}'`);
    // SimpleDateSerializer.parseRaw shifts from Integer.MAX_VALUE on, one day early; the bytes are the same either way.
    return raw + smallestDay;
  }
  const date = readIsoDate(text);
  if (date === undefined || date.day > daysInMonth(date.year, date.month))
    throw invalidValue(`Unable to coerce '${text}' to a formatted date (long)`);
  const days = daysOfDate(date);
  if (days < smallestDay)
    throw invalidValue(`Input date ${text} is less than min supported date -5877641-06-23T00:00Z`);
  if (days > largestDay)
    throw invalidValue(`Input date ${text} is greater than max supported date +5881580-07-11T00:00Z`);
  return days;
}

export function printDate(days: number): string {
  const { year, month, day } = dateOfDays(days);
  return `${printYear(year)}-${pad(month, 2)}-${pad(day, 2)}`;
}

const isoDate = /^([+-]?)(\d{4,9})-(\d{2})-(\d{2})$/;

/**
 * A date as java.time reads ISO_LOCAL_DATE: a plus exactly where the year has more than four digits. The day may be
 * beyond the end of its month.
 */
export function readIsoDate(text: string): { year: number; month: number; day: number } | undefined {
  const [, sign, digits = '', month, day] = isoDate.exec(text) ?? [];
  if (sign === undefined || (sign !== '-' && (sign === '+') !== digits.length > 4)) return undefined;
  const date = { year: Number(`${sign}${digits}`), month: Number(month), day: Number(day) };
  const isNegativeZero = sign === '-' && date.year === 0;
  return isNegativeZero || !isOnCalendar(date.month, date.day) ? undefined : date;
}

export function isOnCalendar(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** Four digits at least; above 9999 with a plus. */
export function printYear(year: number): string {
  if (year > 9999) return `+${year}`;
  return year < 0 ? `-${pad(-year, 4)}` : pad(year, 4);
}

export function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
