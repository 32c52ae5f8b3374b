import { decodeFeedPosition, encodeFeedPosition } from '../../../execution/nosql/feeds/feed-position.ts';
import { feedFingerprint, readItems } from '../../../execution/nosql/feeds/read-items.ts';
import { containerPrefix } from '../../../partitioning/logical-partition.ts';
import { currentMap } from '../../../routing/find-partition.ts';
import { containerAt } from '../container-at.ts';
import { feedBody, maxItemsOf, scopeOf } from '../feed-request.ts';
import { partitionHeaders } from '../headers.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';
import { consistencyOf, headerOf, multiplierOf, traitsOf } from '../request-options.ts';

/** GET of `docs`: the items as they are, page by page. */
export const readDocuments: NosqlHandler<NosqlContext> = async (request, context) => {
  const { parts } = context;
  const container = containerAt(request, context);
  const map = currentMap(parts.throughput.store, container.container);
  const scope = scopeOf(request, container, map, 'ranges of today');
  const fingerprint = feedFingerprint(container);
  const continuation = headerOf(request, 'x-ms-continuation');
  const after =
    continuation === undefined
      ? undefined
      : decodeFeedPosition(continuation, fingerprint, containerPrefix(container.container)).position;
  const page = await readItems(parts, {
    container,
    scope,
    after,
    maxItems: maxItemsOf(request),
    traits: traitsOf(request, 'read-feed'),
    consistencyMultiplier: multiplierOf(consistencyOf(request, context)),
  });
  const { items, next } = page;
  return {
    status: 200,
    headers: {
      'x-ms-request-charge': String(page.chargeRu),
      'x-ms-item-count': String(items.length),
      ...(next === undefined ? {} : { 'x-ms-continuation': encodeFeedPosition(next, fingerprint) }),
      ...partitionHeaders(context, container, page.physicalPartition),
    },
    body: feedBody(container.rid, 'Documents', items),
  };
};
