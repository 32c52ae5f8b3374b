import { invalidRequest } from '../../../errors/invalid-request.ts';
import { draftItem } from '../../../execution/nosql/items/item-draft.ts';
import { isSameKey } from '../../../execution/nosql/items/item-partition-key.ts';
import { keyNotOfItem } from '../../../execution/nosql/items/item-refusals.ts';
import { checked, idInPath, ifMatchOf, refuseTriggers, targetOf } from '../item-request.ts';
import { missingItem, writeItem } from '../item-response.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';

/** Neither the id nor the partition key can be changed. */
export const replaceDocument: NosqlHandler<NosqlContext> = async (request, context) => {
  refuseTriggers(request);
  const target = targetOf(request, context);
  const draft = checked(request, context, target, 'replace-item', () => {
    const drafted = draftItem(target.container, request.body);
    if (!isSameKey(drafted.partitionKey, target.partitionKey)) throw keyNotOfItem();
    return drafted;
  });
  const id = await idInPath(request, context, target);
  if (id === undefined) throw missingItem(context, target);
  if (draft.id !== id)
    throw invalidRequest(
      `The id '${draft.id}' of the item is not the '${id}' that is replaced: an id cannot be changed.`,
    );
  return writeItem(request, context, target, { kind: 'replace', id, draft, ifMatch: ifMatchOf(request) });
};
