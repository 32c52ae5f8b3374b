// Conflicts come of writing in several regions. There is one here, so there are none; and the feed of them is there and empty.

import { resourceNotFound } from '../../../execution/nosql/definitions/definition-checks.ts';
import { containerAt } from '../container-at.ts';
import { type DefinitionFeed, listedFeed, queriedFeed } from '../definitions/definition-feed.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler, NosqlRequest } from '../nosql-message.ts';

export const listConflicts: NosqlHandler<NosqlContext> = (request, context) =>
  listedFeed(context, request, feedOf(request, context));

export const queryConflicts: NosqlHandler<NosqlContext> = (request, context) =>
  queriedFeed(context, request, feedOf(request, context));

/** To be read or deleted: whichever is named, it is not there. */
export const findConflict: NosqlHandler<NosqlContext> = (request, context) => {
  containerAt(request, context);
  throw resourceNotFound();
};

function feedOf(request: NosqlRequest, context: NosqlContext): DefinitionFeed {
  return { name: 'Conflicts', ownerRid: containerAt(request, context).rid, definitions: [] };
}
