import type { BoundValue, Consistency } from '../../../execution/cql/statement-request.ts';
import type { BodyReader } from '../body-reader.ts';
import { consistencyOfCode } from '../consistency.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { ProtocolVersion } from '../protocol-version.ts';

/** What QUERY, EXECUTE and BATCH say beside the statement. */
export interface QueryParameters {
  readonly consistency: Consistency;
  readonly values: readonly BoundValue[];
  /** As many as values, for those that are bound by name. */
  readonly names: readonly string[] | undefined;
  readonly skipMetadata: boolean;
  /** Undefined: all in one page. */
  readonly pageSize: number | undefined;
  readonly pagingState: Buffer | null;
  readonly serialConsistency: Consistency;
  readonly timestamp: bigint | undefined;
  readonly keyspace: string | undefined;
  readonly nowInSeconds: number | undefined;
}

export const queryFlags = {
  values: 0x01,
  skipMetadata: 0x02,
  pageSize: 0x04,
  pagingState: 0x08,
  serialConsistency: 0x10,
  timestamp: 0x20,
  names: 0x40,
  keyspace: 0x80,
  nowInSeconds: 0x100,
} as const;

const smallestTimestamp = -(2n ** 63n);
const noValues: readonly BoundValue[] = [];

export function readQueryParameters(body: BodyReader, version: ProtocolVersion): QueryParameters {
  const consistency = consistencyOfCode(body.short());
  const flags = version >= 5 ? body.int() : body.byte();
  const hasNames = (flags & queryFlags.names) !== 0 && (flags & queryFlags.values) !== 0;
  const names: string[] | undefined = hasNames ? [] : undefined;
  const values = (flags & queryFlags.values) === 0 ? noValues : readValues(body, version, names);
  const pageSize = (flags & queryFlags.pageSize) === 0 ? undefined : readPageSize(body);
  const pagingState = (flags & queryFlags.pagingState) === 0 ? null : body.bytes();
  const serialConsistency =
    (flags & queryFlags.serialConsistency) === 0 ? 'SERIAL' : consistencyOfCode(body.short());
  const timestamp = (flags & queryFlags.timestamp) === 0 ? undefined : readTimestamp(body);
  // A version that has one byte of flags has this bit too, and Cassandra obeys it there as well.
  const keyspace = (flags & queryFlags.keyspace) === 0 ? undefined : body.string();
  const nowInSeconds = (flags & queryFlags.nowInSeconds) === 0 ? undefined : body.int() >>> 0;
  return {
    consistency,
    values,
    names,
    skipMetadata: (flags & queryFlags.skipMetadata) !== 0,
    pageSize,
    pagingState,
    serialConsistency,
    timestamp,
    keyspace,
    nowInSeconds,
  };
}

/** Names, where there is a list for them, stand before each value. */
export function readValues(
  body: BodyReader,
  version: ProtocolVersion,
  names?: string[],
): readonly BoundValue[] {
  const count = body.short();
  if (count === 0) return noValues;
  // Most have one, and a list that grows is made for many.
  if (count === 1 && names === undefined) return [body.value(version >= 4)];
  const values: BoundValue[] = [];
  for (let at = 0; at < count; at++) {
    names?.push(body.string());
    values.push(body.value(version >= 4));
  }
  return values;
}

function readPageSize(body: BodyReader): number | undefined {
  const pageSize = body.int();
  if (pageSize === 0) throw new ProtocolError('The page size cannot be 0');
  return pageSize < 0 ? undefined : pageSize;
}

function readTimestamp(body: BodyReader): bigint {
  const timestamp = body.long();
  if (timestamp === smallestTimestamp) {
    throw new ProtocolError(
      `Out of bound timestamp, must be in [${smallestTimestamp + 1n}, ${-smallestTimestamp - 1n}] (got ${timestamp})`,
    );
  }
  return timestamp;
}
