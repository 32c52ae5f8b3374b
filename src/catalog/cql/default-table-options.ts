import type { TableOptionValues } from './table-schema.ts';

/** What Cassandra 5.0 shows for a table that was created without a word about it. */
export const defaultTableOptions: TableOptionValues = {
  additionalWritePolicy: '99p',
  allowAutoSnapshot: true,
  bloomFilterFpChance: 0.01,
  caching: new Map([
    ['keys', 'ALL'],
    ['rows_per_partition', 'NONE'],
  ]),
  cdc: false,
  comment: '',
  compaction: new Map([
    ['class', 'org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy'],
    ['max_threshold', '32'],
    ['min_threshold', '4'],
  ]),
  compression: new Map([
    ['chunk_length_in_kb', '16'],
    ['class', 'org.apache.cassandra.io.compress.LZ4Compressor'],
  ]),
  memtable: 'default',
  crcCheckChance: 1,
  defaultTimeToLiveSeconds: 0,
  extensions: new Map(),
  gcGraceSeconds: 864_000,
  incrementalBackups: true,
  maxIndexInterval: 2_048,
  memtableFlushPeriodMs: 0,
  minIndexInterval: 128,
  readRepair: 'BLOCKING',
  speculativeRetry: '99p',
};
