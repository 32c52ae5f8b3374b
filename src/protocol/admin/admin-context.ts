import type { ThroughputParts } from '../../execution/throughput-parts.ts';
import type { ReplicatedPartitionStore } from '../../replication/replicated-partition-store.ts';

/** What handlers work on. */
export interface AdminContext {
  readonly store: ReplicatedPartitionStore;
  readonly throughput: ThroughputParts;
  readonly cqlPort: number;
  readonly tables: ServedTables;
}

/** What containers are to the clients of a door. */
export interface ServedTables {
  /** Undefined for a container that was made by hand. */
  nameOf(container: number): string | undefined;
  /** A logical partition by the values of its key. */
  nameOfPartition(container: number, logicalPartition: string): string;
}
