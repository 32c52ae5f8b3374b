// What Cassandra asks of the options of its UnifiedCompactionStrategy.

import { configurationError } from './definition-errors.ts';
import { readInt } from './property-values.ts';

type Options = ReadonlyMap<string, string>;

const positives = [
  ['base_shard_count', 'int'],
  ['expired_sstable_check_frequency_seconds', 'long'],
] as const;

export function checkUnified(options: Options): void {
  for (const parameter of options.get('scaling_parameters')?.split(',') ?? []) {
    if (!/^(N|L[0-9]+|T[0-9]+|[+-]?[0-9]+)$/.test(parameter.trim())) {
      throw configurationError(
        `Scaling parameter ${parameter.trim()} must match N|L[0-9]+|T[0-9]+|[+-]?[0-9]+`,
      );
    }
  }
  for (const [name, kind] of positives) {
    const count = wholeNumber(name, options.get(name), kind);
    if (count !== undefined && count <= 0)
      throw configurationError(`Invalid configuration, ${name} should be positive: ${count}`);
  }
  wholeNumber('max_sstables_to_compact', options.get('max_sstables_to_compact'));
  checkOverlap(options.get('overlap_inclusion_method'));
  checkGrowth(options.get('sstable_growth'));
  for (const name of ['target_sstable_size', 'flush_size_override']) checkSize(name, options.get(name));
}

function wholeNumber(
  name: string,
  text: string | undefined,
  kind: 'int' | 'long' = 'int',
): number | undefined {
  if (text === undefined) return undefined;
  const value = readInt(text);
  if (value === undefined) throw configurationError(`${text} is not a parsable ${kind} (base10) for ${name}`);
  return value;
}

const overlapMethods = ['NONE', 'SINGLE', 'TRANSITIVE'];

function checkOverlap(method: string | undefined): void {
  if (method === undefined || overlapMethods.includes(method.toUpperCase())) return;
  throw configurationError(
    `Invalid overlap inclusion method ${method}. The valid options are [${overlapMethods.join(', ')}].`,
  );
}

function checkGrowth(text: string | undefined): void {
  if (text === undefined) return;
  const growth = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!(growth >= 0 && growth <= 1))
    throw configurationError(`sstable_growth ${text} must be between 0 and 1`);
}

const leastSize = 2 ** 20;
const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['K', 2 ** 10],
  ['M', 2 ** 20],
  ['G', 2 ** 30],
  ['T', 2 ** 40],
]);

function checkSize(name: string, text: string | undefined): void {
  if (text === undefined) return;
  const [, digits, unit = ''] = /^\s*([0-9.]+)\s*([KMGT]?)i?B\s*$/.exec(text) ?? [];
  if (digits === undefined) {
    const reason = text.endsWith('B') ? `For input string: "${text}"` : `${text} does not end in unit B`;
    throw configurationError(`${name} ${text} is not a valid size in bytes: ${reason}`);
  }
  if (Number(digits) * (units.get(unit) ?? 1) < leastSize)
    throw configurationError(`${name} ${text} is not acceptable, size must be at least 1.000MiB`);
}
