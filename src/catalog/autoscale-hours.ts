// What autoscale reached in each hour, which is what it is billed for: kept, so that a restart forgets no peak.

import type { SystemRecord, SystemRecords } from '../replication/system-records.ts';
import { type ThroughputOwner, textOfOwner } from './throughput-owner.ts';

/** Plain data, as it is stored. */
export interface AutoscaleHours {
  /** When the present hour began, in milliseconds since 1970, and the highest RU/s in it so far. */
  readonly hourEpochMs: number;
  readonly peakRu: number;
  /** Of the hours before it that the server ran in, the oldest first. */
  readonly pastPeaksRu: readonly number[];
}

/** A month of them; what is older says nothing about the next one. */
const hoursKept = 720;
const kind = 'autoscale-hours';

export class AutoscaleHoursRecords {
  readonly #systemRecords: SystemRecords;
  readonly #hours: Map<string, unknown>;

  private constructor(systemRecords: SystemRecords, hours: Map<string, unknown>) {
    this.#systemRecords = systemRecords;
    this.#hours = hours;
  }

  static async load(systemRecords: SystemRecords): Promise<AutoscaleHoursRecords> {
    return new AutoscaleHoursRecords(systemRecords, await systemRecords.readAll(kind));
  }

  of(owner: ThroughputOwner): AutoscaleHours | undefined {
    return this.#hours.get(textOfOwner(owner)) as AutoscaleHours | undefined;
  }

  /** In memory at once: a peak that was reached is shown, whether or not it is written yet. */
  async put(owner: ThroughputOwner, hours: AutoscaleHours): Promise<void> {
    const kept = { ...hours, pastPeaksRu: hours.pastPeaksRu.slice(-hoursKept) };
    this.#hours.set(textOfOwner(owner), kept);
    await this.#systemRecords.put([{ kind, id: textOfOwner(owner), value: kept }]);
  }

  /** To be written as the owner is removed. */
  forget(owner: ThroughputOwner): SystemRecord {
    this.#hours.delete(textOfOwner(owner));
    return { kind, id: textOfOwner(owner), value: null };
  }
}
