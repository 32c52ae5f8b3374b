import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../errors/error-codes.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Consistency } from '../../execution/cql/statement-request.ts';
import { type ByteString, hexOf } from '../../foundation/byte-string.ts';
import { REPLICA_COUNT } from '../../partitioning/partition-limits.ts';
import { quorumOf } from '../../partitioning/replica-set.ts';
import type { ErrorMessage, plainErrorCodes, WriteType } from './messages/error-message.ts';
import { ProtocolError } from './protocol-error.ts';
import { RequestTooBig } from './request-too-big.ts';

const quorum = quorumOf(REPLICA_COUNT);

/** What of a request its error repeats. */
export interface FailedRequest {
  readonly consistency: Consistency;
  readonly writeType: WriteType;
}

type ToMessage = (error: RingfoldError, request: FailedRequest) => ErrorMessage;

/** The CQL error for each code; the twin of the tables of the other doors. */
const errorFrames: Record<ErrorCode, ToMessage> = {
  'bad-setting': plain('invalid'),
  'bad-request': plain('invalid'),
  'bad-page-token': () => ({ error: 'protocol', message: 'Invalid value for the paging state' }),
  'bad-partition-key': plain('invalid'),
  'cql-syntax': plain('syntax'),
  'cql-configuration': plain('config'),
  'cql-already-exists': (error) => ({
    error: 'already-exists',
    message: textOf(error),
    keyspace: detail(error, 'keyspace'),
    table: detail(error, 'table'),
  }),
  'cql-function-failed': (error) => ({
    error: 'function-failure',
    message: textOf(error),
    keyspace: detail(error, 'keyspace'),
    functionName: detail(error, 'function'),
    argumentTypes: (error.details['argumentTypes'] as readonly string[] | undefined) ?? [],
  }),
  'cql-unprepared': unprepared,
  'cql-truncate-failed': plain('truncate'),
  'protocol-violation': plain('protocol'),
  'bad-credentials': plain('bad-credentials'),
  unauthorized: plain('unauthorized'),
  'container-not-found': plain('invalid'),
  'container-exists': plain('invalid'),
  'database-not-found': plain('invalid'),
  'database-exists': plain('invalid'),
  'database-in-use': plain('invalid'),
  'resource-not-found': plain('invalid'),
  'resource-exists': plain('invalid'),
  'item-not-found': plain('invalid'),
  'item-exists': plain('invalid'),
  'unique-key-violation': plain('invalid'),
  'etag-mismatch': plain('invalid'),
  'patch-condition-failed': plain('invalid'),
  'partition-key-mismatch': plain('invalid'),
  'cross-partition-query': plain('invalid'),
  'sql-syntax': plain('invalid'),
  'session-not-available': plain('server'),
  'partition-range-gone': plain('invalid'),
  'stale-container': plain('invalid'),
  'request-too-large': plain('invalid'),
  forbidden: plain('invalid'),
  'bad-signature': plain('invalid'),
  'not-implemented': plain('invalid'),
  'partition-not-found': plain('server'),
  'split-refused': plain('invalid'),
  'merge-refused': plain('invalid'),
  'move-refused': plain('invalid'),
  'partition-busy': overloaded,
  'write-contention': overloaded,
  'bad-throughput': plain('invalid'),
  'too-many-shared-containers': plain('invalid'),
  'throughput-change-pending': plain('invalid'),
  'throughput-exceeded': overloaded,
  'throughput-bucket-exceeded': overloaded,
  'too-few-replicas': (error, request) => unavailable(error, request, quorum),
  'no-readable-replica': (error, request) => unavailable(error, request, 1),
  'outcome-unknown': (_error, request) => writeTimeout(request),
  'disk-full': (error, { consistency, writeType }) => ({
    error: 'write-failure',
    message: textOf(error),
    consistency,
    received: 0,
    required: quorum,
    failures: [{ address: Buffer.alloc(4), reason: 0 }],
    writeType,
  }),
  'logical-partition-full': (error) => ({ error: 'invalid', message: fullText(error) }),
  'transaction-too-large': (error) => ({ error: 'invalid', message: tooLargeText(error) }),
  'too-much-in-flight': overloaded,
  // Drivers then try another host, which is what the code asks for.
  stopping: plain('bootstrapping'),
  'data-directory-in-use': plain('server'),
  'data-directory-foreign': plain('server'),
  'unknown-format': plain('server'),
  'internal-error': plain('server'),
  'corrupt-data': plain('server'),
};

