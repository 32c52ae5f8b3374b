// What is there for clients, though more may still be stored.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { secondsNow } from '../../foundation/clock.ts';
import { type LogicalPartition, prefixLengthIn } from '../../partitioning/logical-partition.ts';
import { isExpired, type StoredItem } from '../../values/stored-item.ts';
import type { NosqlParts } from './nosql-parts.ts';

/** What items are there at the moment of a request: those that are neither too old nor deleted with their partition key. */
export interface Visibility {
  readonly nowSeconds: number;
  readonly defaultTtlSeconds: number | undefined;
  /** Items written at this timestamp or before are deleted; 0 for none. */
  readonly deletedThrough: number;
}

/** What is there of a logical partition at this moment. */
export function visibilityOf(
  { throughput, deletions }: NosqlParts,
  { container, defaultTtlSeconds }: ContainerDefinition,
  { prefix }: Pick<LogicalPartition, 'prefix'>,
): Visibility {
  const deletedThrough = deletions.deletedThrough(container, prefix);
  return { nowSeconds: secondsNow(throughput.clock), defaultTtlSeconds, deletedThrough };
}

/** The same for items of many logical partitions, by their stored keys. The moment is that of this call. */
export function visibilityIn(
  { throughput, deletions }: NosqlParts,
  { container, partitionKey, defaultTtlSeconds }: ContainerDefinition,
): (key: ByteString, item: StoredItem) => boolean {
  const nowSeconds = secondsNow(throughput.clock);
  return (key, item) => {
    if (deletions.isEmpty) return !isExpired(item, defaultTtlSeconds, nowSeconds);
    const prefix = key.slice(0, prefixLengthIn(key, partitionKey)) as ByteString;
    const deletedThrough = deletions.deletedThrough(container, prefix);
    return isVisible(item, { deletedThrough, defaultTtlSeconds, nowSeconds });
  };
}

export function isVisible(item: StoredItem, visibility: Visibility): boolean {
  const { deletedThrough, defaultTtlSeconds, nowSeconds } = visibility;
  if (deletedThrough > 0 && (item.timestamp ?? 0) <= deletedThrough) return false;
  return !isExpired(item, defaultTtlSeconds, nowSeconds);
}
