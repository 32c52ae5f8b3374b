import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { malformed, optionalObject } from '../../../catalog/nosql/policies/json-fields.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import {
  listOffers as list,
  type OfferChange,
  type OfferStanding,
  readOffer as read,
  replaceOffer as replace,
} from '../../../execution/nosql/definitions/offers.ts';
import { expectedEtag, readAnswer, writtenAnswer } from '../definitions/definition-answers.ts';
import { objectIn } from '../definitions/definition-body.ts';
import { type DefinitionFeed, listedFeed, queriedFeed } from '../definitions/definition-feed.ts';
import { autopilotSettings } from '../definitions/throughput-headers.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler, NosqlRequest } from '../nosql-message.ts';
import { isAsked } from '../request-options.ts';

export const listOffers: NosqlHandler<NosqlContext> = (request, context) =>
  listedFeed(context, request, feedIn(context));

export const queryOffers: NosqlHandler<NosqlContext> = (request, context) =>
  queriedFeed(context, request, feedIn(context));

export const readOffer: NosqlHandler<NosqlContext> = async (request, context) => {
  const standing = await read(context.parts, request.path.id ?? '');
  return readAnswer(context, request, standing.offer, standing.offer.shown, headersOf(standing));
};

/** 202 while partitions are being split for it: until that is done the old figure holds. */
export const replaceOffer: NosqlHandler<NosqlContext> = async (request, context) => {
  const offer = objectIn(request);
  for (const name of ['id', '_rid'] as const) {
    if (offer[name] !== undefined && offer[name] !== request.path.id)
      throw invalidRequest(`The ${name} of the offer is not the one of the request url.`);
  }
  const change = changeIn(request, offer);
  const standing = await replace(context.parts, request.path.id ?? '', change, expectedEtag(request));
  const status = standing.isReplacePending ? 202 : 200;
  return writtenAnswer(context, status, standing.offer, standing.offer.shown, headersOf(standing));
};

function changeIn(request: NosqlRequest, offer: JsonObject): OfferChange {
  if (isAsked(request, 'x-ms-cosmos-migrate-offer-to-autopilot'))
    return { kind: 'migration', to: 'autoscale' };
  if (isAsked(request, 'x-ms-cosmos-migrate-offer-to-manual-throughput'))
    return { kind: 'migration', to: 'manual' };
  const content = optionalObject(offer, 'content');
  if (content === undefined) throw malformed("the required properties - 'content; ' - are missing");
  return { kind: 'figure', request: figureIn(content) };
}

/** Clients send back all that they have read: of autoscale, the figure it had scaled to as well. */
function figureIn(
  content: JsonObject,
): { readonly ruPerSecond: number } | ReturnType<typeof autopilotSettings> {
  const settings = optionalObject(content, 'offerAutopilotSettings');
  if (settings !== undefined) return autopilotSettings(settings);
  return { ruPerSecond: Number(content['offerThroughput'] ?? Number.NaN) };
}

function feedIn({ parts }: NosqlContext): DefinitionFeed {
  return { name: 'Offers', ownerRid: '', definitions: list(parts) };
}

function headersOf({ minimumRu, isReplacePending }: OfferStanding): Record<string, string> {
  return {
    'x-ms-cosmos-min-throughput': String(minimumRu),
    'x-ms-offer-replace-pending': String(isReplacePending),
  };
}
