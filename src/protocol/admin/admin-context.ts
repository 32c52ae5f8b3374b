import type { ThroughputParts } from '../../execution/throughput-parts.ts';
import type { ReplicatedPartitionStore } from '../../replication/replicated-partition-store.ts';

/** What handlers work on. */
export interface AdminContext {
  readonly store: ReplicatedPartitionStore;
  readonly throughput: ThroughputParts;
  readonly cqlPort: number;
  readonly tables: readonly ServedTables[];
}

/** What containers are to the clients of a door. */
export interface ServedTables {
  /** What they are called there. */
  readonly kind: 'table' | 'NoSQL container';
  /** Undefined for a container that this door's clients do not see. */
  nameOf(container: number): string | undefined;
  /** A logical partition by the values of its key. */
  nameOfPartition(container: number, logicalPartition: string): string;
}

/** Those of the door that the container belongs to; undefined for a container that was made by hand. */
export function servedBy(tables: AdminContext['tables'], container: number): ServedTables | undefined {
  return tables.find((each) => each.nameOf(container) !== undefined);
}
