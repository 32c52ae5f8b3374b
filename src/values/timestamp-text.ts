import { type CivilDate, dateOfDays, daysInMonth, daysOfDate } from './civil-date.ts';
import { isOnCalendar, pad, printYear, readIsoDate } from './date-text.ts';
import { invalidValue } from './invalid-value.ts';
import { zoneOffset } from './zone-offset.ts';

// Timestamps are milliseconds since the epoch. Cassandra reads a text without a zone in the zone of its process; here
// that zone is UTC. Zones are offsets, names of regions, and abbreviations; their long names in English are not known.

const msPerDay = 86_400_000n;
const wholeNumber = /^-?\d+$/;
const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** Every form of TimestampSerializer. `now` is what the word now means. */
export function parseTimestamp(text: string, now: bigint): bigint {
  if (text.toLowerCase() === 'now') return now;
  if (wholeNumber.test(text)) {
    const ms = BigInt(text);
    if (ms < smallest || ms > largest) throw invalidValue(`Unable to make long (for date) from: '${text}'`);
    return ms;
  }
  const ms = readDateTime(text) ?? readDateOnly(text);
  if (ms === undefined || ms < smallest || ms > largest)
    throw invalidValue(`Unable to parse a date/time from '${text}'`);
  return ms;
}

/** `2020-01-01T00:00:00.000Z`, as casts and error messages have it. */
export function printTimestamp(ms: bigint): string {
  return printWith(ms, 'T');
}

/** `2020-01-01 00:00:00.000Z`, as JSON has it. */
export function printJsonTimestamp(ms: bigint): string {
  return printWith(ms, ' ');
}

/** The pattern prints the year of its era: the year before 0001 is 0001 too. */
function printWith(ms: bigint, separator: string): string {
  const msOfDay = Number(((ms % msPerDay) + msPerDay) % msPerDay);
  const { year, month, day } = dateOfDays(Number((ms - BigInt(msOfDay)) / msPerDay));
  const date = `${printYear(year > 0 ? year : 1 - year)}-${pad(month, 2)}-${pad(day, 2)}`;
  const clock = `${pad(Math.floor(msOfDay / 3_600_000), 2)}:${pad(Math.floor(msOfDay / 60_000) % 60, 2)}`;
  return `${date}${separator}${clock}:${pad(Math.floor(msOfDay / 1000) % 60, 2)}.${pad(msOfDay % 1000, 3)}Z`;
}

const dateTime = /^(\d{1,9})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{0,9}))?)?(.*)$/;

function readDateTime(text: string): bigint | undefined {
  const match = dateTime.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', zone = ''] = match;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (date.year === 0 || !isOnCalendar(date.month, date.day)) return undefined;
  const ms = readClock(Number(hour), Number(minute), Number(second), fraction);
  if (ms === undefined) return undefined;
  return inZone(BigInt(daysOf(date)) * msPerDay + BigInt(ms), zone);
}

/** Midnight may be written as 24:00 of the day before. */
function readClock(hour: number, minute: number, second: number, fraction: string): number | undefined {
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && minute + second + ms > 0)) return undefined;
  return ((hour * 60 + minute) * 60 + second) * 1000 + ms;
}

const dateOnly = /^([+-]?\d{4,9}-\d{2}-\d{2})(.*)$/;

function readDateOnly(text: string): bigint | undefined {
  const [, dateText = '', zone = ''] = dateOnly.exec(text) ?? [];
  const date = readIsoDate(dateText);
  return date && inZone(BigInt(daysOf(date)) * msPerDay, zone);
}

/** The moment at which clocks of the zone show this time. */
function inZone(wallMs: bigint, zone: string): bigint | undefined {
  if (zone === '') return wallMs;
  const named = /^ ([A-Z].*)$/.exec(zone)?.[1] ?? '';
  const offset = readZone(zone) ?? (named === '' ? undefined : zoneOffset(named, Number(wallMs)));
  return offset === undefined ? undefined : wallMs - BigInt(offset);
}

/** java.time in its smart style takes a 30th of February for the last day of the month. */
function daysOf({ year, month, day }: CivilDate): number {
  return daysOfDate({ year, month, day: Math.min(day, daysInMonth(year, month)) });
}

const offsets =
  /^(?: ?(?:Z|[+-]\d{2}(?:\d{2})?)|[+-]\d{2}:\d{2}| (?:UTC|GMT|UT)?[+-]\d{2}:\d{2}(?::\d{2})?)$/;
const names = /^ (?:UTC|GMT|UT|Z|Greenwich Mean Time|Coordinated Universal Time)$/;
const offsetParts = /([+-])(\d{2}):?(\d{2})?:?(\d{2})?$/;

/** In milliseconds east of Greenwich. */
function readZone(text: string): number | undefined {
  if (names.test(text)) return 0;
  if (!offsets.test(text)) return undefined;
  const [, sign, hour = '0', minute = '0', second = '0'] = offsetParts.exec(text) ?? [];
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  if (Number(minute) > 59 || Number(second) > 59 || seconds > 18 * 3600) return undefined;
  return (sign === '-' ? -seconds : seconds) * 1000;
}
