import { draftInBody, refuseTriggers } from '../item-request.ts';
import { writeItem } from '../item-response.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';
import { withRid } from '../with-rid.ts';

export const createDocument: NosqlHandler<NosqlContext> = (request, context) => {
  refuseTriggers(request);
  const { draft, target } = draftInBody(request, context, 'create-item');
  return withRid(context, target, (rid) =>
    writeItem(request, context, target, { kind: 'create', draft, rid }),
  );
};
