// What of a request for items is said in its path and headers.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { rangeGone } from '../../execution/nosql/feeds/feed-scope.ts';
import { chargeRejection } from '../../execution/nosql/items/charge-rejection.ts';
import { findItemId } from '../../execution/nosql/items/find-item-id.ts';
import { draftItem, type ItemDraft } from '../../execution/nosql/items/item-draft.ts';
import {
  isSameKey,
  logicalPartitionOf,
  missingKeyOf,
} from '../../execution/nosql/items/item-partition-key.ts';
import {
  keyNotOfContainer,
  keyNotOfItem,
  missingPartitionKey,
} from '../../execution/nosql/items/item-refusals.ts';
import type { EtagCondition } from '../../execution/nosql/items/item-step.ts';
import { type EpkKind, effectivePartitionKey } from '../../partitioning/effective-partition-key.ts';
import type { JsonKeyComponent } from '../../partitioning/json-key-component.ts';
import type { LogicalPartition } from '../../partitioning/logical-partition.ts';
import type { PartitionMap } from '../../partitioning/partition-map.ts';
import type { RingPosition } from '../../partitioning/ring-position.ts';
import { currentMap } from '../../routing/find-partition.ts';
import type { OperationKind } from '../../throughput/work-done.ts';
import { numberOfItemRid } from '../../values/resource-id.ts';
import { containerAt } from './container-at.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest } from './nosql-message.ts';
import { partitionKeyInHeader } from './partition-key-header.ts';
import { headerOf, namedRange, traitsOf } from './request-options.ts';

/** The logical partition that a request is for. */
export interface ItemTarget {
  readonly container: ContainerDefinition;
  readonly partitionKey: readonly JsonKeyComponent[];
  readonly logicalPartition: LogicalPartition;
}

/** The header names the whole key; only containers that never had one can do without. */
export function targetOf(request: NosqlRequest, context: NosqlContext): ItemTarget {
  const container = containerAt(request, context);
  const named = partitionKeyInHeader(request, container);
  if (named === undefined && !container.hasSystemKey) throw missingPartitionKey();
  return targetAt(request, context, container, named ?? missingKeyOf(container));
}

/** The item in the body of a create or an upsert: under its own key, which must be the one in the header if there is one. */
export function draftInBody(
  request: NosqlRequest,
  context: NosqlContext,
  operation: OperationKind,
): { readonly target: ItemTarget; readonly draft: ItemDraft } {
  const container = containerAt(request, context);
  const named = partitionKeyInHeader(request, container);
  if (named === undefined) {
    const draft = draftItem(container, request.body);
    return { draft, target: targetAt(request, context, container, draft.partitionKey) };
  }
  const target = targetAt(request, context, container, named);
  const draft = checked(request, context, target, operation, () => {
    const drafted = draftItem(container, request.body);
    if (!isSameKey(named, drafted.partitionKey)) throw keyNotOfItem();
    return drafted;
  });
  return { draft, target };
}

/** What is found to be wrong with the body is charged to the partition that the request names. */
export function checked<T>(
  request: NosqlRequest,
  { parts }: NosqlContext,
  { logicalPartition }: ItemTarget,
  operation: OperationKind,
  check: () => T,
): T {
  try {
    return check();
  } catch (error) {
    throw chargeRejection(parts, logicalPartition, traitsOf(request, operation), error);
  }
}

function targetAt(
  request: NosqlRequest,
  { parts }: NosqlContext,
  container: ContainerDefinition,
  partitionKey: readonly JsonKeyComponent[],
): ItemTarget {
  if (partitionKey.length !== container.partitionKeyPaths.length) throw keyNotOfContainer();
  const target = { container, partitionKey, logicalPartition: logicalPartitionOf(container, partitionKey) };
  const range = namedRange(request);
  if (range !== undefined)
    refuseOtherRange(currentMap(parts.throughput.store, container.container), target, range);
  return target;
}

/**
 * Throws unless the range that the client named has the key, or would have it with a zero of the other sign: the two are one key, and clients
 * that hash keys (Java, JavaScript, Python) do not know.
 */
export function refuseOtherRange(
  map: PartitionMap,
  { container, partitionKey, logicalPartition }: ItemTarget,
  range: string,
): void {
  const isThere = (position: RingPosition): boolean => String(map.ownerOf(position).id) === range;
  if (isThere(logicalPartition.ringPosition)) return;
  const kind = container.partitionKey.hashKind as EpkKind;
  const isHashedThere = (key: readonly JsonKeyComponent[]): boolean =>
    isThere(effectivePartitionKey(kind, key));
  if (partitionKey.includes(0) && withNegativeZeros(partitionKey).some(isHashedThere)) return;
  throw rangeGone(range);
}

/** The key with each of its zeros as it is, or negative. */
function withNegativeZeros(key: readonly JsonKeyComponent[]): JsonKeyComponent[][] {
  return key.reduce<JsonKeyComponent[][]>(
    (begun, component) =>
      begun.flatMap((one) =>
        component === 0
          ? [
              [...one, 0],
              [...one, -0],
            ]
          : [[...one, component]],
      ),
    [[]],
  );
}

/** The id in the path; items in `_self` links are named by their rids, as everything there is. Undefined for one that is not there. */
export function idInPath(
  { path }: NosqlRequest,
  { parts }: NosqlContext,
  target: ItemTarget,
): string | undefined | Promise<string | undefined> {
  const id = path.id ?? '';
  const { container, logicalPartition } = target;
  if (path.segments[1]?.id !== container.rid || container.rid === container.id) return id;
  const rid = numberOfItemRid(container.rid, id);
  return rid === undefined ? id : findItemId(parts, logicalPartition, rid);
}

export function ifMatchOf(request: Pick<NosqlRequest, 'headers'>): EtagCondition {
  return plainEtag(headerOf(request, 'if-match'));
}

export function ifNoneMatchOf(request: Pick<NosqlRequest, 'headers'>): EtagCondition {
  return plainEtag(headerOf(request, 'if-none-match'));
}

/** Without its quotes, which some clients leave out. */
export function plainEtag(etag: string | undefined): EtagCondition {
  return etag !== undefined && etag.length > 1 && etag.startsWith('"') && etag.endsWith('"')
    ? etag.slice(1, -1)
    : etag;
}

/** Running them is not built: an item that was written without would be wrong. */
export function refuseTriggers(request: Pick<NosqlRequest, 'headers'>): void {
  for (const name of ['x-ms-documentdb-pre-trigger-include', 'x-ms-documentdb-post-trigger-include']) {
    if (headerOf(request, name) === undefined) continue;
    throw new RingfoldError('not-implemented', {
      reason: `Triggers are not run yet: ${name} is not served.`,
    });
  }
}
