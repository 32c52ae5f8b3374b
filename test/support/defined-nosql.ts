// A NoSQL catalog over a store in memory, for tests of definitions.

import { NosqlCatalog } from '../../src/catalog/nosql/nosql-catalog.ts';
import { dropLeftovers } from '../../src/execution/nosql/definitions/drop-leftovers.ts';
import { PartitionDeletions } from '../../src/execution/nosql/items/partition-deletions.ts';
import type { NosqlParts } from '../../src/execution/nosql/nosql-parts.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { silentLog } from '../../src/foundation/log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import { defaultThroughputOptions, startThroughput } from '../../src/start-throughput.ts';
import { ServerTimestamps } from '../../src/values/server-timestamps.ts';
import type { TestNode } from './breakable-node.ts';
import { TestCluster } from './memory-cluster.ts';
import { noItemIndex } from './no-item-index.ts';

export interface DefinedNosql {
  readonly cluster: TestCluster;
  readonly parts: NosqlParts;
}

/** Over nodes that a crash left, or over empty ones; leaves nothing behind. */
export async function useNosql(
  test: (nosql: DefinedNosql) => Promise<void>,
  nodes?: readonly TestNode[],
): Promise<void> {
  await TestCluster.use(nodes === undefined ? {} : { nodes }, async (cluster) => {
    const outside = { clock: systemClock, scheduler: systemScheduler, log: silentLog };
    const throughput = await startThroughput(cluster.store, defaultThroughputOptions, outside);
    try {
      const { records } = cluster.store;
      const catalog = await NosqlCatalog.load(records);
      await dropLeftovers(throughput.parts, catalog);
      await test({
        cluster,
        parts: {
          throughput: throughput.parts,
          catalog,
          timestamps: new ServerTimestamps(0),
          deletions: await PartitionDeletions.load(records),
          index: noItemIndex,
          random: new SeededRandom(5),
          scheduler: systemScheduler,
        },
      });
    } finally {
      await throughput.stop();
    }
  });
}
