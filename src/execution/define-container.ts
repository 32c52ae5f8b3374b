// Containers and databases made and dropped, with the throughput they begin with. A container and its setting are written together.

import { containerOwner, databaseOwner } from '../catalog/throughput-owner.ts';
import {
  initialStretches,
  stretchesIn,
  systemRecordOf,
  type ThroughputRecord,
} from '../catalog/throughput-records.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import {
  type InitialThroughput,
  initialBoundaries,
  initialPartitionCount,
} from '../partitioning/initial-layout.ts';
import type { HashKind, PartitionKeyDefinition } from '../partitioning/partition-key.ts';
import type { PartitionMap } from '../partitioning/partition-map.ts';
import type { RingPosition } from '../partitioning/ring-position.ts';
import { ringBoundaryAt } from '../partitioning/ring-share.ts';
import type { SharedStretches } from '../partitioning/shared-stretches.ts';
import type { SystemRecord } from '../replication/system-records.ts';
import { instantMaximumRu } from '../throughput/scale-plan.ts';
import { badThroughput } from '../throughput/throughput-refusal.ts';
import {
  containerThroughput,
  databaseThroughput,
  type ThroughputRequest,
} from '../throughput/throughput-request.ts';
import { provisionedRu, shownThroughput, type ThroughputSetting } from '../throughput/throughput-setting.ts';
import { initialThroughput } from '../throughput/throughput-state.ts';
import type { ThroughputParts } from './throughput-parts.ts';

export interface ContainerRequest {
  readonly definition: PartitionKeyDefinition;
  readonly throughput: ThroughputRequest;
  /** Whose throughput it is to share, unless it gets its own. */
  readonly database: string | undefined;
  /** As many as the throughput needs, unless told. */
  readonly partitionCount: number | undefined;
}

type Parts = Pick<ThroughputParts, 'store' | 'records' | 'capacityMode'>;

/** Records about the new container, written together with it. */
type RecordsOf = (container: number) => readonly SystemRecord[];

export function createContainer(
  parts: Parts,
  request: ContainerRequest,
  recordsOf: RecordsOf = () => [],
): Promise<PartitionMap> {
  const { database } = request;
  if (database === undefined) return createWith(parts, request, undefined, recordsOf);
  // In turn, so that neither the 26th container slips in nor the database goes away meanwhile.
  return parts.records.inTurn(databaseOwner(database), async () => {
    if (parts.records.of(databaseOwner(database)) === undefined)
      throw new RingfoldError('database-not-found', { database });
    return createWith(parts, request, parts.records.sharing(database).length, recordsOf);
  });
}

async function createWith(
  parts: Parts,
  { definition, throughput, database, partitionCount }: ContainerRequest,
  sharingContainers: number | undefined,
  recordsOf: RecordsOf,
): Promise<PartitionMap> {
  const { capacityMode } = parts;
  const setting = containerThroughput(throughput, capacityMode, sharingContainers);
  const shared = setting.kind === 'shared' ? sharedStretches(parts, database) : undefined;
  const count = partitionCount ?? shared?.list.length ?? initialPartitionCount(layoutOf(setting));
  const own = shownThroughput(setting);
  if (own !== undefined && provisionedRu(own) > instantMaximumRu(count)) {
    throw badThroughput(
      `The offer of ${provisionedRu(own)} RU/s needs more than ${count} physical partitions.`,
      { requestedRu: provisionedRu(own), maximumRu: instantMaximumRu(count) },
    );
  }
  const boundaries =
    shared === undefined || partitionCount !== undefined
      ? initialBoundaries(definition.hashKind, count)
      : stretchBoundaries(shared, definition.hashKind);
  const record: ThroughputRecord = {
    state: initialThroughput(setting),
    controlBuckets: [],
    database: setting.kind === 'shared' ? database : undefined,
  };
  return createStored(parts, { boundaries, definition, record }, recordsOf);
}

