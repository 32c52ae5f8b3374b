// USING TIMESTAMP and TTL.

import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Bindings, TypedTerm } from '../expressions/typed-term.ts';
import type { UsingClause } from '../using-clause.ts';

export interface WriteAttributes {
  readonly timestamp: TypedTerm | undefined;
  readonly ttl: TypedTerm | undefined;
}

/** Twenty years. */
const maxTtlSeconds = 630_720_000;
const earliest = -(2n ** 63n);

/** Names of the table are those that markers are told to be of. */
export function prepareAttributes(
  using: UsingClause,
  { keyspace, name: table }: Pick<TableSchema, 'keyspace' | 'name'>,
  context: TermContext,
): WriteAttributes {
  const prepare = (term: UsingClause['ttl'], name: string, kind: 'bigint' | 'int'): TypedTerm | undefined =>
    term === null ? undefined : prepareTerm(term, { keyspace, table, name, type: { kind } }, context);
  return {
    timestamp: prepare(using.timestamp, '[timestamp]', 'bigint'),
    ttl: prepare(using.ttl, '[ttl]', 'int'),
  };
}

/** Microseconds; `otherwise` where the statement says nothing. */
export function timestampOf({ timestamp }: WriteAttributes, bindings: Bindings, otherwise: bigint): bigint {
  if (timestamp === undefined) return otherwise;
  const value = timestamp.evaluate(bindings);
  if (value === undefined) return otherwise;
  if (value === null) throw invalidRequest('Invalid null value of timestamp');
  if (value.length === 0)
    throw invalidRequest('Invalid timestamp value: java.nio.HeapByteBuffer[pos=0 lim=0 cap=0]');
  return value.readBigInt64BE();
}

/** Once for each moment of writing: the one timestamp that stands for none cannot be written. */
export function checkTimestamp(timestamp: bigint): void {
  if (timestamp === earliest) {
    throw invalidRequest(`Out of bound timestamp, must be in [${earliest + 1n}, ${-earliest - 1n}]`);
  }
}

/** 0 for none. */
export function ttlOf(
  { ttl }: WriteAttributes,
  bindings: Bindings,
  { options: { defaultTimeToLiveSeconds } }: TableSchema,
): number {
  if (ttl === undefined) return defaultTimeToLiveSeconds;
  const value = ttl.evaluate(bindings);
  if (value === undefined) return defaultTimeToLiveSeconds;
  if (value === null || value.length === 0) return 0;
  const seconds = value.readInt32BE();
  if (seconds < 0) throw invalidRequest(`A TTL must be greater or equal to 0, but was ${seconds}`);
  if (seconds > maxTtlSeconds) {
    throw invalidRequest(`ttl is too large. requested (${seconds}) maximum (${maxTtlSeconds})`);
  }
  return seconds;
}
