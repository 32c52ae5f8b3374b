import type { ThroughputParts } from '../../src/execution/throughput-parts.ts';
import { type Clock, systemClock } from '../../src/foundation/clock.ts';
import { silentLog } from '../../src/foundation/log.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import { defaultThroughputOptions, startThroughput } from '../../src/start-throughput.ts';
import { TestCluster } from './memory-cluster.ts';

/** Runs the test with a cluster and all that throughput has, and leaves nothing behind. */
export async function useThroughput(
  test: (parts: ThroughputParts, cluster: TestCluster) => Promise<void>,
  clock: Clock = systemClock,
): Promise<void> {
  await TestCluster.use({}, async (cluster) => {
    const started = await startThroughput(cluster.store, defaultThroughputOptions, {
      clock,
      scheduler: systemScheduler,
      log: silentLog,
    });
    try {
      await test(started.parts, cluster);
    } finally {
      await started.stop();
    }
  });
}
