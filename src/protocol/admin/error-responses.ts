import type { ErrorCode } from '../../errors/error-codes.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { chargeOfFailure } from '../../throughput/charged-failure.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { AdminResponse } from './admin-message.ts';

/** The HTTP status for each code; the twin of the tables of the two doors. */
export const errorStatuses: Record<ErrorCode, number> = {
  'bad-setting': 400,
  'bad-request': 400,
  'bad-page-token': 400,
  'bad-partition-key': 400,
  'cql-syntax': 400,
  'cql-configuration': 400,
  'cql-already-exists': 409,
  'cql-function-failed': 400,
  'cql-unprepared': 409,
  'cql-truncate-failed': 503,
  'protocol-violation': 400,
  'bad-credentials': 401,
  unauthorized: 403,
  'container-not-found': 404,
  'container-exists': 409,
  'database-not-found': 404,
  'database-exists': 409,
  'database-in-use': 409,
  'resource-not-found': 404,
  'resource-exists': 409,
  'item-not-found': 404,
  'item-exists': 409,
  'unique-key-violation': 409,
  'etag-mismatch': 412,
  'patch-condition-failed': 412,
  'partition-key-mismatch': 400,
  'cross-partition-query': 400,
  'sql-syntax': 400,
  'session-not-available': 404,
  'partition-range-gone': 410,
  'stale-container': 400,
  'request-too-large': 413,
  forbidden: 403,
  'bad-signature': 401,
  'not-implemented': 501,
  'partition-not-found': 404,
  'split-refused': 409,
  'merge-refused': 409,
  'move-refused': 409,
  'partition-busy': 409,
  'write-contention': 409,
  'bad-throughput': 400,
  'too-many-shared-containers': 400,
  'throughput-change-pending': 423,
  'throughput-exceeded': 429,
  'throughput-bucket-exceeded': 429,
  'too-few-replicas': 503,
  'no-readable-replica': 503,
  // As design.md §5.3: neither a success nor a failure, and 408 is what both kinds of client take for that.
  'outcome-unknown': 408,
  'disk-full': 507,
  'logical-partition-full': 403,
  'transaction-too-large': 413,
  'too-much-in-flight': 503,
  stopping: 503,
  'data-directory-in-use': 500,
  'data-directory-foreign': 500,
  'unknown-format': 500,
  'corrupt-data': 500,
  'internal-error': 500,
};

const refusalCodes: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'bad-signature'],
  [403, 'forbidden'],
]);

export function errorResponse(error: unknown): AdminResponse {
  if (error instanceof HttpRefusal) {
    const body = {
      code: refusalCodes.get(error.status) ?? 'bad-request',
      message: error.message,
      details: {},
    };
    return { status: error.status, body, headers: error.headers };
  }
  const { code, message, details } =
    error instanceof RingfoldError ? error : new RingfoldError('internal-error');
  const headers = { ...retryHeaders(details), ...chargeHeaders(error) };
  return { status: errorStatuses[code], body: { code, message, details }, headers };
}

/** What it cost before it failed, by the name that Cosmos' clients know. */
function chargeHeaders(error: unknown): Record<string, string> {
  const chargeRu = chargeOfFailure(error);
  return chargeRu === 0 ? {} : { 'x-ms-request-charge': String(chargeRu) };
}

/** HTTP counts in seconds; Cosmos' clients read milliseconds. */
function retryHeaders({ retryAfterMs }: Readonly<Record<string, unknown>>): Record<string, string> {
  if (typeof retryAfterMs !== 'number') return {};
  return {
    'retry-after': String(Math.ceil(retryAfterMs / 1_000)),
    'x-ms-retry-after-ms': String(retryAfterMs),
  };
}
