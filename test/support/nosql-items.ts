// A store in memory with all that item requests run with, for the tests beside it.

import type { NosqlCatalog } from '../../src/catalog/nosql/nosql-catalog.ts';
import type { ContainerDefinition } from '../../src/catalog/nosql/nosql-definitions.ts';
import { createContainer } from '../../src/execution/define-container.ts';
import { sampleContainer } from '../../src/execution/nosql/items/item-rows.samples.ts';
import { PartitionDeletions } from '../../src/execution/nosql/items/partition-deletions.ts';
import type { NosqlParts } from '../../src/execution/nosql/nosql-parts.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { silentLog } from '../../src/foundation/log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import { defaultThroughputOptions, startThroughput } from '../../src/start-throughput.ts';
import { ServerTimestamps } from '../../src/values/server-timestamps.ts';
import { openItemStore } from './item-store.ts';
import { noItemIndex } from './no-item-index.ts';

/** Runs the test with a container of one physical partition, and leaves nothing behind. */
export async function useItems(
  own: Partial<ContainerDefinition>,
  ruPerSecond: number,
  test: (parts: NosqlParts, container: ContainerDefinition) => Promise<void>,
): Promise<void> {
  const store = await openItemStore();
  const surroundings = { clock: systemClock, scheduler: systemScheduler, log: silentLog };
  const throughput = await startThroughput(store, defaultThroughputOptions, surroundings);
  try {
    const sample = sampleContainer(own);
    const made = await createContainer(throughput.parts, {
      definition: sample.partitionKey,
      throughput: { ruPerSecond },
      database: undefined,
      partitionCount: undefined,
    });
    const container = { ...sample, container: made.container };
    let lastRid = 0;
    const catalog = {
      containerOf: (number: number) => (number === container.container ? container : undefined),
      nextRid: () => ++lastRid,
    } as unknown as NosqlCatalog;
    const parts: NosqlParts = {
      throughput: throughput.parts,
      catalog,
      timestamps: new ServerTimestamps(0),
      deletions: await PartitionDeletions.load(store.records),
      index: noItemIndex,
      random: new SeededRandom(2),
      scheduler: systemScheduler,
    };
    await test(parts, container);
  } finally {
    await throughput.stop();
    await store.stop();
  }
}
