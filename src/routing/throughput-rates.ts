// From settings to rates: tells the governor what each physical partition may spend, whenever a setting, a share or a partition map
// has become another.

import { databaseOwner, type ThroughputOwner } from '../catalog/throughput-owner.ts';
import { stretchesIn, type ThroughputRecord, type ThroughputRecords } from '../catalog/throughput-records.ts';
import { assert } from '../foundation/assert.ts';
import type { Clock } from '../foundation/clock.ts';
import type { PartitionKeyDefinition } from '../partitioning/partition-key.ts';
import type { PartitionMap } from '../partitioning/partition-map.ts';
import { ringPlaceOf } from '../partitioning/ring-share.ts';
import { PartitionShares } from '../throughput/partition-shares.ts';
import { SERVERLESS_PARTITION_RU } from '../throughput/throughput-limits.ts';
import { isEnforced, provisionedRu, shownThroughput } from '../throughput/throughput-setting.ts';
import type { OwnThroughput, ThroughputGovernor } from './throughput-governor.ts';

export interface ThroughputRatesParts {
  readonly governor: ThroughputGovernor;
  readonly records: ThroughputRecords;
  readonly mapOf: (container: number) => PartitionMap | undefined;
  readonly definitionOf: (container: number) => PartitionKeyDefinition | undefined;
  readonly clock: Clock;
  /** Whether partitions of less than 3,000 RU/s bank what they leave unused. */
  readonly hasBurst: boolean;
  readonly enforceDefaults: boolean;
}

export class ThroughputRates {
  readonly #parts: ThroughputRatesParts;

  constructor(parts: ThroughputRatesParts) {
    this.#parts = parts;
  }

  refresh(owner: ThroughputOwner): void {
    if (owner.kind === 'container') this.refreshContainer(owner.container);
    else this.#refreshDatabase(owner.database);
  }

  /** Of a container that is gone nothing is kept. */
  refreshContainer(container: number): void {
    const { governor, records, mapOf, definitionOf, clock } = this.#parts;
    const map = mapOf(container);
    const definition = definitionOf(container);
    if (map === undefined || definition === undefined) {
      governor.forget(container);
      return;
    }
    const record = records.ofContainer(container);
    governor.govern(
      clock.monotonic(),
      container,
      record.database === undefined
        ? this.#ownThroughput(record, map)
        : {
            kind: 'shared',
            database: record.database,
            partitions: map.partitions.map(({ id, range }) => ({
              id,
              ringPlace: ringPlaceOf(range.min, definition.hashKind),
            })),
          },
    );
  }

  isEnforced({ state: { setting } }: ThroughputRecord): boolean {
    return isEnforced(setting, this.#parts.enforceDefaults);
  }

  #refreshDatabase(database: string): void {
    const { governor, records, clock, hasBurst } = this.#parts;
    const record = records.of(databaseOwner(database));
    if (record === undefined) {
      governor.forgetDatabase(database);
      return;
    }
    const shown = shownThroughput(record.state.setting);
    assert(shown !== undefined, 'a database has a throughput to share');
    const stretches = stretchesIn(record);
    const shares = new PartitionShares(stretches.list);
    governor.governDatabase(clock.monotonic(), database, {
      stretches,
      ruOf: (stretch) => shares.ruOf(stretch, provisionedRu(shown)),
      hasBurst,
      controlBuckets: record.controlBuckets,
    });
  }

  #ownThroughput(record: ThroughputRecord, { partitions }: PartitionMap): OwnThroughput {
    const { setting } = record.state;
    const shown = shownThroughput(setting);
    const shares = new PartitionShares(partitions);
    return {
      kind: 'own',
      isEnforced: this.isEnforced(record),
      // burst-capacity: not for serverless.
      hasBurst: this.#parts.hasBurst && setting.kind !== 'serverless',
      controlBuckets: record.controlBuckets,
      partitions: partitions.map(({ id, parents }) => ({
        id,
        parents,
        ruPerSecond: shown === undefined ? SERVERLESS_PARTITION_RU : shares.ruOf(id, provisionedRu(shown)),
      })),
    };
  }
}
