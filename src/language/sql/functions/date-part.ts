import { ticksPerSecond } from './date-text.ts';

export type DatePart =
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond'
  | 'microsecond'
  | 'nanosecond';

const names: Readonly<Record<DatePart, readonly string[]>> = {
  year: ['year', 'yyyy', 'yy'],
  month: ['month', 'mm', 'm'],
  day: ['day', 'dd', 'd'],
  hour: ['hour', 'hh'],
  minute: ['minute', 'mi', 'n'],
  second: ['second', 'ss', 's'],
  millisecond: ['millisecond', 'ms'],
  microsecond: ['microsecond', 'mcs'],
  nanosecond: ['nanosecond', 'ns'],
};

const parts: ReadonlyMap<string, DatePart> = new Map(
  Object.entries(names).flatMap(([part, spelled]) =>
    spelled.map((name) => [name, part as DatePart] as const),
  ),
);

/** Undefined for what is no part; names have no case. */
export function datePartOf(name: string): DatePart | undefined {
  return parts.get(name.toLowerCase());
}

/** How many ticks a part of fixed length has. A nanosecond is a hundredth of one, so those are counted apart. */
export const ticksOfPart: Readonly<
  Record<'day' | 'hour' | 'minute' | 'second' | 'millisecond' | 'microsecond', bigint>
> = {
  day: 86_400n * ticksPerSecond,
  hour: 3_600n * ticksPerSecond,
  minute: 60n * ticksPerSecond,
  second: ticksPerSecond,
  millisecond: 10_000n,
  microsecond: 10n,
};
