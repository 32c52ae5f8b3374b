// What a stretch of work cost: processor time of all threads, wall time, bytes handed to the disk, and how long each operation
// took. A measurement gathers several stretches, since each is measured in rounds that alternate with what it is compared with.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Figures {
  readonly name: string;
  readonly operations: number;
  readonly perSecond: number;
  /** Operations over the time until everything they left to be done was done. */
  readonly sustainedPerSecond: number;
  readonly cpuMicros: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
  readonly writtenPerStoredByte: number | undefined;
}

/** What one round did. */
export interface Round {
  readonly operations: number;
  /** While operations were being started and answered. */
  readonly seconds: number;
  /** Keys and values, once; 0 for reads. */
  readonly storedBytes: number;
}

const smallestMs = 0.000_1;
const bucketRatio = Math.log(1.01);
/** Up to a hundred seconds. */
const bucketCount = Math.ceil(Math.log(100_000 / smallestMs) / bucketRatio);

export class Measurement {
  readonly name: string;
  /** In milliseconds. */
  readonly latencies: Latencies = new Latencies();
  #operations = 0;
  #seconds = 0;
  #secondsToEnd = 0;
  #cpuSeconds = 0;
  #storedBytes = 0;
  #writtenBytes = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Measures a round and what it leaves to be done: rows to be applied, which `settle` waits for, then compactions. */
  async round(run: () => Promise<Round>, settle?: () => Promise<void>): Promise<void> {
    collectGarbage();
    const cpu = process.cpuUsage();
    const written = writtenBytes();
    const start = performance.now();
    const round = await run();
    await settle?.();
    this.#secondsToEnd += (performance.now() - start) / 1_000;
    if (settle !== undefined) await whenIdle();
    const { user, system } = process.cpuUsage(cpu);
    this.#operations += round.operations;
    this.#seconds += round.seconds;
    this.#cpuSeconds += (user + system) / 1e6;
    this.#storedBytes += round.storedBytes;
    this.#writtenBytes += writtenBytes() - written;
  }

  figures(): Figures {
    return {
      name: this.name,
      operations: this.#operations,
      perSecond: this.#operations / this.#seconds,
      sustainedPerSecond: this.#operations / this.#secondsToEnd,
      cpuMicros: (this.#cpuSeconds * 1e6) / this.#operations,
      p50Ms: this.latencies.percentile(0.5),
      p99Ms: this.latencies.percentile(0.99),
      maxMs: this.latencies.percentile(1),
      writtenPerStoredByte: this.#storedBytes === 0 ? undefined : this.#writtenBytes / this.#storedBytes,
    };
  }
}

/** Counted in buckets, each a hundredth wider than the one before: ten minutes of latencies in the memory of one second's. */
export class Latencies {
  readonly #counts = new Float64Array(bucketCount);
  #count = 0;
  #max = 0;

  add(valueMs: number): void {
    const bucket = Math.floor(Math.log(valueMs / smallestMs) / bucketRatio);
    const index = Math.min(Math.max(bucket, 0), bucketCount - 1);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#count += 1;
    if (valueMs > this.#max) this.#max = valueMs;
  }

  addAll(other: Latencies): void {
    for (const [index, count] of other.#counts.entries())
      this.#counts[index] = (this.#counts[index] ?? 0) + count;
    this.#count += other.#count;
    this.#max = Math.max(this.#max, other.#max);
  }

  /** The value that this share of all does not exceed, to a hundredth; the greatest exactly. */
  percentile(share: number): number | undefined {
    if (this.#count === 0) return undefined;
    let seen = 0;
    for (const [index, count] of this.#counts.entries()) {
      seen += count;
      if (seen < share * this.#count || share === 1) continue;
      return Math.min(this.#max, smallestMs * Math.exp((index + 1) * bucketRatio));
    }
    return this.#max;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
    this.#max = 0;
  }
}

/**
 * Resolves when this process has used hardly any processor time for a while: LevelDB goes on compacting after the last write is
 * answered, and that belongs to the writes before, not to what is measured next.
 */
async function whenIdle(): Promise<void> {
  const stepMs = 40;
  let quietSteps = 0;
  for (let step = 0; step < 250 && quietSteps < 2; step++) {
    const before = process.cpuUsage();
    await sleep(stepMs);
    const { user, system } = process.cpuUsage(before);
    quietSteps = user + system < stepMs * 50 ? quietSteps + 1 : 0;
  }
}

/** Bytes this process has caused to be sent to the disk, as the kernel counts dirtied pages; 0 where it does not tell. */
export function writtenBytes(): number {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export interface MemoryUse {
  /** Heap, buffers, LevelDB's write buffers and caches. */
  readonly ownBytes: number;
  /** Pages of files that are mapped, which the kernel can take back: LevelDB maps the tables it reads. */
  readonly mappedBytes: number;
}

/** Where the kernel does not tell them apart, all of it counts as own. */
export function memoryUse(): MemoryUse {
  try {
    const status = readFileSync('/proc/self/status', 'latin1');
    const bytesOfField = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024;
    return { ownBytes: bytesOfField('RssAnon'), mappedBytes: bytesOfField('RssFile') };
  } catch {
    return { ownBytes: process.memoryUsage.rss(), mappedBytes: 0 };
  }
}

function collectGarbage(): void {
  // There when Node was started with --expose-gc, as `npm run bench` does.
  globalThis.gc?.();
}
