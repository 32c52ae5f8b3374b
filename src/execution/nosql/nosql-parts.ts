import type { NosqlCatalog } from '../../catalog/nosql/nosql-catalog.ts';
import type { Random } from '../../foundation/random.ts';
import type { Scheduler } from '../../foundation/scheduler.ts';
import type { ServerTimestamps } from '../../values/server-timestamps.ts';
import type { ThroughputParts } from '../throughput-parts.ts';
import type { ItemIndex } from './indexes/item-index.ts';
import type { PartitionDeletions } from './items/partition-deletions.ts';

/** All that NoSQL requests run with; made once, at the start. The clock is `throughput.clock`, the store `throughput.store`. */
export interface NosqlParts {
  readonly throughput: ThroughputParts;
  readonly catalog: NosqlCatalog;
  /** Every write of an item takes one: its `_ts` and its `_etag` are made from it. */
  readonly timestamps: ServerTimestamps;
  /** Logical partitions that are being deleted by their key: what was written before that is gone for everybody. */
  readonly deletions: PartitionDeletions;
  readonly index: ItemIndex;
  readonly random: Random;
  readonly scheduler: Scheduler;
}
