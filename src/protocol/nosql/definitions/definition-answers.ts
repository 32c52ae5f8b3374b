// Answers about definitions. They are charged as the service charges them, and spend nobody's throughput.

import type { JsonObject, ResourceIdentity } from '../../../catalog/nosql/nosql-definitions.ts';
import type { WorkDone } from '../../../throughput/work-done.ts';
import { chargeHeader, inHeader } from '../headers.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlRequest, NosqlResponse } from '../nosql-message.ts';
import { headerOf } from '../request-options.ts';

type Headers = NosqlResponse['headers'];

export function chargeOf({ parts }: NosqlContext, work: WorkDone): Headers {
  return chargeHeader(work, parts.throughput.prices);
}

/** Nothing is sent to who has it already. */
export function readAnswer(
  context: NosqlContext,
  request: NosqlRequest,
  { etag }: Pick<ResourceIdentity, 'etag'>,
  shown: JsonObject,
  others: Headers = {},
): NosqlResponse {
  const body = JSON.stringify(shown);
  const seen = headerOf(request, 'if-none-match');
  const isSeen = seen === `"${etag}"` || seen === '*';
  const work = {
    kind: 'read-definition',
    itemBytes: isSeen ? 0 : Buffer.byteLength(body),
    consistencyMultiplier: 1,
  } as const;
  const headers = { etag: `"${etag}"`, ...chargeOf(context, work), ...others };
  return isSeen ? { status: 304, headers, body: undefined } : { status: 200, headers, body };
}

/** After a create, a replace or an upsert. */
export function writtenAnswer(
  context: NosqlContext,
  status: 200 | 201 | 202,
  { etag }: Pick<ResourceIdentity, 'etag'>,
  shown: JsonObject,
  others: Headers = {},
): NosqlResponse {
  const body = JSON.stringify(shown);
  const bytesAfter = Buffer.byteLength(body);
  const work = definitionWrite(status === 201 ? 0 : bytesAfter, bytesAfter, Object.keys(shown).length);
  return { status, headers: { etag: `"${etag}"`, ...chargeOf(context, work), ...others }, body };
}

export function deletedAnswer(context: NosqlContext, shown: JsonObject): NosqlResponse {
  const work = definitionWrite(Buffer.byteLength(JSON.stringify(shown)), 0, Object.keys(shown).length);
  return { status: 204, headers: chargeOf(context, work), body: undefined };
}

function definitionWrite(bytesBefore: number, bytesAfter: number, properties: number): WorkDone {
  return {
    kind: 'write-definition',
    bytesBefore,
    bytesAfter,
    indexTermsRemoved: 0,
    indexTermsAdded: 0,
    properties,
    patchOperations: 0,
    isLightweightTransaction: false,
    isApplied: true,
  };
}

/** What the client wants to be still so. */
export function expectedEtag(request: NosqlRequest): string | undefined {
  return headerOf(request, 'if-match');
}

/** Whose it is, by name and by rid. */
export function ownerHeaders({ id, rid }: Pick<ResourceIdentity, 'id' | 'rid'>): Headers {
  return {
    'x-ms-alt-content-path': inHeader(`dbs/${id}`),
    'x-ms-content-path': rid,
  };
}
