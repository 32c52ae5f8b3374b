import { type Random, SeededRandom } from '../../src/foundation/random.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** Calls that take effect one after another, such as those on one file. */
export class CallLine {
  freeAtMs = 0;
}

/** How likely a call on the way takes effect. */
const chances: Record<KeptAtCrash, number> = { chance: 0.5, all: 1, none: 0 };

interface Call {
  readonly process: SimulatedProcess;
  readonly line: CallLine;
  /** Whether it changes what is stored. */
  readonly isChange: boolean;
  /** Takes effect; what is returned tells the caller. */
  readonly carryOut: () => () => void;
  readonly fail: (error: Error) => void;
}

/** What a crash leaves of what was on the way or not synced: as chance has it, all of it, or none. */
export type KeptAtCrash = 'chance' | 'all' | 'none';

/** What a hung medium does with what it is told: all of it, without ever saying so, or nothing. */
export type Hang = 'mute' | 'deaf';

/**
 * The hardware below one storage node: it makes the node's log and its row store slow, hung or dead together. Each
 * call takes effect in one event, with its answer; a crash while it is on the way carries it out or does not.
 */
export class SimulatedMedium {
  readonly random: Random;
  readonly #time: SimulatedTime;
  readonly #onTheWay = new Set<Call>();
  #stuck: Call[] = [];
  #hang: Hang | undefined;
  /** Nothing new takes effect before what was stuck has. */
  #busyUntilMs = 0;
  /** Every latency is multiplied by this. */
  slowness = 1;
  /** Every call is answered with an error, and does nothing. */
  isDead = false;

  constructor(time: SimulatedTime, seed: number) {
    this.#time = time;
    this.random = new SeededRandom(seed);
  }

  get isHealthy(): boolean {
    return this.#hang === undefined && !this.isDead && this.slowness === 1;
  }

  /** Nothing is on its way to it: what it was told, it has done. */
  get isIdle(): boolean {
    return this.#onTheWay.size === 0;
  }

  call<T>(process: SimulatedProcess, line: CallLine, isChange: boolean, effect: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const carryOut = (): (() => void) => {
        try {
          const result = effect();
          return () => resolve(result);
        } catch (error) {
          return () => reject(error);
        }
      };
      const call: Call = { process, line, isChange, carryOut, fail: reject };
      // The process died while it was speaking: nobody hears the rest.
      if (!process.isAlive) return;
      if (this.#hang !== undefined) {
        this.#getStuck(call, this.#hang);
        return;
      }
      const now = this.#time.monotonic();
      const latencyMs = (0.05 + this.random.next()) * this.slowness;
      const atMs = Math.max(now + latencyMs, line.freeAtMs, this.#busyUntilMs);
      line.freeAtMs = atMs;
      this.#onTheWay.add(call);
      this.#time.after(atMs - now, () => this.#arrive(call));
    });
  }

  hang(how: Hang): void {
    this.#hang = how;
  }

  /** The medium answers again, also what it owed: some of it late, some of it with an error. */
  recover(): void {
    this.#hang = undefined;
    this.isDead = false;
    this.slowness = 1;
    let atMs = this.#time.monotonic();
    for (const call of this.#stuck) {
      atMs += this.random.next();
      const fails = this.random.next() < 0.5;
      this.#time.after(atMs - this.#time.monotonic(), () => {
        if (!call.process.isAlive) return;
        if (fails) call.fail(ioError('EIO'));
        else call.carryOut()();
      });
    }
    this.#stuck = [];
    this.#busyUntilMs = atMs;
  }

  /** The process has died. What was on the way has happened or not; on one line, nothing after what has not. */
  crash(kept: KeptAtCrash): void {
    const cut = new Set<CallLine>();
    for (const call of this.#onTheWay) {
      if (!call.isChange || cut.has(call.line)) continue;
      if (this.isDead || this.#hang !== undefined || this.random.next() >= chances[kept]) cut.add(call.line);
      else call.carryOut();
    }
    this.#onTheWay.clear();
    this.#stuck = [];
  }

  #arrive(call: Call): void {
    if (!this.#onTheWay.delete(call) || !call.process.isAlive) return;
    if (this.#hang !== undefined) this.#getStuck(call, this.#hang);
    else if (this.isDead) call.fail(ioError('EIO'));
    else call.carryOut()();
  }

  #getStuck(call: Call, hang: Hang): void {
    if (hang === 'deaf' || !call.isChange) {
      this.#stuck.push(call);
      return;
    }
    const answer = call.carryOut();
    this.#stuck.push({ ...call, carryOut: () => answer });
  }
}

/** As Node reports what the operating system said. */
export function ioError(code: 'EIO' | 'ENOSPC' | 'ENOENT' | 'EEXIST' | 'EBUSY'): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}
