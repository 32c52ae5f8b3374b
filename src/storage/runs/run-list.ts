import type { ByteString } from '../../foundation/byte-string.ts';
import type { Run } from './run.ts';
import type { ClearedRange } from './run-manifest.ts';
import type { SoughtKey } from './sought-key.ts';

/** The runs of a store at one moment, newest first. Its runs stay open as long as anybody uses it. */
export class RunList {
  readonly runs: readonly Run[];
  readonly cleared: readonly ClearedRange[];
  readonly #onUnused: (run: Run) => void;
  #users = 1;

  /** Whoever makes it is its first user. `onUnused` is told of each run that is then in no list any more. */
  constructor(runs: readonly Run[], cleared: readonly ClearedRange[], onUnused: (run: Run) => void) {
    this.runs = runs;
    this.cleared = cleared;
    this.#onUnused = onUnused;
    for (const run of runs) run.lists += 1;
  }

  retain(): this {
    this.#users += 1;
    return this;
  }

  release(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    for (const run of this.runs) {
      run.lists -= 1;
      if (run.lists === 0) this.#onUnused(run);
    }
  }

  /** False when no run knows anything of the key that counts. */
  mayHold(sought: SoughtKey): boolean {
    for (const run of this.runs) {
      if (run.mayHold(sought) && !this.isCleared(sought.key, run.record.sequence)) return true;
    }
    return false;
  }

  /** Whether what a run of this age says about the key no longer counts. */
  isCleared(key: ByteString, sequence: number): boolean {
    for (const { from, to, before } of this.cleared) {
      if (sequence < before && key >= from && key < to) return true;
    }
    return false;
  }
}
