import type { ContainerPurge } from '../../../balancing/container-purge.ts';
import { decodeStoredItem, expirySecondOf, writeSecondOf } from '../../../values/stored-item.ts';
import { storedKindOf } from '../item-keys.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityOf } from '../visibility.ts';
import { removalOperation } from './item-operation-kinds.ts';

const never = Number.POSITIVE_INFINITY;

/** Items whose time is over, and changes that are older than they are kept. Undefined where neither can be. */
export function purgeOfItems(parts: NosqlParts, number: number): ContainerPurge | undefined {
  const container = parts.catalog.containerOf(number);
  if (container === undefined) return undefined;
  const { defaultTtlSeconds, changeFeedRetentionMinutes } = container;
  if (defaultTtlSeconds === undefined && changeFeedRetentionMinutes === 0) return undefined;
  const { timestamps, throughput } = parts;
  return {
    dueSecond({ key, value }) {
      switch (storedKindOf(key, container)) {
        case 'item':
          return expirySecondOf(decodeStoredItem(value), defaultTtlSeconds) ?? never;
        case 'change':
          return writeSecondOf(decodeStoredItem(value)) + changeFeedRetentionMinutes * 60;
        default:
          return never;
      }
    },
    operation: (logicalPartition, keys) =>
      removalOperation({
        container,
        prefix: logicalPartition.prefix,
        keys: new Set(keys),
        timestamp: timestamps.next(throughput.clock.microseconds()),
        visibility: visibilityOf(parts, container, logicalPartition),
      }),
    lastOperation: () => undefined,
  };
}
