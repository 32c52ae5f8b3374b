// Options that Cosmos adds to those of Cassandra.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { SchemaPlan } from '../../../execution/cql/definitions/change-schema.ts';
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

/** Cosmos takes it in the custom payload of the request too, as digits. What the statement itself says goes first. */
export function withThroughputOfPayload(
  plan: SchemaPlan | undefined,
  payload: ReadonlyMap<string, Buffer | null> | undefined,
): SchemaPlan | undefined {
  if (plan === undefined || payload === undefined || plan.throughput !== undefined) return plan;
  const { change, target } = plan.change;
  if (change === 'DROPPED' || (target !== 'KEYSPACE' && target !== 'TABLE')) return plan;
  const ruPerSecond = digitsIn(payload, manual);
  const maxRuPerSecond = digitsIn(payload, autoscale);
  if (ruPerSecond === undefined && maxRuPerSecond === undefined) return plan;
  return { ...plan, throughput: { ruPerSecond, maxRuPerSecond } };
}

function digitsIn(payload: ReadonlyMap<string, Buffer | null>, name: string): number | undefined {
  const text = payload.get(name)?.toString('utf8');
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw invalidRequest(`The custom payload's ${name} is a number of request units`);
  return Number(text);
}

export function checkCellLevels(properties: Properties): void {
  for (const name of cellLevels) booleanProperty(properties, name);
}
