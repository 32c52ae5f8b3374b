import { dateOf, floorMod, ticksPerSecond } from './date-text.ts';

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** A run of one letter, an escaped character, a quoted stretch, or any other character. */
const pieces = /\\(.)|'([^']*)'|"([^"]*)"|([yMdHhmsfFt])\4*|[\s\S]/gu;

/** A date by a pattern such as `yyyy-MM-dd HH:mm:ss.fff`; `F` is `f` without zeros at the end. */
export function formatDate(ticks: bigint, pattern: string): string {
  const date = dateOf(ticks);
  const fraction = String(floorMod(ticks, ticksPerSecond)).padStart(7, '0');
  return pattern.replace(
    pieces,
    (piece: string, escaped?: string, single?: string, double?: string, letter?: string) => {
      if (letter !== undefined) return formatPart(date, fraction, letter, piece.length);
      return escaped ?? single ?? double ?? piece;
    },
  );
}

function formatPart(date: Date, fraction: string, letter: string, length: number): string {
  const number = (value: number) => String(value).padStart(Math.min(length, 2), '0');
  switch (letter) {
    case 'y':
      if (length <= 2) return number(date.getUTCFullYear() % 100);
      return String(date.getUTCFullYear()).padStart(length, '0');
    case 'M':
      if (length <= 2) return number(date.getUTCMonth() + 1);
      return (months[date.getUTCMonth()] as string).slice(0, length === 3 ? 3 : undefined);
    case 'd':
      if (length <= 2) return number(date.getUTCDate());
      return (days[date.getUTCDay()] as string).slice(0, length === 3 ? 3 : undefined);
    case 'H':
      return number(date.getUTCHours());
    case 'h':
      return number(date.getUTCHours() % 12 || 12);
    case 'm':
      return number(date.getUTCMinutes());
    case 's':
      return number(date.getUTCSeconds());
    case 't':
      return (date.getUTCHours() < 12 ? 'AM' : 'PM').slice(0, length);
    case 'F':
      return fraction.slice(0, length).replace(/0+$/, '');
    default:
      return fraction.slice(0, length).padEnd(length, '0');
  }
}
