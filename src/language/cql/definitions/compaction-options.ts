// What `compaction` may say. Nothing is compacted so here: it is checked, kept and shown as Cassandra does.

import { printDouble, readFloating, readInteger } from '../../../values/java-number-text.ts';
import { configurationError } from './definition-errors.ts';
import { readInt } from './property-values.ts';
import { checkUnified } from './unified-compaction.ts';

type Options = ReadonlyMap<string, string>;

const packageName = 'org.apache.cassandra.db.compaction.';

const ofAll = [
  'tombstone_threshold',
  'tombstone_compaction_interval',
  'unchecked_tombstone_compaction',
  'log_all',
  'enabled',
  'only_purge_repaired_tombstones',
  'provide_overlapping_tombstones',
];
const ofSizeTiered = ['min_sstable_size', 'bucket_low', 'bucket_high'];
const thresholds = ['min_threshold', 'max_threshold'];

const strategies: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['SizeTieredCompactionStrategy', new Set([...ofAll, ...ofSizeTiered, ...thresholds])],
  [
    'LeveledCompactionStrategy',
    new Set([
      ...ofAll,
      ...ofSizeTiered,
      ...thresholds,
      'sstable_size_in_mb',
      'fanout_size',
      'single_sstable_uplevel',
    ]),
  ],
  [
    'TimeWindowCompactionStrategy',
    new Set([
      ...ofAll,
      ...ofSizeTiered,
      ...thresholds,
      'compaction_window_size',
      'compaction_window_unit',
      'timestamp_resolution',
      'expired_sstable_check_frequency_seconds',
      'unsafe_aggressive_sstable_expiration',
    ]),
  ],
  [
    'UnifiedCompactionStrategy',
    new Set([
      ...ofAll,
      'scaling_parameters',
      'base_shard_count',
      'target_sstable_size',
      'flush_size_override',
      'max_sstables_to_compact',
      'expired_sstable_check_frequency_seconds',
      'unsafe_aggressive_sstable_expiration',
      'overlap_inclusion_method',
      'min_sstable_size',
      'sstable_growth',
    ]),
  ],
]);

/** Only read: what must hold of the values `checkCompaction` says, later. */
export function readCompaction(map: Options): Options {
  const written = map.get('class');
  if (written === undefined)
    throw configurationError("Missing sub-option 'class' for the 'compaction' option");
  const className = written.includes('.') ? written : packageName + written;
  const known = strategies.get(nameOf(className));
  if (!className.startsWith(packageName) || known === undefined)
    throw configurationError(`Unable to find compaction strategy class '${className}'`);
  const overlapping = (map.get('provide_overlapping_tombstones') ?? 'NONE').toUpperCase();
  if (!['NONE', 'ROW', 'CELL'].includes(overlapping)) {
    throw configurationError(
      `Invalid value ${overlapping} for 'provide_overlapping_tombstones' compaction sub-option - must be one of the following [NONE, ROW, CELL].`,
    );
  }
  const byDefault: readonly (readonly [string, string])[] = known.has('min_threshold')
    ? [
        ['max_threshold', '32'],
        ['min_threshold', '4'],
      ]
    : [];
  return sortedMap([...byDefault, ...map, ['class', className]]);
}

export function isLeveled(compaction: Options): boolean {
  return nameOf(compaction.get('class') ?? '') === 'LeveledCompactionStrategy';
}

export function checkCompaction(compaction: Options): void {
  const name = nameOf(compaction.get('class') ?? '');
  const known = strategies.get(name) ?? new Set();
  checkAllStrategies(compaction);
  if (name === 'LeveledCompactionStrategy') checkLeveled(compaction);
  if (name === 'TimeWindowCompactionStrategy') checkTimeWindow(compaction);
  if (name === 'UnifiedCompactionStrategy') checkUnified(compaction);
  else checkSizeTiered(compaction);
  const unknown = [...compaction.keys()].filter((key) => key !== 'class' && !known.has(key));
  if (unknown.length > 0)
    throw configurationError(`Properties specified [${unknown.join(', ')}] are not understood by ${name}`);
  checkThresholds(compaction);
}

function checkAllStrategies(options: Options): void {
  const threshold = options.get('tombstone_threshold');
  if (threshold !== undefined) {
    const value = readFloating(threshold);
    if (value === undefined) throw notAnInt(threshold, 'tombstone_threshold');
    if (value < 0)
      throw configurationError(`tombstone_threshold must be greater than 0, but was ${value.toFixed(6)}`);
  }
  const interval = options.get('tombstone_compaction_interval');
  if (interval !== undefined) {
    const value = readInteger(interval);
    if (value === undefined) throw notAnInt(interval, 'tombstone_compaction_interval');
    if (value < 0n)
      throw configurationError(`tombstone_compaction_interval must be greater than 0, but was ${value}`);
  }
  const unchecked = options.get('unchecked_tombstone_compaction');
  if (unchecked !== undefined && !isBoolean(unchecked)) {
    throw configurationError(
      `'unchecked_tombstone_compaction' should be either 'true' or 'false', not '${unchecked}'`,
    );
  }
  const logAll = options.get('log_all');
  if (logAll !== undefined && !isBoolean(logAll))
    throw configurationError(`'log_all' should either be 'true' or 'false', not ${logAll}`);
  const enabled = options.get('enabled');
  if (enabled !== undefined && !isBoolean(enabled))
    throw configurationError(`enabled should either be 'true' or 'false', not ${enabled}`);
}

