// GET of `docs` with A-IM: what changed since a position, oldest first; 304 when nothing did, with the position all the same.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { toldLsn } from '../../../catalog/nosql/told-lsn.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { RingfoldError } from '../../../errors/ringfold-error.ts';
import {
  type ChangePositions,
  changePositionFrom,
  changePositionsFrom,
  textOfChangePosition,
} from '../../../execution/nosql/feeds/change-positions.ts';
import { partsOfScope } from '../../../execution/nosql/feeds/feed-scope.ts';
import type {
  ChangeStart,
  ChangesPage,
  ChangesRequest,
} from '../../../execution/nosql/feeds/read-changes.ts';
import {
  type AllChangesPage,
  positionAfter,
  readChangesOfAll,
} from '../../../execution/nosql/feeds/read-changes-of-all.ts';
import { textOfItem } from '../../../execution/nosql/items/item-text.ts';
import { currentMap } from '../../../routing/find-partition.ts';
import { type StoredItem, writeSecondOf } from '../../../values/stored-item.ts';
import { containerAt } from '../container-at.ts';
import { feedBody, maxItemsOf, scopeOf } from '../feed-request.ts';
import { partitionHeaders } from '../headers.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler, NosqlRequest } from '../nosql-message.ts';
import { consistencyOf, headerOf, multiplierOf, traitsOf } from '../request-options.ts';

export const readChanges: NosqlHandler<NosqlContext> = async (request, context) => {
  const { parts, changeFeeds } = context;
  const container = containerAt(request, context);
  const map = currentMap(parts.throughput.store, container.container);
  const isAllVersions = isFullFidelity(request);
  if (isAllVersions && container.changeFeedRetentionMinutes === 0) {
    throw invalidRequest(
      'The all versions and deletes change feed needs a changeFeedPolicy with a retentionDuration on the container.',
    );
  }
  const start = startOf(request, container);
  if (isAllVersions && 'kind' in start && (start.kind === 'time' || start.kind === 'beginning'))
    throw invalidRequest('The all versions and deletes change feed begins now or at a continuation.');
  const scope = scopeOf(request, container, map, 'ranges of today');
  const asked = {
    container,
    scope,
    kind: isAllVersions ? 'change' : 'item',
    maxItems: maxItemsOf(request),
    show: isAllVersions ? (item) => item.payload : latestVersionIn(request, container),
    traits: traitsOf(request, 'change-feed'),
    consistencyMultiplier: multiplierOf(consistencyOf(request, context)),
  } satisfies Omit<ChangesRequest, 'start'>;
  const isInOne = 'kind' in start && partsOfScope(container.container, map, scope).length === 1;
  const page = isInOne
    ? await changeFeeds.read({ ...asked, start })
    : await readChangesOfAll(changeFeeds, parts.throughput.store, { ...asked, start });
  if (page === undefined) throw noPosition();
  const { changes } = page;
  const headers = {
    etag: `"${textOfPosition(asked, page)}"`,
    'x-ms-request-charge': String(page.chargeRu),
    'x-ms-item-count': String(changes.length),
    ...partitionHeaders(context, container, page.physicalPartition),
  };
  if (changes.length === 0) return { status: 304, headers, body: undefined };
  const shown = changes.map((change) => change.shown);
  return { status: 200, headers, body: feedBody(container.rid, 'Documents', shown) };
};

function isFullFidelity(request: NosqlRequest): boolean {
  const mode = headerOf(request, 'a-im')?.toLowerCase();
  if (mode === 'incremental feed') return false;
  if (mode === 'full-fidelity feed') return true;
  throw invalidRequest(`A-IM is "Incremental Feed" or "Full-Fidelity Feed", not "${mode ?? ''}".`);
}

function startOf(request: NosqlRequest, container: ContainerDefinition): ChangeStart | ChangePositions {
  const etag = headerOf(request, 'if-none-match');
  if (etag === '*') return { kind: 'now' };
  if (etag !== undefined) {
    const text = etag.replace(/^"|"$/g, '');
    const positions = changePositionFrom(container, text) ?? changePositionsFrom(container, text);
    if (positions === undefined) throw noPosition();
    return positions;
  }
  const since = headerOf(request, 'if-modified-since');
  if (since === undefined) return { kind: 'beginning' };
  const timeMs = Date.parse(since);
  if (Number.isNaN(timeMs)) throw invalidRequest('If-Modified-Since is not a date.');
  return { kind: 'time', seconds: timeMs / 1_000 };
}

function textOfPosition(
  { container, kind }: Pick<ChangesRequest, 'container' | 'kind'>,
  page: ChangesPage | AllChangesPage,
): string {
  const { position } = page;
  return typeof position === 'string'
    ? position
    : textOfChangePosition(container, positionAfter(kind, { ...page, position }));
}

function noPosition(): RingfoldError {
  return invalidRequest('If-None-Match is not a position of the change feed.');
}

/** Java's processors ask for the form of the other feed: what is said about the item stands beside it. */
function latestVersionIn(request: NosqlRequest, container: ContainerDefinition): ChangesRequest['show'] {
  const isApart = headerOf(request, 'x-ms-cosmos-changefeed-wire-format-version') !== undefined;
  return (item, lsn) => {
    const text = textOfItem(container, item);
    const told = toldLsn(container, lsn);
    return isApart
      ? Buffer.concat([beforeItem, text, metadataOf(item, told)])
      : Buffer.concat([text.subarray(0, -1), Buffer.from(`,"_lsn":${told}}`)]);
  };
}

const beforeItem = Buffer.from('{"current":');

function metadataOf(item: StoredItem, lsn: number): Buffer {
  return Buffer.from(`,"metadata":{"lsn":${lsn},"crts":${writeSecondOf(item)}}}`);
}
