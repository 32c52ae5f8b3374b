// What is set, for every container and every database that shares its throughput. What is in memory here has been written; a
// change takes effect when it is in memory, so a crash leaves the old setting or the new one. A container that nobody wrote
// a record of has the default.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import { initialPartitionCount } from '../partitioning/initial-layout.ts';
import { SharedStretches, type SharedStretchesFields } from '../partitioning/shared-stretches.ts';
import type { SystemRecord, SystemRecords } from '../replication/system-records.ts';
import { type ControlBucketSetting, checkControlBuckets } from '../throughput/control-buckets.ts';
import {
  type ProvisionedThroughput,
  provisionedRu,
  shownThroughput,
} from '../throughput/throughput-setting.ts';
import { initialThroughput, type ThroughputState } from '../throughput/throughput-state.ts';
import {
  decodeThroughputState,
  encodeThroughputState,
  type ThroughputStateJson,
} from '../throughput/throughput-state-json.ts';
import { containerOwner, ownerOfText, type ThroughputOwner, textOfOwner } from './throughput-owner.ts';

export interface ThroughputRecord {
  readonly state: ThroughputState;
  readonly controlBuckets: readonly ControlBucketSetting[];
  /** Of a container that shares: the database whose throughput it spends. */
  readonly database: string | undefined;
  /** Of a database: how its throughput is divided over the ring. */
  readonly stretches?: SharedStretches;
}

interface ThroughputRecordJson {
  readonly throughput: ThroughputStateJson;
  readonly controlBuckets?: readonly ControlBucketSetting[];
  readonly database?: string;
  readonly stretches?: SharedStretchesFields;
}

const kind = 'throughput';

const byDefault: ThroughputRecord = {
  state: initialThroughput({ kind: 'default' }),
  controlBuckets: [],
  database: undefined,
};

export class ThroughputRecords {
  readonly #systemRecords: SystemRecords;
  readonly #records = new Map<string, ThroughputRecord>();
  readonly #queues = new Map<string, Promise<unknown>>();
  #onChange: (owner: ThroughputOwner) => void = () => {};

  private constructor(systemRecords: SystemRecords) {
    this.#systemRecords = systemRecords;
  }

  static async load(systemRecords: SystemRecords): Promise<ThroughputRecords> {
    const records = new ThroughputRecords(systemRecords);
    for (const [id, json] of await systemRecords.readAll(kind)) {
      const owner = ownerOfText(id);
      records.#records.set(textOfOwner(owner), decodeRecord(owner, json));
    }
    return records;
  }

  /** One listener, told in the same instant of every owner whose record has become another or is gone. */
  whenChanged(listener: (owner: ThroughputOwner) => void): void {
    this.#onChange = listener;
  }

  ofContainer(container: number): ThroughputRecord {
    return this.#records.get(textOfOwner(containerOwner(container))) ?? byDefault;
  }

  /** Undefined for a database that has no throughput to share. */
  of(owner: ThroughputOwner): ThroughputRecord | undefined {
    return owner.kind === 'container'
      ? this.ofContainer(owner.container)
      : this.#records.get(textOfOwner(owner));
  }

  /** Those that somebody set. */
  owners(): readonly ThroughputOwner[] {
    return [...this.#records.keys()].map(ownerOfText);
  }

  databases(): readonly string[] {
    return this.owners().flatMap((owner) => (owner.kind === 'database' ? [owner.database] : []));
  }

  /** Containers that share the throughput of a database. */
  sharing(database: string): readonly number[] {
    return this.owners().flatMap((owner) =>
      owner.kind === 'container' && this.ofContainer(owner.container).database === database
        ? [owner.container]
        : [],
    );
  }

  /** Changes of one owner wait for one another, so each is made from what the one before it left. */
  inTurn<T>(owner: ThroughputOwner, change: () => Promise<T>): Promise<T> {
    const id = textOfOwner(owner);
    const turn = (this.#queues.get(id) ?? Promise.resolve()).then(change);
    const settled = turn
      .catch(() => {})
      .finally(() => {
        if (this.#queues.get(id) === settled) this.#queues.delete(id);
      });
    this.#queues.set(id, settled);
    return turn;
  }

  /** Together with other records of the owner. */
  async put(
    owner: ThroughputOwner,
    record: ThroughputRecord,
    others: readonly SystemRecord[] = [],
  ): Promise<void> {
    await this.#systemRecords.put([systemRecordOf(owner, record), ...others]);
    this.adopt(owner, record);
  }

  /** For what was written together with a partition map. */
  adopt(owner: ThroughputOwner, record: ThroughputRecord | null): void {
    if (record === null) this.#records.delete(textOfOwner(owner));
    else this.#records.set(textOfOwner(owner), record);
    this.#onChange(owner);
  }

  /** Together with other records of the owner. */
  async remove(owner: ThroughputOwner, others: readonly SystemRecord[]): Promise<void> {
    await this.#systemRecords.put([systemRecordOf(owner, null), ...others]);
    this.adopt(owner, null);
  }
}

/** One for each 10,000 RU/s or part of them. */
export function initialStretches(shared: ProvisionedThroughput): SharedStretches {
  return SharedStretches.initial(
    initialPartitionCount({ kind: 'shared', ruPerSecond: provisionedRu(shared) }),
  );
}

/** Of a database. */
export function stretchesIn({ stretches }: ThroughputRecord): SharedStretches {
  assert(stretches !== undefined, 'the throughput of a database is divided over the ring');
  return stretches;
}

/** Null removes it. */
export function systemRecordOf(owner: ThroughputOwner, record: ThroughputRecord | null): SystemRecord {
  return { kind, id: textOfOwner(owner), value: record === null ? null : encodeRecord(record) };
}

function encodeRecord({
  state,
  controlBuckets,
  database,
  stretches,
}: ThroughputRecord): ThroughputRecordJson {
  return {
    throughput: encodeThroughputState(state),
    ...(controlBuckets.length === 0 ? {} : { controlBuckets }),
    ...(database === undefined ? {} : { database }),
    ...(stretches === undefined ? {} : { stretches: stretches.toJSON() }),
  };
}

function decodeRecord(owner: ThroughputOwner, json: unknown): ThroughputRecord {
  const { throughput, controlBuckets = [], database, stretches } = json as Partial<ThroughputRecordJson>;
  try {
    checkControlBuckets(controlBuckets);
  } catch (cause) {
    throw new RingfoldError('corrupt-data', { what: 'throughput', reason: 'throughput buckets' }, cause);
  }
  const record = { state: decodeThroughputState(throughput), controlBuckets, database };
  if (owner.kind === 'container') return record;
  const shared = shownThroughput(record.state.setting);
  if (shared === undefined)
    throw new RingfoldError('corrupt-data', { what: 'throughput', reason: 'a database without any' });
  // Records of before there were shares have none: then all were equal, and as many as the figure needs.
  const divided = stretches === undefined ? initialStretches(shared) : SharedStretches.fromJSON(stretches);
  return { ...record, stretches: divided };
}
