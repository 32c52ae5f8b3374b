import { BackgroundWork } from '../foundation/background-work.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import { type Scheduler, settlesWithin } from '../foundation/scheduler.ts';
import type { SystemRecords } from '../replication/system-records.ts';
import { ServerTimestamps } from '../values/server-timestamps.ts';

const kind = 'cql-timestamps';
const id = 'floor';
const checkMs = 1_000;
const stopGraceMs = 1_000;
// As far as timestamps can run ahead of the clock between two writes of the floor. More would show: after a crash the server's
// timestamps begin there, and those that clients give by their own clocks would lose against them until the clock has caught up.
const aheadMicros = 2_000_000;

interface Surroundings {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/**
 * Remembers a bound above all timestamps that were given out, so that they rise across restarts even when the clock was set back
 * meanwhile. It is written while timestamps are being given out, and when the server stops.
 */
export class TimestampFloor {
  readonly timestamps: ServerTimestamps;
  readonly #records: Pick<SystemRecords, 'put'>;
  readonly #surroundings: Surroundings;
  readonly #work: BackgroundWork;
  #written: number;
  #cancel: () => void = () => {};

  private constructor(records: Pick<SystemRecords, 'put'>, floor: number, surroundings: Surroundings) {
    this.timestamps = new ServerTimestamps(floor);
    this.#records = records;
    this.#written = floor;
    this.#surroundings = surroundings;
    this.#work = new BackgroundWork(surroundings.log);
    this.#plan();
  }

  static async load(
    records: Pick<SystemRecords, 'readAll' | 'put'>,
    surroundings: Surroundings,
  ): Promise<TimestampFloor> {
    const stored = (await records.readAll(kind)).get(id);
    return new TimestampFloor(records, typeof stored === 'number' ? stored : 0, surroundings);
  }

  async stop(): Promise<void> {
    this.#cancel();
    await settlesWithin(this.#surroundings.scheduler, stopGraceMs, this.#work.settle());
    if (this.timestamps.last === this.#written) return;
    // With too few replicas it would never be written; then what was written last must do.
    const { scheduler } = this.#surroundings;
    await settlesWithin(scheduler, stopGraceMs, this.#write(this.timestamps.last));
  }

  #plan(): void {
    this.#cancel = this.#surroundings.scheduler.after(checkMs, () => {
      const { last } = this.timestamps;
      if (last > this.#written - aheadMicros / 2 && last > 0 && this.#work.isIdle)
        this.#work.add(this.#write(last + aheadMicros));
      this.#plan();
    });
  }

  async #write(floor: number): Promise<void> {
    await this.#records.put([{ kind, id, value: floor }]);
    this.#written = floor;
  }
}
