// Feeds of definitions, listed or queried: pages in the order in which the definitions were made.

import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { feedBody, maxItemsOf } from '../feed-request.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlRequest, NosqlResponse } from '../nosql-message.ts';
import { headerOf } from '../request-options.ts';
import { chargeOf } from './definition-answers.ts';
import { queryDefinitions } from './query-definitions.ts';

/** What a page of a feed is called, and whose it is. */
export interface DefinitionFeed {
  readonly name: FeedName;
  /** Of what the definitions belong to; empty for the account's. */
  readonly ownerRid: string;
  readonly definitions: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly createdAt: number;
  readonly shown: JsonObject;
}

type FeedName =
  | 'Databases'
  | 'DocumentCollections'
  | 'StoredProcedures'
  | 'Triggers'
  | 'UserDefinedFunctions'
  | 'Conflicts'
  | 'Users'
  | 'Permissions'
  | 'Offers'
  | 'ClientEncryptionKeys';

const defaultPageSize = 100;
const maxPageSize = 10_000;

/** A page ends where its last definition was made, so one that is deleted meanwhile moves nothing. */
export function listedFeed(
  context: NosqlContext,
  request: NosqlRequest,
  { name, ownerRid, definitions }: DefinitionFeed,
): NosqlResponse {
  const after = positionIn(request, 'list') ?? Number.NEGATIVE_INFINITY;
  const left = definitions.filter(({ createdAt }) => createdAt > after);
  const page = left.slice(0, pageSizeOf(request));
  const texts = page.map(({ shown }) => JSON.stringify(shown));
  const last = page.at(-1);
  const itemBytes = texts.map((text) => Buffer.byteLength(text));
  const charge = chargeOf(context, { kind: 'read-feed', itemBytes, consistencyMultiplier: 1 });
  const next = page.length < left.length && last !== undefined ? `list:${last.createdAt}` : undefined;
  return feedAnswer({ name, ownerRid }, texts, charge, next);
}

/** What a query makes of the definitions has no place of its own in their order: pages are counted. */
export function queriedFeed(
  context: NosqlContext,
  request: NosqlRequest,
  { name, ownerRid, definitions }: DefinitionFeed,
): NosqlResponse {
  const shown = definitions.map((definition) => definition.shown);
  const results = queryDefinitions(context, request, shown);
  const from = positionIn(request, 'query') ?? 0;
  const to = from + pageSizeOf(request);
  const texts = results.slice(from, to).map((result) => JSON.stringify(result));
  const charge = chargeOf(context, {
    kind: 'query',
    partitionsVisited: 1,
    itemsLoaded: shown.length,
    bytesLoaded: 0,
    itemsReturned: texts.length,
    bytesReturned: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    extraSeeks: 0,
    indexTermsScanned: 0,
    joinTuples: 0,
    udfCalls: 0,
    consistencyMultiplier: 1,
  });
  return feedAnswer({ name, ownerRid }, texts, charge, to < results.length ? `query:${to}` : undefined);
}

function feedAnswer(
  { name, ownerRid }: Pick<DefinitionFeed, 'name' | 'ownerRid'>,
  texts: readonly string[],
  charge: NosqlResponse['headers'],
  continuation: string | undefined,
): NosqlResponse {
  return {
    status: 200,
    headers: {
      ...charge,
      'x-ms-item-count': String(texts.length),
      ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation }),
    },
    body: feedBody(ownerRid, name, texts),
  };
}

function positionIn(request: NosqlRequest, kind: 'list' | 'query'): number | undefined {
  const token = headerOf(request, 'x-ms-continuation');
  if (token === undefined) return undefined;
  const [, given, position] = /^(list|query):(\d{1,16})$/.exec(token) ?? [];
  if (given !== kind) throw new RingfoldError('bad-page-token', { token });
  return Number(position);
}

function pageSizeOf(request: NosqlRequest): number {
  return Math.min(maxItemsOf(request, defaultPageSize), maxPageSize);
}
