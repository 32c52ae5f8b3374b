import { draftPatch } from '../draft-patch.ts';
import { checked, idInPath, ifMatchOf, refuseTriggers, targetOf } from '../item-request.ts';
import { missingItem, writeItem } from '../item-response.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';

export const patchDocument: NosqlHandler<NosqlContext> = async (request, context) => {
  refuseTriggers(request);
  const target = targetOf(request, context);
  const patch = checked(request, context, target, 'patch-item', () =>
    draftPatch(context, target.container, request.body),
  );
  const id = await idInPath(request, context, target);
  if (id === undefined) throw missingItem(context, target);
  return writeItem(request, context, target, { kind: 'patch', id, patch, ifMatch: ifMatchOf(request) });
};
