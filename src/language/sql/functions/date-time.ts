import { finite, type QueryContext, type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';
import type { SqlValue } from '../sql-value.ts';
import { addToDate, binOf, boundariesBetween, partOfDate } from './date-arithmetic.ts';
import { formatDate } from './date-format.ts';
import { type DatePart, datePartOf } from './date-part.ts';
import { dateTextOf, floorDiv, ticksOf, ticksOfParts } from './date-text.ts';

export const dateTimeFunctions: SqlFunctions = {
  AGO: strict(2, 2, ([part, count], context) =>
    typeof count === 'number' ? shifted(nowIn(context), part, -count) : undefined,
  ),
  NOW: strict(0, 2, (given, context) => {
    if (given.length === 0) return dateTextOf(nowIn(context));
    const [part, count] = given;
    return typeof count === 'number' ? shifted(nowIn(context), part, count) : undefined;
  }),
  DATETIMEADD: strict(3, 3, ([part, count, date]) => {
    const ticks = ticksIn(date);
    return ticks === undefined || typeof count !== 'number' ? undefined : shifted(ticks, part, count);
  }),
  DATETIMEBIN: strict(2, 4, ([date, partName, size = 1, origin = '1970-01-01']) => {
    const [ticks, start, part] = [ticksIn(date), ticksIn(origin), partIn(partName)];
    if (ticks === undefined || start === undefined || part === undefined) return undefined;
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size <= 0) return undefined;
    if (start < firstOrigin) return undefined;
    const bin = binOf(ticks, part, size, start);
    return bin === undefined ? undefined : dateTextOf(bin);
  }),
  DATETIMEDIFF: strict(3, 3, ([partName, startDate, endDate]) => {
    const [part, start, end] = [partIn(partName), ticksIn(startDate), ticksIn(endDate)];
    if (part === undefined || start === undefined || end === undefined) return undefined;
    return boundariesBetween(part, start, end);
  }),
  DATETIMEFORMAT: strict(2, 2, ([date, pattern]) => {
    const ticks = ticksIn(date);
    return ticks === undefined || typeof pattern !== 'string' ? undefined : formatDate(ticks, pattern);
  }),
  DATETIMEFROMPARTS: strict(3, 7, (given) => {
    const numbers = given.filter((part) => typeof part === 'number');
    if (numbers.length !== given.length) return undefined;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, fraction = 0] = numbers;
    const ticks = ticksOfParts(year, month, day, hour, minute, second, fraction);
    return ticks === undefined ? undefined : dateTextOf(ticks);
  }),
  DATETIMEPART: strict(2, 2, ([partName, date]) => {
    const [part, ticks] = [partIn(partName), ticksIn(date)];
    return part === undefined || ticks === undefined ? undefined : partOfDate(part, ticks);
  }),
  DAY: partOf('day'),
  MONTH: partOf('month'),
  YEAR: partOf('year'),
  DATETIMETOTICKS: strict(1, 1, ([date]) => {
    const ticks = ticksIn(date);
    return ticks === undefined ? undefined : Number(ticks);
  }),
  DATETIMETOTIMESTAMP: strict(1, 1, ([date]) => {
    const ticks = ticksIn(date);
    return ticks === undefined ? undefined : Number(floorDiv(ticks, 10_000n));
  }),
  TICKSTODATETIME: fromNumber(1n),
  TIMESTAMPTODATETIME: fromNumber(10_000n),
  GETCURRENTDATETIME: current((ticks) => dateTextOf(ticks)),
  GETCURRENTTICKS: current(Number),
  GETCURRENTTIMESTAMP: current((ticks) => Number(floorDiv(ticks, 10_000n))),
  GETCURRENTDATETIMESTATIC: currentStatic((ticks) => dateTextOf(ticks)),
  GETCURRENTTICKSSTATIC: currentStatic(Number),
  GETCURRENTTIMESTAMPSTATIC: currentStatic((ticks) => Number(floorDiv(ticks, 10_000n))),
};

/** 1601: bins are not counted from before it. */
const firstOrigin = -116_444_736_000_000_000n;

function nowIn({ now }: QueryContext): bigint {
  return BigInt(Math.trunc(now())) * 10n;
}

function ticksIn(value: SqlValue): bigint | undefined {
  return typeof value === 'string' ? ticksOf(value) : undefined;
}

function partIn(value: SqlValue): DatePart | undefined {
  return typeof value === 'string' ? datePartOf(value) : undefined;
}

function shifted(ticks: bigint, partName: SqlValue, count: number): string | undefined {
  const part = partIn(partName);
  if (part === undefined) return undefined;
  const moved = addToDate(ticks, part, count);
  return moved === undefined ? undefined : dateTextOf(moved);
}

function partOf(part: DatePart): SqlFunction {
  return strict(1, 1, ([date]) => {
    const ticks = ticksIn(date);
    return ticks === undefined ? undefined : partOfDate(part, ticks);
  });
}

function fromNumber(ticksPerUnit: bigint): SqlFunction {
  return strict(1, 1, ([value]) => {
    if (typeof value !== 'number' || finite(value) === undefined) return undefined;
    return dateTextOf(BigInt(Math.trunc(value)) * ticksPerUnit);
  });
}

function current(show: (ticks: bigint) => SqlValue): SqlFunction {
  return strict(0, 0, (_given, context) => show(nowIn(context)));
}

/** One value for the whole query. */
function currentStatic(show: (ticks: bigint) => SqlValue): SqlFunction {
  return strict(0, 0, (_given, { startedAt }) => show(BigInt(Math.trunc(startedAt)) * 10n));
}
