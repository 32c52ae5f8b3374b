import type { ReplicatedPartitionStore } from '../../replication/replicated-partition-store.ts';

/** What handlers work on. */
export interface AdminContext {
  readonly store: ReplicatedPartitionStore;
  readonly cqlPort: number;
}
