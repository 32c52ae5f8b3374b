import { idInPath, ifMatchOf, refuseTriggers, targetOf } from '../item-request.ts';
import { missingItem, writeItem } from '../item-response.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';

export const deleteDocument: NosqlHandler<NosqlContext> = async (request, context) => {
  refuseTriggers(request);
  const target = targetOf(request, context);
  const id = await idInPath(request, context, target);
  if (id === undefined) throw missingItem(context, target);
  return writeItem(request, context, target, { kind: 'delete', id, ifMatch: ifMatchOf(request) });
};
