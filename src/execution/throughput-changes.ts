// The one way in which throughput becomes another while the server runs: of a container or of a database, for whoever asks. Each change is
// checked, written, and then takes effect: at once, or when the partitions it needs have been split.

import type { ScaleUps } from '../balancing/scale-ups.ts';
import {
  containerOwner,
  databaseOwner,
  type ThroughputOwner,
  textOfOwner,
} from '../catalog/throughput-owner.ts';
import {
  stretchesIn,
  systemRecordOf,
  type ThroughputRecord,
  type ThroughputRecords,
} from '../catalog/throughput-records.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { PartitionMap } from '../partitioning/partition-map.ts';
import type { ReplicatedPartitionStore } from '../replication/replicated-partition-store.ts';
import { type ControlBucketSetting, checkControlBuckets } from '../throughput/control-buckets.ts';
import { PartitionShares, type Redistribution } from '../throughput/partition-shares.ts';
import { noThroughputOfItsOwn } from '../throughput/throughput-refusal.ts';
import type { ThroughputRequest } from '../throughput/throughput-request.ts';
import type { ProvisionedThroughput } from '../throughput/throughput-setting.ts';
import {
  changeThroughput,
  checkEqualizing,
  checkMerged,
  migrateThroughput,
  provisionServerless,
  raiseForStorage,
  redistributeThroughput,
  type ThroughputState,
  type ThroughputSurroundings,
} from '../throughput/throughput-state.ts';

const bytesPerGb = 2 ** 30;

export interface ThroughputChangesParts {
  readonly store: ReplicatedPartitionStore;
  readonly records: ThroughputRecords;
  readonly scaleUps: ScaleUps;
}

export class ThroughputChanges {
  readonly #parts: ThroughputChangesParts;

  constructor(parts: ThroughputChangesParts) {
    this.#parts = parts;
  }

  /** Another figure for the same kind of throughput. */
  change(owner: ThroughputOwner, request: ThroughputRequest): Promise<void> {
    return this.#changeState(owner, (state, around) => changeThroughput(state, request, around));
  }

  migrate(owner: ThroughputOwner, to: ProvisionedThroughput['kind']): Promise<void> {
    return this.#changeState(owner, (state, around) => migrateThroughput(state, to, around));
  }

