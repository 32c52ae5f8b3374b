// SELECT: a plan for each run of a statement that was checked once.

import { createHash } from 'node:crypto';
import { findTable } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ReadPlan } from '../../../execution/cql/reads/read-plan.ts';
import { readVirtualTable } from '../../../execution/cql/reads/read-virtual-table.ts';
import { runRead } from '../../../execution/cql/reads/run-read.ts';
import { SpareRow } from '../../../execution/cql/reads/spare-row.ts';
import type { StatementAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import { type ByteString, byteStringOf } from '../../../foundation/byte-string.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import { Variables } from '../expressions/variables.ts';
import type { PreparedStatement, StatementContext } from '../prepared-statement.ts';
import type { SelectStatement } from '../statements/select.ts';
import type { BindMarker } from '../token-cursor.ts';
import { markersOfRelations, partitionKeyIndexes } from '../writes/partition-key-markers.ts';
import { targetTable } from '../writes/target-table.ts';
import { bindClustering } from './bind-clustering.ts';
import { bindFilter } from './bind-filter.ts';
import { bindTarget, validateKey } from './bind-partitions.ts';
import { type CheckedSelect, checkSelect } from './check-select.ts';
import { bindGrouping } from './group-by.ts';
import { pointSelect } from './point-select.ts';
import { bindLimit } from './row-limit.ts';
import { RunBindings } from './run-bindings.ts';

export function prepareSelect(
  statement: SelectStatement,
  _markers: readonly BindMarker[],
  context: StatementContext,
): PreparedStatement {
  const table = targetTable(statement.table, context);
  const variables = new Variables();
  const checked = checkSelect(statement, table, {
    schema: context.schema,
    keyspace: table.keyspace,
    variables,
  });
  const { clock } = context.parts.throughput;
  const runPoint = pointSelect(checked, context.parts);
  const runPlan = planRunner(checked, context);
  return {
    variables: variables.specs(),
    partitionKeyIndexes: partitionKeyIndexes(table, markersOfRelations(statement.where)),
    resultColumns: checked.selection.columns,
    warnings: [],
    isCurrent: (schema) => findTable(schema, table.keyspace, table.name) === table,
    run(request) {
      const bindings = new RunBindings(request.values, clock);
      return runPoint?.(request, bindings) ?? runPlan(request, bindings);
    },
  };
}

function planRunner(
  checked: CheckedSelect,
  { parts }: StatementContext,
): (request: StatementRequest, bindings: Bindings) => StatementAnswer | Promise<StatementAnswer> {
  const { table } = checked;
  const { container } = table;
  const rows = new SpareRow(table);
  const warnings = warningsOf(checked);
  return (request, bindings) => {
    const plan = bindPlan(checked, bindings);
    refuseRequest(plan, request);
    if (container !== undefined) return runRead(parts, { plan, rows, warnings }, container, request);
    const virtual = parts.virtualTables.get(`${table.keyspace}.${table.name}`);
    if (virtual === undefined) throw invalidRequest(`table ${table.name} does not exist`);
    return readVirtualTable(virtual, plan, request, warnings);
  };
}

function bindPlan(checked: CheckedSelect, bindings: Bindings): ReadPlan {
  const { statement, table, selection, restrictions, order, groups } = checked;
  const limit = bindLimit(checked.limit, bindings);
  const perPartitionLimit = bindLimit(checked.perPartitionLimit, bindings);
  const filter = bindFilter(checked.filtered, table, bindings);
  const target = bindTarget(restrictions, table, bindings);
  const keys = target.kind === 'partitions' ? target.keys : undefined;
  const slices = keys?.length === 0 ? [] : bindClustering(checked.sliceable, table, bindings);
  if (slices?.length !== 0) for (const key of keys ?? []) validateKey(key);
  return {
    table,
    columns: selection.columns,
    target,
    slices,
    isReversed: order.isReversed,
    filter,
    showsStaticsAlone: restrictions.showsStaticsAlone,
    isDistinct: statement.isDistinct,
    limit,
    perPartitionLimit,
    grouping:
      groups !== undefined
        ? bindGrouping(groups, table, bindings)
        : selection.isAggregate
          ? 'everything'
          : undefined,
    selection: checked.plain ?? selection.begin(bindings),
    plainColumns:
      checked.plain === undefined || order.sortKeyOf !== undefined ? undefined : selection.plainColumns,
    sortKeyOf: order.sortKeyOf,
    fingerprint: () => fingerprintOf(statement, table, bindings),
  };
}

function refuseRequest(
  { target, slices, grouping, sortKeyOf, limit }: ReadPlan,
  { pageSize = 0, consistency }: StatementRequest,
): void {
  if (target.kind !== 'partitions') return;
  // What can give nothing is not read at all, unless a row is made of it all the same.
  if (grouping === undefined && (target.keys.length === 0 || slices?.length === 0)) return;
  if (sortKeyOf !== undefined && pageSize > 0) {
    throw invalidRequest(
      'Cannot page queries with both ORDER BY and a IN restriction on the partition key; you must either remove the ORDER BY or the IN and sort client side, or disable paging for this query',
    );
  }
  const isSerial = consistency === 'SERIAL' || consistency === 'LOCAL_SERIAL';
  // Paged, partitions are read one after another.
  const isPaged = pageSize > 0 && limit > pageSize;
  if (isSerial && !isPaged && target.keys.length > 1) {
    throw invalidRequest('SERIAL/LOCAL_SERIAL consistency may only be requested for one partition at a time');
  }
}

function warningsOf({ groups, selection, restrictions }: CheckedSelect): readonly string[] {
  if (groups === undefined && !selection.isAggregate) return [];
  const { partitionKey, token, isKeyIn } = restrictions;
  if (partitionKey.size === 0 && token === undefined) return ['Aggregation query used without partition key'];
  return isKeyIn ? ['Aggregation query used on multiple partition keys (IN restriction)'] : [];
}

/** The same statement with the same values on the same rows, whichever server prepared it. */
function fingerprintOf(statement: SelectStatement, table: TableSchema, { values }: Bindings): ByteString {
  const hash = createHash('sha256');
  // Not of one container: a page goes on where it was after a TRUNCATE, as in Cassandra.
  hash.update(JSON.stringify([table.id, statement]));
  for (const value of values) hash.update(value ? `${value.length}:` : `${value};`).update(value ?? '');
  return byteStringOf(hash.digest().subarray(0, 8));
}
