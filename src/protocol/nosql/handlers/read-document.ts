import { toldLsn } from '../../../catalog/nosql/told-lsn.ts';
import { itemNotFound } from '../../../execution/nosql/items/item-refusals.ts';
import { textOfItem } from '../../../execution/nosql/items/item-text.ts';
import { type FoundOne, readItem } from '../../../execution/nosql/items/read-item.ts';
import { currentMap } from '../../../routing/find-partition.ts';
import { etagOf } from '../../../values/etag.ts';
import type { StoredItem } from '../../../values/stored-item.ts';
import { type ItemTarget, idInPath, ifNoneMatchOf, targetOf } from '../item-request.ts';
import { headersOf, missingItem, toldOf } from '../item-response.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler, NosqlRequest, NosqlResponse } from '../nosql-message.ts';
import { consistencyOf, multiplierOf, sessionTokenOf, traitsOf } from '../request-options.ts';
import { lsnInSessionToken, refuseUnreached } from '../session-token.ts';

export const readDocument: NosqlHandler<NosqlContext> = (request, context) => {
  const target = targetOf(request, context);
  const id = idInPath(request, context, target);
  if (id instanceof Promise) return id.then((found) => readNamed(request, context, target, found));
  return readNamed(request, context, target, id);
};

/** In the same turn if memory has it. */
function readNamed(
  request: NosqlRequest,
  context: NosqlContext,
  target: ItemTarget,
  id: string | undefined,
): NosqlResponse | Promise<NosqlResponse> {
  if (id === undefined) throw missingItem(context, target);
  const { container, logicalPartition } = target;
  const level = consistencyOf(request, context);
  const token = sessionTokenOf(request, level);
  const known = ifNoneMatchOf(request);
  const found = readItem(context.parts, {
    container,
    logicalPartition,
    id,
    traits: traitsOf(request, 'read-item'),
    consistencyMultiplier: multiplierOf(level),
    isKnown: known === undefined ? never : (item) => known === '*' || known === etagOf(item.timestamp ?? 0),
    refuseUnreached: (physicalPartition, committedLsn) => {
      if (token === undefined) return;
      const ancestors = currentMap(context.parts.throughput.store, container.container).ancestorsOf(
        physicalPartition,
      );
      refuseUnreached(
        lsnInSessionToken(token, physicalPartition, ancestors),
        toldLsn(container, committedLsn),
      );
    },
  });
  if (found instanceof Promise) return found.then((one) => responseOf(context, target, one));
  return responseOf(context, target, found);
}

function never(_item: StoredItem): boolean {
  return false;
}

function responseOf(context: NosqlContext, { container }: ItemTarget, found: FoundOne): NosqlResponse {
  const { item, isKnown, chargeRu } = found;
  const headers = headersOf(context, container, found, item);
  if (item === undefined) throw toldOf(itemNotFound(), headers, chargeRu);
  if (isKnown) return { status: 304, headers, body: undefined };
  return { status: 200, headers, body: textOfItem(container, item) };
}
