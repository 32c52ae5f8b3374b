import { draftInBody, refuseTriggers } from '../item-request.ts';
import { writeItem } from '../item-response.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';

export const createDocument: NosqlHandler<NosqlContext> = async (request, context) => {
  refuseTriggers(request);
  const { draft, target } = draftInBody(request, context, 'create-item');
  const rid = await context.parts.catalog.nextRid(target.container);
  return writeItem(request, context, target, { kind: 'create', draft, rid });
};
