// A read of a table whose rows are made when they are asked for. There are few, so they are sorted as a stored table's would stand, and
// walked through from the first to the last.

import { type ByteString, emptyBytes } from '../../../foundation/byte-string.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import { contains } from '../../../partitioning/ring-range.ts';
import { fromHundredths } from '../../../throughput/request-units.ts';
import { encodeClusteringKey } from '../../../values/ordered-key.ts';
import type { StatementAnswer, StatementRequest } from '../statement-request.ts';
import type { VirtualTable } from '../virtual-table.ts';
import { decodePageState, encodePageState } from './page-state.ts';
import { readMultiplier } from './read-consistency.ts';
import { pageOf, type ReadPlan } from './read-plan.ts';
import { type ReadPosition, ResultPage } from './result-page.ts';
import { ringPositionIn } from './stored-key.ts';
import { ValuesRow } from './values-row.ts';

type Values = readonly (Buffer | null)[];

interface PlacedRow {
  readonly values: Values;
  readonly prefix: ByteString;
  readonly clusteringKey: ByteString;
  /** Of the partition among those that are asked for. */
  readonly rank: number;
}

/** The keys of its partitions are made as if it were a container, one that no table has. */
const container = 0;
const noCharge = fromHundredths(0);

export function readVirtualTable(
  table: VirtualTable,
  plan: ReadPlan,
  request: StatementRequest,
  warnings: readonly string[],
): StatementAnswer | Promise<StatementAnswer> {
  readMultiplier(request.consistency);
  const { target } = plan;
  const only = target.kind === 'partitions' && target.keys.length === 1 ? target.keys[0] : undefined;
  const rows = table.rows(request.session, only);
  const answer = (made: readonly Values[]) => answerOf(plan, made, request, warnings);
  return rows instanceof Promise ? rows.then(answer) : answer(rows);
}

function answerOf(
  plan: ReadPlan,
  made: readonly Values[],
  request: StatementRequest,
  warnings: readonly string[],
): StatementAnswer {
  const position =
    request.pagingState === null ? undefined : decodePageState(plan, container, request.pagingState);
  const page = new ResultPage(plan, pageOf(request.pageSize), position);
  const placed = placeRows(plan, made);
  const start = position === undefined ? 0 : placed.findIndex((row) => isBehind(plan, row, position, placed));
  if (start >= 0) fill(page, plan, placed.slice(start));
  const { rows, position: end } = page.finish();
  return {
    kind: 'rows',
    columns: plan.columns,
    rows,
    pagingState: end === undefined ? undefined : encodePageState(plan, end),
    chargeRu: noCharge,
    warnings,
  };
}

function fill(page: ResultPage, { table, slices }: ReadPlan, placed: readonly PlacedRow[]): void {
  const row = new ValuesRow(table);
  let skipped: ByteString | undefined;
  let current: ByteString | undefined;
  for (const { values, prefix, clusteringKey } of placed) {
    if (prefix === skipped) continue;
    if (current !== undefined && current !== prefix && page.endPartition(row, false) === 'end') return;
    current = prefix;
    row.show(values);
    page.beginPartition(prefix);
    if (slices !== undefined && !slices.some(({ from, to }) => isBetween(clusteringKey, from, to))) continue;
    const place = { clusteringKey: () => clusteringKey };
    const step = page.wantsPartition(row) ? page.offer(row, place) : 'next-partition';
    if (step === 'end') return;
    if (step === 'next-partition') skipped = prefix;
  }
  if (current !== undefined) page.endPartition(row, false);
}

function placeRows({ table, target, isReversed }: ReadPlan, made: readonly Values[]): PlacedRow[] {
  const { partitionKey, clustering, columns } = table;
  const indexOf = new Map(Array.from(columns.keys(), (name, index) => [name, index]));
  const valuesOf = (values: Values, key: readonly { readonly name: string }[]) =>
    key.map(({ name }) => values[indexOf.get(name) ?? -1] ?? Buffer.alloc(0));
  const ranks = new Map<ByteString, number>();
  if (target.kind === 'partitions') {
    for (const [rank, key] of target.keys.entries()) ranks.set(prefixOf(key), rank);
  }
  const placed = made.flatMap((values): PlacedRow[] => {
    const prefix = prefixOf(valuesOf(values, partitionKey));
    const rank = target.kind === 'partitions' ? ranks.get(prefix) : 0;
    if (rank === undefined) return [];
    if (target.kind === 'ring' && !target.ranges.some((range) => contains(range, ringPositionIn(prefix)))) {
      return [];
    }
    const clusteringKey =
      clustering.length === 0 ? emptyBytes : encodeClusteringKey(clustering, valuesOf(values, clustering));
    return [{ values, prefix, clusteringKey, rank }];
  });
  const direction = isReversed ? -1 : 1;
  return placed.sort(
    (left, right) =>
      left.rank - right.rank ||
      compare(left.prefix, right.prefix) ||
      direction * compare(left.clusteringKey, right.clusteringKey),
  );
}

function isBehind(
  { isReversed }: ReadPlan,
  row: PlacedRow,
  position: ReadPosition,
  placed: readonly PlacedRow[],
): boolean {
  const rank = placed.find(({ prefix }) => prefix === position.prefix)?.rank ?? row.rank;
  if (row.rank !== rank) return row.rank > rank;
  if (row.prefix !== position.prefix) return row.prefix > position.prefix;
  if (position.clusteringKey === undefined) return false;
  const order = compare(row.clusteringKey, position.clusteringKey);
  return isReversed ? order < 0 : order > 0;
}

function prefixOf(partitionKey: readonly Buffer[]): ByteString {
  return new LogicalPartition(container, cqlPartitionKey(partitionKey)).prefix;
}

function isBetween(key: ByteString, from: ByteString, to: ByteString | undefined): boolean {
  return key >= from && (to === undefined || key < to);
}

function compare(left: ByteString, right: ByteString): number {
  return left < right ? -1 : Number(left > right);
}
