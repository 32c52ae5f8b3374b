import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { RequestTraits } from '../../../routing/governed-partition.ts';
import { type RequestStatus, statusOfError } from '../../../throughput/request-figures.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import { readTurnsOf } from '../../read-turns.ts';
import { MAX_ANSWER_BYTES } from '../answer-limit.ts';
import { textOfItem } from '../items/item-text.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityIn } from '../visibility.ts';
import { VisitedPartitions } from '../visited-partitions.ts';
import type { FeedPosition } from './feed-position.ts';
import type { FeedScope } from './feed-scope.ts';
import { ItemWalk } from './item-walk.ts';

export interface ItemsRequest {
  readonly container: ContainerDefinition;
  readonly scope: FeedScope;
  readonly after: FeedPosition | undefined;
  readonly maxItems: number;
  readonly traits: Pick<RequestTraits, 'priority' | 'bucket'>;
  readonly consistencyMultiplier: ConsistencyMultiplier;
}

export interface ItemsPage {
  /** As clients see them. */
  readonly items: readonly Buffer[];
  /** Undefined when nothing is left. */
  readonly next: FeedPosition | undefined;
  readonly chargeRu: RequestUnits;
  /** The last one that was looked at. */
  readonly physicalPartition: number | undefined;
}

/** A container of many partitions that are all empty is not walked in one answer. */
const maxEmptyPartitions = 100;

/** One page of a container's items, as they are stored. */
export async function readItems(parts: NosqlParts, request: ItemsRequest): Promise<ItemsPage> {
  const { container, scope, maxItems, consistencyMultiplier } = request;
  const { throughput, scheduler } = parts;
  const isVisible = visibilityIn(parts, container);
  const walk = new ItemWalk(throughput.store, container, scope, request.after, isVisible);
  const traits = { ...request.traits, operation: 'read-feed' } as const;
  const visited = new VisitedPartitions(
    throughput,
    container.container,
    traits,
    scope.logicalPartition?.prefix,
  );
  const items: Buffer[] = [];
  let next: FeedPosition | undefined;
  let bytes = 0;
  let physicalPartition: number | undefined;
  const isFull = (): boolean => items.length >= maxItems || bytes >= MAX_ANSWER_BYTES;
  const turn = await readTurnsOf(scheduler).begin();
  try {
    for (let empty = 0; empty < maxEmptyPartitions; ) {
      const id = walk.next();
      if (id === undefined) break;
      physicalPartition = id;
      // One that has gone away since is found anew by the walk.
      visited.enter(id);
      const itemBytes: number[] = [];
      const leave = (status: RequestStatus): void =>
        visited.leave({ kind: 'read-feed', itemBytes, consistencyMultiplier }, status);
      try {
        const chunk = await walk.chunk();
        if (chunk === undefined) break;
        empty = chunk.items.length === 0 ? empty + 1 : 0;
        let isWhole = true;
        for (const [index, { item }] of chunk.items.entries()) {
          if (isFull()) {
            isWhole = false;
            break;
          }
          const shown = textOfItem(container, item);
          items.push(shown);
          itemBytes.push(shown.length);
          bytes += shown.length;
          next = chunk.positionAfter(index);
        }
        leave('ok');
        if (isFull() && isWhole && !(await walk.hasMore())) next = undefined;
      } catch (error) {
        leave(statusOfError(error));
        throw error;
      }
      if (isFull()) break;
      next = undefined;
      await turn.next(items.length);
    }
  } finally {
    turn.end();
  }
  return { items, next, chargeRu: visited.chargeRu, physicalPartition };
}

/** So that a token of one container is not taken for one of another, nor a query's for a feed's. */
export function feedFingerprint(container: ContainerDefinition): ByteString {
  const bytes = Buffer.from('feed\0\0\0\0', 'latin1');
  bytes.writeUInt32BE(container.container, 4);
  return bytes.toString('latin1') as ByteString;
}
