import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PlantedFault } from '../../src/replication/store-settings.ts';
import type { SeedReport, SeedTask } from './seed-thread.ts';

/** Every one of the seeds keeps every rule; the first that does not is reported with its faults. */
export async function expectSeedsToHold(seeds: readonly number[]): Promise<void> {
  const { failure } = await runInThread({ seeds, plantedFault: undefined });
  assert.equal(
    failure,
    undefined,
    `npm run simulate -- ${failure?.seed}\n${failure?.history.join('\n')}\n${failure?.violation}`,
  );
}

/** The first of the seeds in which a run with this bug breaks a rule. */
export async function seedThatFinds(
  plantedFault: PlantedFault,
  seeds: readonly number[],
): Promise<number | undefined> {
  return (await runInThread({ seeds, plantedFault })).failure?.seed;
}

export function seedsFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Rejects when the thread fails or ends without a word. */
async function runInThread(task: SeedTask): Promise<SeedReport> {
  const thread = new Worker(new URL('./seed-thread.js', import.meta.url), { workerData: task });
  const ended = once(thread, 'exit');
  let report: SeedReport | undefined;
  thread.on('message', (message: SeedReport) => {
    report = message;
  });
  await ended;
  assert.ok(report !== undefined, 'the thread ran its seeds');
  return report;
}
