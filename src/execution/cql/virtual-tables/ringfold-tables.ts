// Keyspace `ringfold`: physical partitions, storage nodes, heat, throughput and charges of CQL tables, for whoever has a CQL client.

import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { containerOwner, databaseOwner } from '../../../catalog/throughput-owner.ts';
import {
  positionOfToken,
  type RingPosition,
  ringEnd,
  tokenOfPosition,
} from '../../../partitioning/ring-position.ts';
import { canonicalBoundary } from '../../../partitioning/ring-range.ts';
import { maximumToken } from '../../../partitioning/token.ts';
import type { PartitionStatus, StoreStatus } from '../../../replication/store-status.ts';
import { describeThroughput, type ThroughputView } from '../../describe-throughput.ts';
import { describeUsage, type TimedFigures } from '../../describe-usage.ts';
import type { ThroughputParts } from '../../throughput-parts.ts';
import { printPartitionKey } from '../print-partition-key.ts';
import type { VirtualTable } from '../virtual-table.ts';
import { keyspacesAsked } from './definition-tables.ts';
import { type NamedRow, tableOfRows } from './named-rows.ts';
import { ringfoldLayouts } from './ringfold-layouts.ts';
import { tableOf, type VirtualTableLayout } from './virtual-table-layout.ts';

/** A table with rows of its own. */
interface StoredTable {
  readonly table: TableSchema;
  readonly container: number;
}

export function ringfoldTables(source: () => CqlSchema, parts: ThroughputParts): VirtualTable[] {
  const asked = (partitionKey: readonly Buffer[] | undefined): StoredTable[] =>
    [...keyspacesAsked(source(), partitionKey)].flatMap(({ tables }) =>
      [...tables.values()].flatMap((table) =>
        table.container === undefined ? [] : [{ table, container: table.container }],
      ),
    );
  const perTable = (
    layout: VirtualTableLayout,
    rowsOf: (tables: readonly StoredTable[]) => NamedRow[] | Promise<NamedRow[]>,
  ) => tableOfRows(tableOf('ringfold', layout), (_session, partitionKey) => rowsOf(asked(partitionKey)));
  return [
    tableOfRows(tableOf('ringfold', ringfoldLayouts.nodes), () => nodeRows(parts.store.status())),
    perTable(ringfoldLayouts.partitions, (tables) => partitionRows(parts, tables)),
    perTable(ringfoldLayouts.hotPartitions, (tables) => hotPartitionRows(parts, tables)),
    perTable(ringfoldLayouts.operations, (tables) => operationRows(parts, tables)),
    tableOfRows(tableOf('ringfold', ringfoldLayouts.throughput), (_session, partitionKey) =>
      throughputRows(parts, keyspaceNames(source(), partitionKey), asked(partitionKey)),
    ),
  ];
}

function keyspaceNames(schema: CqlSchema, partitionKey: readonly Buffer[] | undefined): Set<string> {
  return new Set(Array.from(keyspacesAsked(schema, partitionKey), ({ name }) => name));
}

function nodeRows({ nodes, partitions }: StoreStatus): NamedRow[] {
  return nodes.map((node) => ({
    node_id: node.nodeId,
    applied_generation: BigInt(node.appliedGeneration),
    free_bytes: node.freeBytes === undefined ? null : BigInt(Math.round(node.freeBytes)),
    log_bytes: BigInt(node.logBytes),
    queued_bytes: BigInt(node.queuedBytes),
    reason: node.reason ?? null,
    replicas: partitions.filter(({ members }) => members.includes(node.nodeId)).length,
    state: node.state,
  }));
}

async function partitionRows(parts: ThroughputParts, tables: readonly StoredTable[]): Promise<NamedRow[]> {
  const status = parts.store.status();
  const rows = tables.map(async ({ table, container }) => {
    const view = await describeThroughput(parts, containerOwner(container));
    const map = parts.store.mapOf(container);
    const sizes = await parts.store.sizesOf(container);
    return (map?.partitions ?? []).map(({ id, range, parents, throughputFraction }) => {
      const known = status.partitions.find((one) => one.container === container && one.id === id);
      const budget = view.partitions.find((one) => one.id === id);
      return {
        keyspace_name: table.keyspace,
        table_name: table.name,
        partition_id: id,
        first_token: tokenOfPosition(range.min),
        last_token: lastTokenBefore(range.max),
        parents: parents.length === 0 ? null : parents,
        share: throughputFraction,
        budget_ru: budget?.ruPerSecond ?? null,
        balance_ru: budget?.balanceRu ?? null,
        bank_ru: budget?.bankRu ?? null,
        normalized_percent: budget?.normalizedPercent ?? null,
        stored_bytes: BigInt(sizes.get(id) ?? 0),
        ...(known === undefined ? {} : replicaValues(known)),
      };
    });
  });
  return (await Promise.all(rows)).flat();
}