function checkSizeTiered(options: Options): void {
  const size = options.get('min_sstable_size');
  if (size !== undefined) {
    const value = readInteger(size);
    if (value === undefined) throw notAnInt(size, 'min_sstable_size');
    if (value < 0n) throw configurationError(`min_sstable_size must be non negative: ${value}`);
  }
  const low = readBucket(options, 'bucket_low', 0.5);
  const high = readBucket(options, 'bucket_high', 1.5);
  if (high <= low)
    throw configurationError(
      `bucket_high value (${printDouble(high)}) is less than or equal to the bucket_low value (${printDouble(low)})`,
    );
}

function readBucket(options: Options, name: string, byDefault: number): number {
  const text = options.get(name);
  if (text === undefined) return byDefault;
  const value = readFloating(text);
  if (value === undefined) throw configurationError(`${text} is not a parsable float for ${name}`);
  return value;
}

function checkLeveled(options: Options): void {
  for (const name of ['sstable_size_in_mb', 'fanout_size']) {
    const text = options.get(name);
    if (text === undefined) continue;
    const value = readInt(text);
    // Where it means the second it names the first.
    if (value === undefined) throw notAnInt(options.get('sstable_size_in_mb') ?? '1', name);
    if (value < 1) throw configurationError(`${name} must be larger than 0, but was ${value}`);
  }
}

function checkTimeWindow(options: Options): void {
  const resolution = options.get('timestamp_resolution');
  if (resolution !== undefined && !timeUnits.includes(resolution))
    throw configurationError(`${resolution} is not valid for timestamp_resolution`);
  const unit = options.get('compaction_window_unit');
  if (unit !== undefined && !['MINUTES', 'HOURS', 'DAYS'].includes(unit))
    throw configurationError(`${unit} is not valid for compaction_window_unit`);
  const size = options.get('compaction_window_size') ?? '1';
  const value = readInt(size);
  if (value === undefined) throw notAnInt(size, 'compaction_window_size');
  if (value < 1) throw configurationError(`${value} must be greater than 1 for compaction_window_size`);
  checkExpiration(options);
}

function checkExpiration(options: Options): void {
  const frequency = options.get('expired_sstable_check_frequency_seconds') ?? '600';
  const seconds = readInteger(frequency);
  if (seconds === undefined) throw notAnInt(frequency, 'expired_sstable_check_frequency_seconds');
  if (seconds < 0n) {
    throw configurationError(
      `expired_sstable_check_frequency_seconds must not be negative, but was ${seconds}`,
    );
  }
  const isUnsafe = options.get('unsafe_aggressive_sstable_expiration') ?? 'false';
  if (!isBoolean(isUnsafe))
    throw configurationError(`unsafe_aggressive_sstable_expiration is not 'true' or 'false' (${isUnsafe})`);
  if (/^true$/i.test(isUnsafe)) {
    throw configurationError(
      'unsafe_aggressive_sstable_expiration is requested but not allowed, restart cassandra with -Dcassandra.allow_unsafe_aggressive_sstable_expiration=true to allow it',
    );
  }
}

const timeUnits = ['SECONDS', 'MILLISECONDS', 'MICROSECONDS', 'NANOSECONDS'];

function checkThresholds(options: Options): void {
  for (const name of thresholds) {
    const text = options.get(name);
    if (text !== undefined && !/^\d+$/.test(text)) {
      throw configurationError(
        `Invalid value ${text} for '${name}' compaction sub-option - must be an integer`,
      );
    }
  }
  const least = Number(options.get('min_threshold') ?? 4);
  const most = Number(options.get('max_threshold') ?? 32);
  if (least <= 0 || most <= 0) {
    throw configurationError(
      "Disabling compaction by setting compaction thresholds to 0 has been removed, set the compaction option 'enabled' to false instead.",
    );
  }
  if (least <= 1) throw configurationError(`Min compaction threshold cannot be less than 2 (got ${least})`);
  if (least > most) {
    throw configurationError(
      `Min compaction threshold (got ${least}) cannot be greater than max compaction threshold (got ${most})`,
    );
  }
}

function notAnInt(text: string, name: string): Error {
  return configurationError(`${text} is not a parsable int (base10) for ${name}`);
}

function isBoolean(text: string): boolean {
  return /^(true|false)$/i.test(text);
}

function nameOf(className: string): string {
  return className.slice(className.lastIndexOf('.') + 1);
}

/** In the order in which clients are shown a map. */
export function sortedMap(entries: Iterable<readonly [string, string]>): Map<string, string> {
  return new Map([...new Map(entries)].sort(([a], [b]) => (a < b ? -1 : 1)));
}