  /** From serverless to provisioned, which is one way; nothing for a container that is provisioned already. */
  provision(container: number): Promise<void> {
    return this.#changeState(containerOwner(container), (state, { partitionCount }) =>
      state.setting.kind === 'serverless' ? provisionServerless(state, partitionCount) : state,
    );
  }

  raiseForStorage(owner: ThroughputOwner): Promise<void> {
    return this.#changeState(owner, raiseForStorage);
  }

  /** Shares and setting change together, in one transaction. */
  redistribute(owner: ThroughputOwner, redistribution: Redistribution): Promise<void> {
    const { records, scaleUps } = this.#parts;
    return records.inTurn(owner, async () => {
      const { record, surroundings } = await this.#standing(owner);
      if (owner.kind === 'container') {
        await this.#redistributePartitions(owner.container, record, redistribution, surroundings);
      } else {
        const stretches = stretchesIn(record);
        const shares = new PartitionShares(stretches.list);
        const { state, fractions } = redistributeThroughput(
          record.state,
          shares,
          redistribution,
          surroundings,
        );
        await records.put(owner, {
          ...record,
          state,
          stretches: stretches.withThroughputFractions(fractions),
        });
      }
      scaleUps.start(owner);
    });
  }

  /** Ends a redistribution: all partitions, or stretches of a database, have the same again. */
  equalize(owner: ThroughputOwner): Promise<void> {
    const { store, records } = this.#parts;
    return records.inTurn(owner, async () => {
      const record = this.recordOf(owner);
      checkEqualizing(record.state);
      if (owner.kind === 'container') {
        await store.changeShares(owner.container, (map) => ({ map: map.withEqualThroughput(), records: [] }));
      } else {
        await records.put(owner, { ...record, stretches: stretchesIn(record).withEqualThroughput() });
      }
    });
  }

  /** Two neighbouring stretches of a database become one with what both had, which must not be more than one carries. */
  mergeStretches(database: string, left: number, right: number): Promise<void> {
    const { records } = this.#parts;
    const owner = databaseOwner(database);
    return records.inTurn(owner, async () => {
      const record = this.recordOf(owner);
      checkEqualizing(record.state);
      const stretches = stretchesIn(record).merge(left, right);
      checkMerged(record.state, new PartitionShares(stretches.list));
      await records.put(owner, { ...record, stretches });
    });
  }

  setControlBuckets(owner: ThroughputOwner, controlBuckets: readonly ControlBucketSetting[]): Promise<void> {
    const { records } = this.#parts;
    return records.inTurn(owner, async () => {
      const record = this.recordOf(owner);
      checkControlBuckets(controlBuckets);
      if (record.state.setting.kind === 'shared') throw noThroughputOfItsOwn();
      await records.put(owner, { ...record, controlBuckets });
    });
  }

  /** Throws where there is no such container or database. */
  recordOf(owner: ThroughputOwner): ThroughputRecord {
    const record = this.#parts.records.of(owner);
    if (owner.kind === 'container' && this.#parts.store.mapOf(owner.container) === undefined)
      throw new RingfoldError('container-not-found', { container: owner.container });
    if (record === undefined) throw new RingfoldError('database-not-found', { id: textOfOwner(owner) });
    return record;
  }

  /** What changes, and minimums, depend on. Of a database: all containers that share it. */
  async surroundingsOf(owner: ThroughputOwner): Promise<ThroughputSurroundings> {
    const { store, records } = this.#parts;
    const isDatabase = owner.kind === 'database';
    const containers = isDatabase ? records.sharing(owner.database) : [owner.container];
    const maps = containers.map((container) => store.mapOf(container)).filter((map) => map !== undefined);
    const divided = isDatabase ? records.of(owner)?.stretches : undefined;
    const sizes = await Promise.all(maps.map((map) => store.sizeOf(map.container)));
    return {
      storageGb: sizes.reduce((sum, size) => sum + size, 0) / bytesPerGb,
      sharingContainers: isDatabase ? containers.length : 0,
      // Stretches that no container has are nowhere yet.
      partitionCount: maps.length === 0 ? 0 : (divided?.list ?? maps[0]?.partitions ?? []).length,
      sharePolicy: (divided ?? maps[0])?.throughputPolicy ?? 'equal',
    };
  }

  async #redistributePartitions(
    container: number,
    record: ThroughputRecord,
    redistribution: Redistribution,
    surroundings: ThroughputSurroundings,
  ): Promise<void> {
    const { store, records } = this.#parts;
    const owner = containerOwner(container);
    let next = record;
    await store.changeShares(container, (map) => {
      const shares = new PartitionShares(map.partitions);
      const around = { ...surroundings, ...surroundingsIn(map) };
      const { state, fractions } = redistributeThroughput(record.state, shares, redistribution, around);
      next = { ...record, state };
      return { map: map.withThroughputFractions(fractions), records: [systemRecordOf(owner, next)] };
    });
    records.adopt(owner, next);
  }

  #changeState(
    owner: ThroughputOwner,
    change: (state: ThroughputState, surroundings: ThroughputSurroundings) => ThroughputState,
  ): Promise<void> {
    const { records, scaleUps } = this.#parts;
    return records.inTurn(owner, async () => {
      const { record, surroundings } = await this.#standing(owner);
      const state = change(record.state, surroundings);
      if (state === record.state) return;
      await records.put(owner, { ...record, state });
      scaleUps.start(owner);
    });
  }

  async #standing(
    owner: ThroughputOwner,
  ): Promise<{ readonly record: ThroughputRecord; readonly surroundings: ThroughputSurroundings }> {
    const record = this.recordOf(owner);
    return { record, surroundings: await this.surroundingsOf(owner) };
  }
}

function surroundingsIn({
  partitions,
  throughputPolicy,
}: PartitionMap): Pick<ThroughputSurroundings, 'partitionCount' | 'sharePolicy'> {
  return { partitionCount: partitions.length, sharePolicy: throughputPolicy };
}
