import { crc32 } from 'node:zlib';
import type { SimulatedTime } from './simulated-time.ts';

export type HistoryKind = 'fault' | 'client' | 'map' | 'store';

/** What happened in a run, in order. Two runs of one seed have the same digest, or something depends on more than the seed. */
export class History {
  readonly #time: SimulatedTime;
  readonly #keepsAll: boolean;
  readonly #lines: string[] = [];
  #digest = 0;
  #events = 0;

  constructor(time: SimulatedTime, keepsAll: boolean) {
    this.#time = time;
    this.#keepsAll = keepsAll;
  }

  add(kind: HistoryKind, what: string): void {
    const line = `${this.#time.monotonic().toFixed(2).padStart(9)} ${kind.padEnd(6)} ${what}`;
    this.#digest = crc32(line, this.#digest);
    this.#events++;
    if (this.#keepsAll || kind === 'fault' || kind === 'map') this.#lines.push(line);
  }

  get digest(): string {
    return `${this.#events}:${this.#digest.toString(16)}`;
  }

  /** Faults and changes of the map; everything when the history keeps all. */
  get lines(): readonly string[] {
    return this.#lines;
  }
}