function replicaValues({ members, levelMembers, state, commitLsn }: PartitionStatus): NamedRow {
  return { replicas: members, level_replicas: levelMembers, state, commit_lsn: BigInt(commitLsn) };
}

/** A partition may end inside a token: then both neighbours have it. */
function lastTokenBefore(end: RingPosition): bigint {
  if (end === ringEnd) return maximumToken;
  const token = tokenOfPosition(end);
  return canonicalBoundary(positionOfToken(token)) === end ? token - 1n : token;
}

function hotPartitionRows(parts: ThroughputParts, tables: readonly StoredTable[]): NamedRow[] {
  const { containers } = describeUsage(parts);
  return tables.flatMap(({ table, container }) =>
    (containers.find((usage) => usage.container === container)?.partitions ?? []).flatMap(
      ({ id, hottest, hotKey }) =>
        hottest.map(({ logicalPartition, share, shareAtLeast }, at) => ({
          keyspace_name: table.keyspace,
          table_name: table.name,
          partition_id: id,
          place: at + 1,
          is_hot: logicalPartition === hotKey,
          partition_key: printPartitionKey(table, logicalPartition),
          share,
          share_at_least: shareAtLeast,
        })),
    ),
  );
}

function operationRows(parts: ThroughputParts, tables: readonly StoredTable[]): NamedRow[] {
  const { containers } = describeUsage(parts);
  return tables.flatMap(({ table, container }) =>
    (containers.find((usage) => usage.container === container)?.minutes ?? []).flatMap((minute) =>
      countRows(table, minute),
    ),
  );
}

function countRows({ keyspace, name }: TableSchema, { at, counts }: TimedFigures): NamedRow[] {
  return counts.map(({ operation, status, requests, charge }) => ({
    keyspace_name: keyspace,
    table_name: name,
    // It is part of the key: the clocks' difference may waver by a millisecond from one read to the next.
    minute: BigInt(Math.round(Date.parse(at) / 1_000) * 1_000),
    operation,
    status,
    requests: BigInt(requests),
    charge_ru: charge,
  }));
}

/** A keyspace that shares has a row of its own, under the table name of no letters. */
async function throughputRows(
  parts: ThroughputParts,
  keyspaces: ReadonlySet<string>,
  tables: readonly StoredTable[],
): Promise<NamedRow[]> {
  const ofKeyspaces = parts.records
    .databases()
    .filter((database) => keyspaces.has(database))
    .map(async (database) =>
      throughputRow(database, '', await describeThroughput(parts, databaseOwner(database))),
    );
  const ofTables = tables.map(async ({ table, container }) =>
    throughputRow(table.keyspace, table.name, await describeThroughput(parts, containerOwner(container))),
  );
  return Promise.all([...ofKeyspaces, ...ofTables]);
}

function throughputRow(keyspace: string, table: string, view: ThroughputView): NamedRow {
  const { provisioned, pending } = view;
  const shown = provisioned?.shown;
  return {
    keyspace_name: keyspace,
    table_name: table,
    autoscale_level_ru: view.autoscale?.levelRu ?? null,
    instant_maximum_ru: provisioned?.instantMaximumRu ?? null,
    is_enforced: view.isEnforced,
    kind: view.setting.kind,
    minimum_ru: provisioned?.minimum.ruPerSecond ?? null,
    month_usd: view.monthUsd.totalUsd,
    normalized_percent: view.normalizedPercent,
    partition_count: view.partitionCount,
    pending: pending?.kind ?? null,
    pending_partition_target: pending?.partitionTarget ?? null,
    ru_per_second: (shown?.kind === 'manual' ? shown.ruPerSecond : shown?.maxRuPerSecond) ?? null,
    shared_with: table === '' ? null : (view.database ?? null),
    stored_bytes: BigInt(view.storedBytes),
    usable_ru: provisioned?.usableRu ?? null,
  };
}
