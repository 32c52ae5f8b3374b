// Options that Cosmos adds to those of Cassandra.

import type { ThroughputRequest } from '../../../throughput/throughput-request.ts';
import type { Properties } from '../properties.ts';
import { booleanProperty, integerProperty } from './property-values.ts';

const manual = 'cosmosdb_provisioned_throughput';
const autoscale = 'cosmosdb_autoscale_max_throughput';

/** What Cosmos needs to be told to behave like Cassandra. Here every cell has its time and its end without being told. */
const cellLevels = [
  'cosmosdb_cell_level_timestamp',
  'cosmosdb_cell_level_timestamp_tombstones',
  'cosmosdb_cell_level_timetolive',
];

export const throughputOptions: ReadonlySet<string> = new Set([manual, autoscale]);
export const cosmosTableOptions: ReadonlySet<string> = new Set([manual, autoscale, ...cellLevels]);

/** Undefined where none is asked for. */
export function throughputOf(properties: Properties): ThroughputRequest | undefined {
  const ruPerSecond = integerProperty(properties, manual);
  const maxRuPerSecond = integerProperty(properties, autoscale);
  return ruPerSecond === undefined && maxRuPerSecond === undefined
    ? undefined
    : { ruPerSecond, maxRuPerSecond };
}

export function checkCellLevels(properties: Properties): void {
  for (const name of cellLevels) booleanProperty(properties, name);
}
