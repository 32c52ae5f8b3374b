import type { ErrorCode } from '../../errors/error-codes.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { chargeOfFailure } from '../../throughput/charged-failure.ts';
import { version } from '../../version.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { reasonOf } from '../http/status-reasons.ts';
import type { NosqlResponse } from './nosql-message.ts';

interface ErrorRow {
  readonly status: number;
  readonly substatus: number;
  /** In the service's words, for failures that bring no reason of their own. */
  readonly reason?: string;
  /** What the service's partitions say is wrapped; what its gateway says, in their place or by itself, is plain. */
  readonly isWrapped?: boolean;
}

const notFound = 'Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found';
const throttled =
  'Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. Learn more: http://aka.ms/cosmosdb-error-429';
const unavailable = 'Service is currently unavailable.';
const internal: ErrorRow = { status: 500, substatus: 0 };
const badRequest: ErrorRow = { status: 400, substatus: 0 };

/** What NoSQL clients are told for each code; the twin of the tables of the other doors. */
export const errorRows: Record<ErrorCode, ErrorRow> = {
  'bad-setting': badRequest,
  'bad-request': badRequest,
  'bad-page-token': { status: 400, substatus: 0, reason: 'Invalid Continuation Token' },
  'bad-partition-key': {
    status: 400,
    substatus: 0,
    reason:
      "Partition key provided either doesn't correspond to definition in the collection or doesn't match partition key field values specified in the document.",
  },
  'cql-syntax': badRequest,
  'cql-configuration': badRequest,
  'cql-already-exists': { status: 409, substatus: 0 },
  'cql-function-failed': badRequest,
  'cql-unprepared': { status: 409, substatus: 0 },
  'cql-truncate-failed': { status: 503, substatus: 0 },
  'protocol-violation': badRequest,
  'bad-credentials': { status: 401, substatus: 0 },
  unauthorized: { status: 403, substatus: 0 },
  'container-not-found': { status: 404, substatus: 1003, reason: notFound, isWrapped: true },
  'container-exists': { status: 409, substatus: 0 },
  'database-not-found': { status: 404, substatus: 1003, reason: notFound, isWrapped: true },
  'database-exists': { status: 409, substatus: 0 },
  'database-in-use': { status: 409, substatus: 0 },
  'resource-not-found': { status: 404, substatus: 0, reason: notFound, isWrapped: true },
  'resource-exists': {
    status: 409,
    substatus: 0,
    reason: 'Resource with specified id, name, or unique index already exists.',
    isWrapped: true,
  },
  'item-not-found': {
    status: 404,
    substatus: 0,
    reason:
      'Entity with the specified id does not exist in the system. More info: https://aka.ms/cosmosdb-tsg-not-found',
  },
  'item-exists': {
    status: 409,
    substatus: 0,
    reason: 'Entity with the specified id already exists in the system.',
  },
  // [U] the substatus: Rust's list has 3301, live accounts are said to send none.
  'unique-key-violation': {
    status: 409,
    substatus: 0,
    reason: 'Unique index constraint violation.',
    isWrapped: true,
  },
  // Those of items bring words of their own.
  'etag-mismatch': {
    status: 412,
    substatus: 0,
    reason: wrapped(
      'One of the specified pre-condition is not met. Learn more: https://aka.ms/CosmosDB/sql/errors/precondition-failed',
    ),
  },
  'patch-condition-failed': {
    status: 412,
    substatus: 1110,
    reason: 'One of the specified pre-condition is not met',
    isWrapped: true,
  },
  'partition-key-mismatch': {
    status: 400,
    substatus: 1001,
    reason:
      "PartitionKey extracted from document doesn't match the one specified in the header. Learn more: https://aka.ms/CosmosDB/sql/errors/wrong-pk-value",
    isWrapped: true,
  },
  'cross-partition-query': {
    status: 400,
    substatus: 1004,
    reason:
      'The provided cross partition query can not be directly served by the gateway. This is a first chance (internal) exception that all newer clients will know how to handle gracefully. This exception is traced, but unless you see it bubble up as an exception (which only happens on older SDK clients), then you can safely ignore this message.',
  },
  'sql-syntax': badRequest,
  'session-not-available': {
    status: 404,
    substatus: 1002,
    reason: 'The read session is not available for the input session token.',
    isWrapped: true,
  },
  'partition-range-gone': {
    status: 410,
    substatus: 1002,
    reason: 'The requested resource is no longer available at the server.',
  },
  'stale-container': {
    status: 400,
    substatus: 1024,
    reason: 'The collection rid in the request does not match the one of the collection.',
  },
  'request-too-large': { status: 413, substatus: 0, reason: 'Request size is too large', isWrapped: true },
  forbidden: {
    status: 403,
    substatus: 0,
    reason:
      'Insufficient permissions provided in the authorization header for the corresponding request. Please retry with another authorization header.',
  },
  'bad-signature': {
    status: 401,
    substatus: 0,
    reason: 'Required Header authorization is missing. Ensure a valid Authorization token is passed.',
  },
  'not-implemented': { status: 501, substatus: 0 },
  'partition-not-found': {
    status: 410,
    substatus: 1002,
    reason: 'The requested resource is no longer available at the server.',
  },
  'split-refused': { status: 409, substatus: 0 },
  'merge-refused': { status: 409, substatus: 0 },
  'move-refused': { status: 409, substatus: 0 },
  // It could not wait any longer for a split or merge to be completed.
  'partition-busy': {
    status: 410,
    substatus: 1007,
    reason:
      'The requested resource is no longer available at the server. A split or merge is being completed.',
  },
  'write-contention': {
    status: 449,
    substatus: 0,
    reason: 'Conflicting request to resource has been attempted. Retry to avoid conflicts.',
    isWrapped: true,
  },
  'bad-throughput': badRequest,
  'too-many-shared-containers': { status: 403, substatus: 1010 },
  'throughput-change-pending': { status: 423, substatus: 0 },
  'throughput-exceeded': { status: 429, substatus: 3200, reason: throttled, isWrapped: true },
  'throughput-bucket-exceeded': { status: 429, substatus: 3212, reason: throttled, isWrapped: true },
  'too-few-replicas': { status: 503, substatus: 0, reason: unavailable },
  'no-readable-replica': { status: 503, substatus: 0, reason: unavailable },
  // Neither a success nor a failure, and 408 is what clients take for that.
  'outcome-unknown': { status: 408, substatus: 0, reason: 'Request timed out.' },
  'disk-full': { status: 503, substatus: 0 },
  'logical-partition-full': {
    status: 403,
    substatus: 1014,
    reason:
      'Partition key reached maximum size of 20 GB. Learn more: https://aka.ms/CosmosDB/sql/errors/full-pk',
    isWrapped: true,
  },
  'transaction-too-large': {
    status: 413,
    substatus: 3401,
    reason: 'Request size is too large',
    isWrapped: true,
  },
  'too-much-in-flight': { status: 503, substatus: 0, reason: unavailable },
  stopping: { status: 503, substatus: 0, reason: unavailable },
  'data-directory-in-use': internal,
  'data-directory-foreign': internal,
  'unknown-format': internal,
  'corrupt-data': internal,
  'internal-error': internal,
};

