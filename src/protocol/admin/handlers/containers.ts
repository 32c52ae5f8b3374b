import { RingfoldError } from '../../../errors/ringfold-error.ts';
import {
  createContainer as defineContainer,
  dropContainer as forgetContainer,
} from '../../../execution/define-container.ts';
import { partitionKeyDefinition } from '../../../partitioning/partition-key.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import { type AdminContext, servedBy } from '../admin-context.ts';
import {
  type AdminRequest,
  type AdminResponse,
  badRequest,
  jsonBody,
  numberIn,
  ok,
} from '../admin-message.ts';
import { databaseNameIn, throughputFields, throughputIn } from '../throughput-fields.ts';

/** As many as Cosmos would make for a million RU/s, and enough to try anything. */
const maxInitialPartitions = 100;

export async function listContainers(
  _request: AdminRequest,
  { store, tables }: AdminContext,
): Promise<AdminResponse> {
  const containers = store.containers().map((container) => {
    const map = store.mapOf(container);
    const table = servedBy(tables, container)?.nameOf(container);
    return { container, table, partitions: map?.partitions.length ?? 0, mapVersion: map?.version ?? 0 };
  });
  return ok({ containers });
}

/**
 * `{partitions: 1, ring: "cql", ruPerSecond | maxRuPerSecond, incrementPercent, database}`, each of them optional. A container made
 * here has no name or schema: those come with the doors.
 */
export async function createContainer(
  request: AdminRequest,
  { throughput }: AdminContext,
): Promise<AdminResponse> {
  const body = jsonBody(request, ['partitions', 'ring', 'database', ...throughputFields]);
  const { partitions, ring = 'cql', database } = body;
  if (ring !== 'cql' && ring !== 'v2') throw badRequest('"ring" is "cql" or "v2"');
  const map = await defineContainer(throughput, {
    definition: partitionKeyDefinition(ring, [ring === 'cql' ? 'key' : '/key']),
    throughput: throughputIn(body),
    database: database === undefined ? undefined : databaseNameIn(database),
    partitionCount:
      partitions === undefined ? undefined : numberIn(partitions, 'partitions', 1, maxInitialPartitions),
  });
  return { status: 201, body: map };
}

export async function dropContainer(request: AdminRequest, context: AdminContext): Promise<AdminResponse> {
  const container = ownContainerIn(request, context);
  await forgetContainer(context.throughput, container);
  return ok({ dropped: container });
}

export async function listPartitions(request: AdminRequest, { store }: AdminContext): Promise<AdminResponse> {
  const { container, map } = containerIn(request, { store });
  const states = store.status().partitions.filter((partition) => partition.container === container);
  return ok({ ...map.toJSON(), states });
}

/** One that was made by hand: what belongs to a door's clients is changed through the door. */
export function ownContainerIn(
  request: AdminRequest,
  context: Pick<AdminContext, 'store' | 'tables'>,
): number {
  const { container } = containerIn(request, context);
  const door = servedBy(context.tables, container);
  if (door !== undefined) {
    const language = door.kind === 'table' ? 'CQL' : 'the NoSQL API';
    throw badRequest(
      `container ${container} is the ${door.kind} ${door.nameOf(container) ?? ''}: use ${language}`,
    );
  }
  return container;
}

export function containerIn(
  request: AdminRequest,
  { store }: Pick<AdminContext, 'store'>,
): { container: number; map: PartitionMap } {
  const container = numberIn(request.parameters['container'], 'container', 0, 2 ** 32 - 2);
  const map = store.mapOf(container);
  if (map === undefined) throw new RingfoldError('container-not-found', { container });
  return { container, map };
}
