import { pad } from './date-text.ts';
import { invalidValue } from './invalid-value.ts';

const nanosPerDay = 86_400_000_000_000n;
const wholeNumber = /^-?\d+$/;

/** `hh:mm:ss[.fffffffff]`, digits to spare or missing as Integer.parseInt has it; or nanoseconds of the day. */
export function parseTime(text: string): bigint {
  if (wholeNumber.test(text)) {
    const nanos = BigInt(text);
    if (nanos < 0n || nanos >= nanosPerDay)
      throw invalidValue(`Unable to make long (for time) from: '${text}'`);
    return nanos;
  }
  const nanos = readTime(text.trim());
  if (nanos === undefined)
    throw invalidValue(`(TimeType) Unable to coerce '${text}' to a formatted time (long)`);
  return nanos;
}

const clock = /^([+-]?\d+):([+-]?\d+):([+-]?\d+)(?:\.(\d{1,9}))?$/;

function readTime(text: string): bigint | undefined {
  const [, hour, minute, second, fraction = ''] = clock.exec(text) ?? [];
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  if (!isBelow(hour, 24) || !isBelow(minute, 60) || !isBelow(second, 60)) return undefined;
  const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
  return seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

function isBelow(digits: string, limit: number): boolean {
  const value = Number(digits);
  return value >= 0 && value < limit;
}

/** Always nine digits of a second. Hours of a time that no clock shows are printed as they are. */
export function printTime(nanos: bigint): string {
  const seconds = Number(nanos / 1_000_000_000n);
  const hour = pad(Math.floor(seconds / 3600), 2);
  const minute = pad(Math.floor(seconds / 60) % 60, 2);
  const fraction = String(nanos % 1_000_000_000n).padStart(9, '0');
  return `${hour}:${minute}:${pad(seconds % 60, 2)}.${fraction}`;
}