/** As clients of the service are told: a status, a substatus, and JSON in which some of them look for words. */
export function errorResponse(error: unknown, activityId: string): NosqlResponse {
  if (error instanceof HttpRefusal) {
    const body = { code: codeWord(error.status), message: signed(error.message, activityId) };
    return { status: error.status, headers: error.headers, body: JSON.stringify(body) };
  }
  const failure = error instanceof RingfoldError ? error : new RingfoldError('internal-error');
  const { code, details } = failure;
  const row = errorRows[code];
  const substatus = typeof details['substatus'] === 'number' ? details['substatus'] : row.substatus;
  const status = typeof details['status'] === 'number' ? details['status'] : row.status;
  const { retryAfterMs, additionalErrorInfo } = details;
  const charge = chargeOfFailure(failure);
  return {
    status,
    headers: {
      ...(details['headers'] as Readonly<Record<string, string>> | undefined),
      ...(charge === 0 ? {} : { 'x-ms-request-charge': String(charge) }),
      'x-ms-substatus': String(substatus),
      ...(typeof retryAfterMs === 'number' ? { 'x-ms-retry-after-ms': String(retryAfterMs) } : {}),
    },
    body: JSON.stringify({
      code: codeWord(status),
      message: signed(messageOf(failure, row), activityId),
      ...(additionalErrorInfo === undefined ? {} : { additionalErrorInfo }),
    }),
  };
}

function messageOf({ code, details, message }: RingfoldError, row: ErrorRow): string {
  if (code === 'sql-syntax' && details['errors'] !== undefined)
    return `Message: ${JSON.stringify({ errors: details['errors'] })}`;
  const reason = details['reason'] ?? details['cosmosMessage'];
  const words = row.reason ?? message;
  if (code === 'bad-page-token' && typeof reason === 'string') return `${words}: ${reason}.`;
  const text = typeof reason === 'string' ? reason : words;
  return row.isWrapped === true && !text.startsWith('Message: ') ? wrapped(text) : text;
}

function wrapped(text: string): string {
  return `Message: ${JSON.stringify({ Errors: [text] })}`;
}

function signed(message: string, activityId: string): string {
  return `${message}\r\nActivityId: ${activityId}, Ringfold/${version}`;
}

/** The phrase of the status without spaces: NotFound, BadRequest. The service has words of its own for some. */
function codeWord(status: number): string {
  switch (status) {
    case 405:
      return 'MethodNotAllowed';
    case 413:
      return 'RequestEntityTooLarge';
    case 449:
      return 'RetryWith';
    default:
      return (reasonOf(status) || 'InternalServerError').replaceAll(' ', '');
  }
}
