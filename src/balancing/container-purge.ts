import type { ByteString } from '../foundation/byte-string.ts';
import type { LogicalPartition } from '../partitioning/logical-partition.ts';
import type { Operation, Row } from '../storage/partition-store.ts';

/**
 * What a kind of container knows of things that may go: expired items, old tombstones. Made for one walk over a container's rows, which come
 * in the order of their keys, so it may remember what it saw of the logical partition it is in.
 */
export interface ContainerPurge {
  /** The second from which on something of the row may go: one that is over for now, infinity for never. */
  dueSecond(row: Row): number;
  /** Purges these rows of one logical partition. It looks at them anew: what was written meanwhile stays. */
  operation(logicalPartition: LogicalPartition, keys: readonly ByteString[]): Operation;
  /** Asked when every row of the logical partition was looked at, and purged if it was due. Undefined where nothing is left to do. */
  lastOperation(logicalPartition: LogicalPartition): Operation | undefined;
}
