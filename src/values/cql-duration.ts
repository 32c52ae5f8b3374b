import { invalidValue } from './invalid-value.ts';
import { readVint, writeVint } from './vint.ts';

/** Three parts that do not convert into one another; none has another sign than the others. */
export interface CqlDuration {
  readonly months: number;
  readonly days: number;
  readonly nanoseconds: bigint;
}

/** Three signed vints. */
export function durationBytes({ months, days, nanoseconds }: CqlDuration): Buffer {
  return Buffer.concat([writeVint(BigInt(months)), writeVint(BigInt(days)), writeVint(nanoseconds)]);
}

export function durationOf(bytes: Buffer): CqlDuration {
  const [months, days, nanoseconds] = readParts(bytes);
  if (months !== BigInt.asIntN(32, months))
    throw invalidValue(`The duration months must be a 32 bits integer but was: ${months}`);
  if (days !== BigInt.asIntN(32, days))
    throw invalidValue(`The duration days must be a 32 bits integer but was: ${days}`);
  const parts = [months, days, nanoseconds];
  if (parts.some((part) => part < 0n) && parts.some((part) => part > 0n)) {
    throw invalidValue(
      `The duration months, days and nanoseconds must be all of the same sign (${parts.join(', ')})`,
    );
  }
  return { months: Number(months), days: Number(days), nanoseconds };
}

function readParts(bytes: Buffer): [bigint, bigint, bigint] {
  if (bytes.length < 3) throw invalidValue(`Expected at least 3 bytes for a duration (${bytes.length})`);
  const months = readVint(bytes, 0);
  const days = readVint(bytes, months.end);
  const nanoseconds = readVint(bytes, days.end);
  return [months.value, days.value, nanoseconds.value];
}

export function printDuration({ months, days, nanoseconds }: CqlDuration): string {
  const sign = months < 0 || days < 0 || nanoseconds < 0n ? '-' : '';
  const monthText = inUnits(BigInt(Math.abs(months)), monthUnits);
  const dayText = inUnits(BigInt(Math.abs(days)), [['d', 1n]]);
  return sign + monthText + dayText + inUnits(nanoseconds < 0n ? -nanoseconds : nanoseconds, clockUnits);
}

const monthUnits = [
  ['y', 12n],
  ['mo', 1n],
] as const;
const clockUnits = [
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
  ['s', 1_000_000_000n],
  ['ms', 1_000_000n],
  ['us', 1_000n],
  ['ns', 1n],
] as const;

function inUnits(amount: bigint, units: readonly (readonly [string, bigint])[]): string {
  let text = '';
  let rest = amount;
  for (const [unit, size] of units) {
    if (rest >= size) text += `${rest / size}${unit}`;
    rest %= size;
  }
  return text;
}

type Part = 'months' | 'days' | 'nanoseconds';

/** In the order in which they may follow one another; each at most once. */
const unitsInOrder: readonly { symbol: string; name: string; part: Part; size: bigint }[] = [
  { symbol: 'y', name: 'years', part: 'months', size: 12n },
  { symbol: 'mo', name: 'months', part: 'months', size: 1n },
  { symbol: 'w', name: 'weeks', part: 'days', size: 7n },
  { symbol: 'd', name: 'days', part: 'days', size: 1n },
  { symbol: 'h', name: 'hours', part: 'nanoseconds', size: 3_600_000_000_000n },
  { symbol: 'm', name: 'minutes', part: 'nanoseconds', size: 60_000_000_000n },
  { symbol: 's', name: 'seconds', part: 'nanoseconds', size: 1_000_000_000n },
  { symbol: 'ms', name: 'milliseconds', part: 'nanoseconds', size: 1_000_000n },
  { symbol: 'us', name: 'microseconds', part: 'nanoseconds', size: 1_000n },
  { symbol: 'ns', name: 'nanoseconds', part: 'nanoseconds', size: 1n },
];
const largest: Readonly<Record<Part, bigint>> = {
  months: 2n ** 31n - 1n,
  days: 2n ** 31n - 1n,
  nanoseconds: 2n ** 63n - 1n,
};

const standard = /(\d+)(y|mo|w|d|h|s|ms|[uµ]s|ns|m)/giy;
const iso = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const isoWeeks = /^P(\d+)W$/;
const isoAlternative = /^P(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})$/;
const isoSymbols = ['y', 'mo', 'd', 'h', 'm', 's'];

/** `1y2mo3w4d5h6m7s8ms9us10ns`, `P1Y2M3DT4H5M6S`, `P2W` or `P0001-02-03T04:05:06`; a minus before any of them. */
export function parseDuration(text: string): CqlDuration {
  const negative = text.startsWith('-');
  const source = negative ? text.slice(1) : text;
  const parts = { months: 0n, days: 0n, nanoseconds: 0n };
  let last = -1;
  for (const [symbol, digits] of readUnits(source)) {
    const at = unitsInOrder.findIndex((unit) => unit.symbol === symbol);
    const unit = unitsInOrder[at];
    if (unit === undefined) throw invalidValue(`Unable to convert '${source}' to a duration`);
    checkOrder(at, last);
    last = at;
    const number = BigInt(digits);
    if (number > (largest[unit.part] - parts[unit.part]) / unit.size) {
      // Cassandra shows this limit for nanoseconds too, whose own is 2^63 - 1.
      throw invalidValue(
        `Invalid duration. The total number of ${unit.part} must be less or equal to 2147483647`,
      );
    }
    parts[unit.part] += number * unit.size;
  }
  const sign = negative ? -1n : 1n;
  return {
    months: Number(sign * parts.months),
    days: Number(sign * parts.days),
    nanoseconds: sign * parts.nanoseconds,
  };
}

function checkOrder(at: number, last: number): void {
  if (at === last)
    throw invalidValue(`Invalid duration. The ${unitsInOrder[at]?.name} are specified multiple times`);
  if (at < last) {
    const [name, before] = [unitsInOrder[at]?.name, unitsInOrder[last]?.name];
    throw invalidValue(`Invalid duration. The ${before} should be after ${name}`);
  }
}

function readUnits(source: string): [symbol: string, digits: string][] {
  if (!source.startsWith('P')) return readStandard(source);
  if (source.endsWith('W')) {
    const [, weeks] = isoWeeks.exec(source) ?? [];
    if (weeks !== undefined) return [['w', weeks]];
  } else {
    const [whole, ...numbers] = (source.includes('-') ? isoAlternative : iso).exec(source) ?? [];
    if (whole !== undefined) {
      return numbers.flatMap((digits, at) =>
        digits === undefined ? [] : [[isoSymbols[at] ?? '', digits] as [string, string]],
      );
    }
  }
  throw invalidValue(`Unable to convert '${source}' to a duration`);
}

function readStandard(source: string): [string, string][] {
  const units: [string, string][] = [];
  let end = 0;
  for (const [whole, digits = '', symbol = ''] of source.matchAll(standard)) {
    units.push([symbol.toLowerCase().replace('µ', 'u'), digits]);
    end += whole.length;
  }
  if (end === 0 || end < source.length) throw invalidValue(`Unable to convert '${source}' to a duration`);
  return units;
}
