import { draftInBody, ifMatchOf, refuseTriggers } from '../item-request.ts';
import { writeItem } from '../item-response.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';
import { withRid } from '../with-rid.ts';

/** 201 for an item that was not there, 200 for one that was. */
export const upsertDocument: NosqlHandler<NosqlContext> = (request, context) => {
  refuseTriggers(request);
  const { draft, target } = draftInBody(request, context, 'upsert-item');
  return withRid(context, target, (rid) =>
    writeItem(request, context, target, { kind: 'upsert', draft, rid, ifMatch: ifMatchOf(request) }),
  );
};
