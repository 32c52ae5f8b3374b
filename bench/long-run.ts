// Ten minutes of commits with everything on, scrubs included, to see what short rounds cannot: compactions that have caught up with the
// writes, stalls, memory that grows.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { closedLoop } from './closed-loop.ts';
import { Latencies, type MemoryUse, memoryUse, writtenBytes } from './measure.ts';
import { MeasuredStore } from './measured-store.ts';
import { RowSource } from './row-source.ts';

export interface LongPlan {
  readonly seconds: number;
  /** Ends earlier when so many bytes of keys and values are stored. */
  readonly storedBytes: number;
  readonly writers: number;
}

export interface LongMinute {
  readonly minute: number;
  readonly commitsPerSecond: number;
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The longest time in which no write at all was answered. */
  readonly longestStallMs: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  readonly refusals: number;
  readonly memory: MemoryUse;
}

export interface LongFigures {
  readonly minutes: readonly LongMinute[];
  readonly seconds: number;
  readonly commits: number;
  readonly commitsPerSecond: number;
  readonly cpuMicros: number;
  readonly storedBytes: number;
  readonly writtenPerStoredByte: number;
  readonly p99Ms: number;
  readonly longestStallMs: number;
  readonly secondsToQuiet: number;
  readonly memory: MemoryUse;
  readonly memoryAfter: MemoryUse;
}

const logicalPartitionCount = 4_096;
/** How often the event loop is asked how late it is. Node's figures include this, so it is taken off. */
const loopResolutionMs = 5;

export async function measureLongRun(
  directory: string,
  plan: LongPlan,
  onMinute: (minute: LongMinute) => void,
): Promise<LongFigures> {
  const store = await MeasuredStore.open(directory, {});
  try {
    return await run(store, plan, onMinute);
  } finally {
    await store.stop();
  }
}

async function run(
  store: MeasuredStore,
  plan: LongPlan,
  onMinute: (minute: LongMinute) => void,
): Promise<LongFigures> {
  const watch = new Watch(store);
  const whole = new Latencies();
  const rows = new RowSource(store.container, logicalPartitionCount);
  const minutes: LongMinute[] = [];
  const cpu = process.cpuUsage();
  const written = writtenBytes();
  const start = performance.now();
  let storedBytes = 0;
  let commits = 0;
  while (storedBytes < plan.storedBytes) {
    const secondsLeft = plan.seconds - (performance.now() - start) / 1_000;
    if (secondsLeft < 1) break;
    watch.begin();
    const begin = (done: () => void): void => {
      const row = rows.next();
      storedBytes += row.key.length + row.value.length;
      store.write(row, () => {
        watch.noteAnswer();
        done();
      });
    };
    const { operations, seconds } = await closedLoop(
      plan.writers,
      Math.min(60, secondsLeft),
      begin,
      watch.latencies,
    );
    commits += operations;
    const minute = watch.end(minutes.length + 1, operations, seconds);
    whole.addAll(watch.latencies);
    minutes.push(minute);
    onMinute(minute);
  }
  const seconds = (performance.now() - start) / 1_000;
  const memory = memoryUse();
  await store.store.whenQuiet();
  const used = process.cpuUsage(cpu);
  return {
    minutes,
    seconds,
    commits,
    commitsPerSecond: commits / seconds,
    cpuMicros: (used.user + used.system) / commits,
    storedBytes,
    writtenPerStoredByte: (writtenBytes() - written) / storedBytes,
    p99Ms: whole.percentile(0.99) ?? 0,
    longestStallMs: Math.max(...minutes.map((minute) => minute.longestStallMs)),
    secondsToQuiet: (performance.now() - start) / 1_000 - seconds,
    memory,
    memoryAfter: memoryUse(),
  };
}

/** What is looked at minute by minute. */
class Watch {
  readonly latencies: Latencies = new Latencies();
  readonly #store: MeasuredStore;
  readonly #loopDelay = monitorEventLoopDelay({ resolution: loopResolutionMs });
  #cpu: NodeJS.CpuUsage = process.cpuUsage();
  #refusals = 0;
  #lastAnswer = 0;
  #longestStallMs = 0;

  constructor(store: MeasuredStore) {
    this.#store = store;
  }

  begin(): void {
    this.latencies.clear();
    this.#loopDelay.reset();
    this.#loopDelay.enable();
    this.#cpu = process.cpuUsage();
    this.#refusals = this.#store.refusals;
    this.#lastAnswer = performance.now();
    this.#longestStallMs = 0;
  }

  noteAnswer(): void {
    const now = performance.now();
    this.#longestStallMs = Math.max(this.#longestStallMs, now - this.#lastAnswer);
    this.#lastAnswer = now;
  }

  end(minute: number, operations: number, seconds: number): LongMinute {
    this.#loopDelay.disable();
    const { user, system } = process.cpuUsage(this.#cpu);
    return {
      minute,
      commitsPerSecond: operations / seconds,
      cpuMicros: (user + system) / operations,
      p50Ms: this.latencies.percentile(0.5) ?? 0,
      p99Ms: this.latencies.percentile(0.99) ?? 0,
      maxMs: this.latencies.percentile(1) ?? 0,
      longestStallMs: this.#longestStallMs,
      loopDelayP99Ms: Math.max(0, this.#loopDelay.percentile(99) / 1e6 - loopResolutionMs),
      loopDelayMaxMs: Math.max(0, this.#loopDelay.max / 1e6 - loopResolutionMs),
      refusals: this.#store.refusals - this.#refusals,
      memory: memoryUse(),
    };
  }
}
