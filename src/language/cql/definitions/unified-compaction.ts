// What Cassandra asks of the options of its UnifiedCompactionStrategy.

import { configurationError } from './definition-errors.ts';
import { readInt } from './property-values.ts';

type Options = ReadonlyMap<string, string>;

export function checkUnified(options: Options): void {
  for (const parameter of options.get('scaling_parameters')?.split(',') ?? []) {
    if (!/^(N|L[0-9]+|T[0-9]+|[+-]?[0-9]+)$/.test(parameter.trim())) {
      throw configurationError(
        `Scaling parameter ${parameter.trim()} must match N|L[0-9]+|T[0-9]+|[+-]?[0-9]+`,
      );
    }
  }
  const shards = options.get('base_shard_count');
  if (shards !== undefined) {
    const count = readInt(shards);
    if (count === undefined)
      throw configurationError(`${shards} is not a parsable int (base10) for base_shard_count`);
    if (count <= 0)
      throw configurationError(`Invalid configuration, base_shard_count should be positive: ${count}`);
  }
  for (const name of ['target_sstable_size', 'flush_size_override']) checkSize(name, options.get(name));
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