export function errorMessageOf(error: unknown, request: FailedRequest): ErrorMessage {
  if (error instanceof RingfoldError) return errorFrames[error.code](error, request);
  if (error instanceof ProtocolError) return { error: 'protocol', message: error.message };
  if (error instanceof RequestTooBig) return { error: 'invalid', message: error.message };
  return errorMessageOf(new RingfoldError('internal-error'), request);
}

/** A bug of ours, and not a request that cannot be served. */
export function isFault(error: unknown): boolean {
  if (error instanceof RingfoldError) return error.code === 'internal-error' || error.code === 'corrupt-data';
  return !(error instanceof ProtocolError || error instanceof RequestTooBig);
}

export function readTimeout({ consistency }: FailedRequest): ErrorMessage {
  const message = 'Operation timed out - received only 0 responses.';
  return { error: 'read-timeout', message, consistency, received: 0, required: 1, dataPresent: false };
}

export function writeTimeout({ consistency, writeType }: FailedRequest): ErrorMessage {
  return {
    error: 'write-timeout',
    message: 'Operation timed out - received only 0 responses.',
    consistency,
    received: 0,
    required: quorum,
    writeType,
    ...(writeType === 'CAS' ? { contentions: 0 } : {}),
  };
}

/** The text is Cassandra's where there is one, Cosmos' where it is about throughput, and the code's own otherwise. */
function textOf(error: RingfoldError): string {
  const { reason, cosmosMessage } = error.details;
  if (typeof reason === 'string') return reason;
  return typeof cosmosMessage === 'string' ? cosmosMessage : error.message;
}

function fullText({ details: { sizeBytes, limitBytes } }: RingfoldError): string {
  return `The partition takes about ${sizeBytes} bytes, and the limit for all rows with one partition key is ${limitBytes} bytes: rows can be deleted, but none added`;
}

function tooLargeText({ message, details }: RingfoldError): string {
  const { rowBytes, transactionBytes, limitBytes } = details;
  if (typeof rowBytes === 'number')
    return `The row would take ${rowBytes} bytes, which is more than the limit of ${limitBytes} bytes for a row`;
  if (typeof transactionBytes !== 'number') return message;
  return `The write takes ${transactionBytes} bytes, which is more than the limit of ${limitBytes} bytes for one partition at once`;
}

function plain(kind: keyof typeof plainErrorCodes): ToMessage {
  return (error) => ({ error: kind, message: textOf(error) });
}

function detail(error: RingfoldError, name: string): string {
  const value = error.details[name];
  return typeof value === 'string' ? value : '';
}

function unprepared(error: RingfoldError): ErrorMessage {
  const id = detail(error, 'id') as ByteString;
  const message = `Prepared query with ID ${hexOf(id).toLowerCase()} not found (either the query was not prepared on this host (maybe the host has been restarted?) or you have prepared too many queries and it has been evicted from the internal cache)`;
  return { error: 'unprepared', message, id };
}

function unavailable(error: RingfoldError, { consistency }: FailedRequest, required: number): ErrorMessage {
  const { level } = error.details;
  const alive = typeof level === 'number' ? level : 0;
  const message = `Cannot achieve consistency level ${consistency}`;
  return { error: 'unavailable', message, consistency, required, alive };
}

/**
 * As Cosmos words it. The retry policies of its clients cut the message at commas and want a part that is exactly
 * `RetryAfterMs=<digits>`.
 */
function overloaded(error: RingfoldError): ErrorMessage {
  const { retryAfterMs, physicalPartition, budgetRuPerSecond, cause } = error.details;
  const wait = typeof retryAfterMs === 'number' ? Math.max(1, Math.ceil(retryAfterMs)) : 10;
  const facts = { physicalPartition, budgetRuPerSecond, cause };
  const known = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `; ${name}: ${value}`)
    .join('');
  const message = `Request rate is large: ActivityID=${randomUUID()}, RetryAfterMs=${wait}, Additional details='${error.message}${known}'`;
  return { error: 'overloaded', message };
}
