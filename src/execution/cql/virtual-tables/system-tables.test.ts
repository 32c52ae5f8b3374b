import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useThroughput } from '../../../../test/support/test-throughput.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { systemClock } from '../../../foundation/clock.ts';
import { printCqlType } from '../../../values/cql-type.ts';
import { TimeUuids } from '../../../values/time-uuids.ts';
import { TraceSessions } from '../trace-sessions.ts';
import { makeVirtualTables } from './make-virtual-tables.ts';
import { systemTableVectors } from './system-tables.vectors.ts';

function told(schema: TableSchema, isVirtual: boolean): object {
  const { id, options } = schema;
  const columns = Array.from(schema.columns.values(), ({ name, kind, position, descending, type }) => [
    name,
    kind,
    position,
    ...(kind === 'clustering' ? [descending ? 'desc' : 'asc'] : ['none']),
    printCqlType(type),
  ]);
  const shown = {
    gc_grace_seconds: options.gcGraceSeconds,
    default_time_to_live: options.defaultTimeToLiveSeconds,
    memtable_flush_period_in_ms: options.memtableFlushPeriodMs,
    compaction: Object.fromEntries(options.compaction),
  };
  return {
    name: `${schema.keyspace}.${schema.name}`,
    comment: options.comment,
    ...(isVirtual ? {} : { options: shown, id }),
    columns: columns.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  };
}

test('every table of Cassandra is here with its columns, its comment and its options', () =>
  useThroughput(async (throughput) => {
    const { tables } = makeVirtualTables({
      schema: () => ({ version: '', keyspaces: new Map() }),
      throughput,
      roles: { all: () => [] },
      traces: new TraceSessions(systemClock, new TimeUuids(Buffer.alloc(8))),
      clients: () => [],
      settings: () => new Map(),
      clusterName: '',
      broadcastAddress: undefined,
    });
    const here = systemTableVectors.flatMap((vector) => {
      const table = tables.get(vector.name);
      return table === undefined ? [] : [told(table.schema, vector.options === undefined)];
    });
    assert.deepEqual(here, systemTableVectors);
  }));
