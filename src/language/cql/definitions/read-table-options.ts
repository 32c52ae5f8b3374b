// The options of a table, from what was written after WITH to what is shown in `system_schema.tables`.

import { defaultTableOptions } from '../../../catalog/cql/default-table-options.ts';
import type { TableOptionValues } from '../../../catalog/cql/table-schema.ts';
import { printDouble } from '../../../values/java-number-text.ts';
import type { Properties } from '../properties.ts';
import { readCaching } from './caching-options.ts';
import { checkCompaction, isLeveled, readCompaction } from './compaction-options.ts';
import { readCompression } from './compression-options.ts';
import { checkCellLevels, cosmosTableOptions } from './cosmos-options.ts';
import { configurationError } from './definition-errors.ts';
import {
  booleanProperty,
  checkPropertyNames,
  doubleProperty,
  integerProperty,
  mapProperty,
  textProperty,
} from './property-values.ts';
import { readSpeculativeRetry } from './speculative-retry.ts';

const names: ReadonlySet<string> = new Set([
  'allow_auto_snapshot',
  'bloom_filter_fp_chance',
  'caching',
  'comment',
  'compaction',
  'compression',
  'memtable',
  'default_time_to_live',
  'extensions',
  'gc_grace_seconds',
  'incremental_backups',
  'max_index_interval',
  'memtable_flush_period_in_ms',
  'min_index_interval',
  'speculative_retry',
  'additional_write_policy',
  'crc_check_chance',
  'cdc',
  'read_repair',
  'id',
]);

/** That all names are known and all values can be; of a table whose other options are the default ones, as Cassandra has it. */
export function checkTableOptions(properties: Properties): void {
  checkPropertyNames(properties, names, cosmosTableOptions);
  checkCellLevels(properties);
  checkValues(readTableOptions(properties));
}

/** Options that are not written stay what they were. Those that are written may still be ones that cannot be. */
export function readTableOptions(properties: Properties, previous?: TableOptionValues): TableOptionValues {
  const before = previous ?? defaultTableOptions;
  const allowAutoSnapshot = booleanProperty(properties, 'allow_auto_snapshot') ?? before.allowAutoSnapshot;
  const chance = doubleProperty(properties, 'bloom_filter_fp_chance');
  const caching = mapped(properties, 'caching', readCaching) ?? before.caching;
  const comment = textProperty(properties, 'comment') ?? before.comment;
  const compaction = mapped(properties, 'compaction', readCompaction) ?? before.compaction;
  return {
    allowAutoSnapshot,
    caching,
    comment,
    compaction,
    compression: mapped(properties, 'compression', readCompression) ?? before.compression,
    memtable: readMemtable(textProperty(properties, 'memtable')) ?? before.memtable,
    defaultTimeToLiveSeconds:
      integerProperty(properties, 'default_time_to_live') ?? before.defaultTimeToLiveSeconds,
    extensions: before.extensions,
    gcGraceSeconds: integerProperty(properties, 'gc_grace_seconds') ?? before.gcGraceSeconds,
    incrementalBackups: booleanProperty(properties, 'incremental_backups') ?? before.incrementalBackups,
    maxIndexInterval: integerProperty(properties, 'max_index_interval') ?? before.maxIndexInterval,
    memtableFlushPeriodMs:
      integerProperty(properties, 'memtable_flush_period_in_ms') ?? before.memtableFlushPeriodMs,
    minIndexInterval: integerProperty(properties, 'min_index_interval') ?? before.minIndexInterval,
    speculativeRetry: retryProperty(properties, 'speculative_retry') ?? before.speculativeRetry,
    additionalWritePolicy:
      retryProperty(properties, 'additional_write_policy') ?? before.additionalWritePolicy,
    crcCheckChance: doubleProperty(properties, 'crc_check_chance') ?? before.crcCheckChance,
    cdc: booleanProperty(properties, 'cdc') ?? before.cdc,
    readRepair: readReadRepair(textProperty(properties, 'read_repair')) ?? before.readRepair,
    bloomFilterFpChance: chanceOf(chance, compaction, previous),
  };
}

/** Of a new table it follows from the compaction, and where -1 is written; one that is there has the figure it has. */
function chanceOf(
  written: number | undefined,
  compaction: TableOptionValues['compaction'],
  previous: TableOptionValues | undefined,
): number {
  const known = written ?? previous?.bloomFilterFpChance ?? -1;
  if (known !== -1) return known;
  return isLeveled(compaction) ? 0.1 : 0.01;
}

export function readTableId(properties: Properties): string | undefined {
  const id = textProperty(properties, 'id')?.toLowerCase();
  if (id === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  throw configurationError('Invalid table id');
}

function mapped<T>(
  properties: Properties,
  name: string,
  read: (map: ReadonlyMap<string, string>) => T,
): T | undefined {
  const map = mapProperty(properties, name);
  return map === undefined ? undefined : read(map);
}

function retryProperty(properties: Properties, name: string): string | undefined {
  const text = textProperty(properties, name);
  return text === undefined ? undefined : readSpeculativeRetry(text);
}

/** The configurations that a Cassandra knows which was told of none. */
function readMemtable(name: string | undefined): string | undefined {
  if (name === undefined || name === 'default') return name;
  throw configurationError(`Memtable configuration "${name}" not found.`);
}

function readReadRepair(text: string | undefined): string | undefined {
  const value = text?.toUpperCase();
  if (value === undefined || value === 'NONE' || value === 'BLOCKING') return value;
  throw configurationError(
    `No enum constant org.apache.cassandra.service.reads.repair.ReadRepairStrategy.${value}`,
  );
}

/** What Cassandra's bloom filters can reach at best. */
const leastFalsePositives = 6.71e-5;
const maxTimeToLiveSeconds = 20 * 365 * 24 * 60 * 60;

function checkValues(options: TableOptionValues): void {
  checkCompaction(options.compaction);
  const { bloomFilterFpChance, crcCheckChance, defaultTimeToLiveSeconds, gcGraceSeconds } = options;
  if (bloomFilterFpChance <= leastFalsePositives || bloomFilterFpChance > 1) {
    throw configurationError(
      `bloom_filter_fp_chance must be larger than ${printDouble(leastFalsePositives)} and less than or equal to 1.0 (got ${printDouble(bloomFilterFpChance)})`,
    );
  }
  if (crcCheckChance < 0 || crcCheckChance > 1) {
    throw configurationError(
      `crc_check_chance must be larger than or equal to 0 and smaller than or equal to 1.0 (got ${printDouble(crcCheckChance)})`,
    );
  }
  atLeast('default_time_to_live', 0, defaultTimeToLiveSeconds);
  if (defaultTimeToLiveSeconds > maxTimeToLiveSeconds) {
    throw configurationError(
      `default_time_to_live must be less than or equal to ${maxTimeToLiveSeconds} (got ${defaultTimeToLiveSeconds})`,
    );
  }
  atLeast('gc_grace_seconds', 0, gcGraceSeconds);
  const { minIndexInterval, maxIndexInterval, memtableFlushPeriodMs } = options;
  atLeast('min_index_interval', 1, minIndexInterval);
  if (maxIndexInterval < minIndexInterval) {
    throw configurationError(
      `max_index_interval must be greater than or equal to min_index_interval (${minIndexInterval}) (got ${maxIndexInterval})`,
    );
  }
  atLeast('memtable_flush_period_in_ms', 0, memtableFlushPeriodMs);
}

function atLeast(name: string, least: number, value: number): void {
  if (value < least)
    throw configurationError(`${name} must be greater than or equal to ${least} (got ${value})`);
}
