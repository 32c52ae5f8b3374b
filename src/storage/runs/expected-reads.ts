import { containerIn } from '../../partitioning/logical-partition.ts';
import type { ExpectedRows, KeyRange } from '../storage-engine.ts';
import type { Run } from './run.ts';

/** Runs hold more or less of one stretch of keys than of another. */
const unevenness = 1.25;
/** Fewer rows tell little of how large others are. */
const leastRows = 16;
const mostContainers = 1_000;

/** Tells how much of each run a reader will want, by what rows of its container took when they were last read. */
export class ExpectedReads {
  /** Bytes of a row, by container; the one that was read last comes last. */
  readonly #rowBytes = new Map<number, number>();

  /** The share of each run that will be read, about, if the rows are spread over runs by their sizes. */
  shareOf(runs: readonly Pick<Run, 'rows' | 'record'>[], range: KeyRange, expected: ExpectedRows): number {
    let rows = 0;
    let bytes = 0;
    for (const run of runs) {
      rows += run.rows;
      bytes += run.record.sizeBytes;
    }
    if (rows === 0) return 0;
    const rowBytes = this.#rowBytes.get(containerIn(range.from)) ?? bytes / rows;
    const wanted = Math.min(expected.maxRows * rowBytes, expected.maxBytes);
    return Math.min((wanted / bytes) * unevenness, 1);
  }

  /** So much was read of the range. */
  note(range: KeyRange, rows: number, bytes: number): void {
    if (rows < leastRows) return;
    const container = containerIn(range.from);
    this.#rowBytes.delete(container);
    this.#rowBytes.set(container, bytes / rows);
    if (this.#rowBytes.size <= mostContainers) return;
    const [oldest] = this.#rowBytes.keys();
    if (oldest !== undefined) this.#rowBytes.delete(oldest);
  }
}
