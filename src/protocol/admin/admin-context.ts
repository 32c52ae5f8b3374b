import type { ThroughputParts } from '../../execution/throughput-parts.ts';
import type { ReplicatedPartitionStore } from '../../replication/replicated-partition-store.ts';

/** What handlers work on. */
export interface AdminContext {
  readonly store: ReplicatedPartitionStore;
  readonly throughput: ThroughputParts;
  readonly cqlPort: number;
}