/** An empty container like another: the same partition key, layout and throughput. */
export function createContainerLike(
  parts: Pick<ThroughputParts, 'store' | 'records' | 'scaleUps'>,
  container: number,
  recordsOf: RecordsOf,
): Promise<PartitionMap> {
  const { store, records, scaleUps } = parts;
  const create = async (): Promise<PartitionMap> => {
    const map = store.mapOf(container);
    const definition = store.definitionOf(container);
    if (map === undefined || definition === undefined)
      throw new RingfoldError('container-not-found', { container });
    const boundaries = map.partitions.slice(1).map(({ range }) => range.min);
    const { state, ...others } = records.ofContainer(container);
    // Which partitions were to be split is nothing that the other container knows of; that there are to be more is.
    const pending = state.pending?.kind === 'scale-up' ? state.pending : undefined;
    const record: ThroughputRecord = { ...others, state: { ...state, pending } };
    const made = await createStored(parts, { boundaries, definition, record }, recordsOf);
    scaleUps.start(containerOwner(made.container));
    return made;
  };
  return records.inTurn(containerOwner(container), () => {
    const { database } = records.ofContainer(container);
    // So that no stretch of the database is split which the new container is not cut for.
    return database === undefined ? create() : records.inTurn(databaseOwner(database), create);
  });
}

async function createStored(
  { store, records }: Pick<ThroughputParts, 'store' | 'records'>,
  {
    boundaries,
    definition,
    record,
  }: {
    readonly boundaries: readonly RingPosition[];
    readonly definition: PartitionKeyDefinition;
    readonly record: ThroughputRecord;
  },
  recordsOf: RecordsOf,
): Promise<PartitionMap> {
  // Nothing is written of the default: it is what a container without a record has.
  if (record.state.setting.kind === 'default' && record.controlBuckets.length === 0)
    return store.createContainer(boundaries, definition, recordsOf);
  const map = await store.createContainer(boundaries, definition, (container) => [
    systemRecordOf(containerOwner(container), record),
    ...recordsOf(container),
  ]);
  records.adopt(containerOwner(map.container), record);
  return map;
}

/** Together with other records of it. */
export function dropContainer(
  { store, records, hours }: Pick<ThroughputParts, 'store' | 'records' | 'hours'>,
  container: number,
  others: readonly SystemRecord[] = [],
): Promise<void> {
  const owner = containerOwner(container);
  return records.inTurn(owner, async () => {
    await store.dropContainer(container, [systemRecordOf(owner, null), hours.forget(owner), ...others]);
    records.adopt(owner, null);
  });
}

/** A database exists here for the throughput it shares; one without needs no record. */
export function createDatabase(
  { records, capacityMode }: Pick<ThroughputParts, 'records' | 'capacityMode'>,
  database: string,
  request: ThroughputRequest,
  others: readonly SystemRecord[] = [],
): Promise<void> {
  const owner = databaseOwner(database);
  return records.inTurn(owner, async () => {
    if (records.of(owner) !== undefined) throw new RingfoldError('database-exists', { database });
    const setting = databaseThroughput(request, capacityMode);
    if (setting === undefined)
      throw new RingfoldError('bad-request', { reason: 'a throughput to share is needed' });
    const record = {
      state: initialThroughput(setting),
      controlBuckets: [],
      database: undefined,
      stretches: initialStretches(setting),
    };
    await records.put(owner, record, others);
  });
}

export function dropDatabase(
  { records, hours }: Pick<ThroughputParts, 'records' | 'hours'>,
  database: string,
  others: readonly SystemRecord[] = [],
): Promise<void> {
  const owner = databaseOwner(database);
  return records.inTurn(owner, async () => {
    if (records.of(owner) === undefined) throw new RingfoldError('database-not-found', { database });
    const containers = records.sharing(database);
    if (containers.length > 0) throw new RingfoldError('database-in-use', { database, containers });
    await records.remove(owner, [hours.forget(owner), ...others]);
  });
}

function sharedStretches({ records }: Parts, database: string | undefined): SharedStretches | undefined {
  const record = database === undefined ? undefined : records.of(databaseOwner(database));
  return record === undefined ? undefined : stretchesIn(record);
}

/** Where the other containers of the database are cut. While nothing was split, that is where Cosmos cuts them, to the last digit. */
function stretchBoundaries(stretches: SharedStretches, hashKind: HashKind): RingPosition[] {
  return stretches.areOfOneWidth
    ? initialBoundaries(hashKind, stretches.list.length)
    : stretches.list.slice(1).map(({ from }) => ringBoundaryAt(from, hashKind));
}

function layoutOf(setting: ThroughputSetting): InitialThroughput {
  return shownThroughput(setting) ?? { kind: 'serverless' };
}
