// What clients read when an item request is refused, in the service's words. Nothing was stored.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';

export function invalidPayload(cause?: unknown): RingfoldError {
  const reason = 'The request payload is invalid. Ensure to provide a valid request payload.';
  return invalidRequest(reason, cause);
}

export function missingId(): RingfoldError {
  return invalidRequest(
    "The input content is invalid because the required properties - 'id; ' - are missing",
  );
}

export function invalidId(id: string): RingfoldError {
  const shown = id.length > 100 ? `${id.slice(0, 100)}…` : id;
  return invalidRequest(
    `The input name '${shown}' is invalid. Ensure to provide a unique non-empty string less than '1024' characters, without '/' and '\\'.`,
  );
}

export function invalidTtl(ttl: unknown): RingfoldError {
  return invalidRequest(
    `The input ttl '${JSON.stringify(ttl)}' is invalid. Ensure to provide a nonzero positive integer or -1 for the ttl value.`,
  );
}

export function tooDeep(): RingfoldError {
  return invalidRequest('The request payload is invalid: it is nested deeper than 128 levels.');
}

export function tooLarge(sizeBytes: number, limitBytes: number): RingfoldError {
  return new RingfoldError('request-too-large', {
    reason: 'Request size is too large',
    sizeBytes,
    limitBytes,
  });
}

export function answerTooLarge(): RingfoldError {
  return new RingfoldError('request-too-large', { reason: 'Response size is too large', substatus: 3402 });
}

export function missingPartitionKey(): RingfoldError {
  return invalidRequest('PartitionKey value must be supplied for this operation.');
}

export function keyNotOfItem(): RingfoldError {
  return new RingfoldError('partition-key-mismatch', {
    reason:
      "PartitionKey extracted from document doesn't match the one specified in the header. Learn more: https://aka.ms/CosmosDB/sql/errors/wrong-pk-value",
  });
}

export function keyNotOfContainer(): RingfoldError {
  return new RingfoldError('partition-key-mismatch', {
    reason:
      "Partition key provided either doesn't correspond to definition in the collection or doesn't match partition key field values specified in the document.",
  });
}

export function keyTooLong(): RingfoldError {
  return invalidRequest(
    'The partition key supplied in x-ms-partitionkey header or in the document is larger than 2048 bytes, which is the limit.',
  );
}

export function itemNotFound(): RingfoldError {
  return new RingfoldError('item-not-found', {
    reason:
      'Entity with the specified id does not exist in the system. More info: https://aka.ms/cosmosdb-tsg-not-found',
  });
}

export function itemExists(): RingfoldError {
  return new RingfoldError('item-exists', {
    reason: 'Entity with the specified id already exists in the system.',
  });
}

export function uniqueKeyViolation(): RingfoldError {
  return new RingfoldError('unique-key-violation', {
    reason:
      'Unique index constraint violation: an entity with the specified values of the unique index already exists in the system.',
  });
}

export function etagMismatch(): RingfoldError {
  return new RingfoldError('etag-mismatch', {
    reason:
      'Operation cannot be performed because one of the specified precondition is not met. Learn more: https://aka.ms/CosmosDB/sql/errors/precondition-failed',
  });
}

export function patchConditionFailed(): RingfoldError {
  return new RingfoldError('patch-condition-failed', {
    reason:
      'One of the specified pre-condition is not met. Learn more: https://aka.ms/CosmosDB/sql/errors/precondition-failed',
  });
}
