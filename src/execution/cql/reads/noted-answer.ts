// What a statement said of a whole partition, kept with the partition's rows in the cache. While none of them changes, the same statement
// says the same of it, and the rows need not be gone through again. Only for statements that take all rows as they are, and for rows of
// which none expires.

import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import type { RangeNote } from '../../../replication/range-notes.ts';
import type { ReplicatedPartitionStore } from '../../../replication/replicated-partition-store.ts';
import { addressAt } from '../../../routing/find-partition.ts';
import { headerKey, rowRange } from '../row-keys.ts';
import type { StatementAnswer, StatementRequest } from '../statement-request.ts';
import { hasHeaders } from './header-view.ts';
import type { ReadCharges, ReadFigures } from './read-charges.ts';
import { pageOf, type ReadPlan } from './read-plan.ts';
import type { TableRow } from './table-row.ts';

/** What the objects take, beside the values. */
const objectBytes = 400;

export class NotedAnswer implements RangeNote {
  /** Every prepared statement has an array of its own; when the table is altered, the statement is prepared anew. */
  readonly #columns: readonly ColumnSchema[];
  /** Of the partition: with equal ring positions several lie in one range. */
  readonly #prefix: ByteString;
  readonly figures: ReadFigures;
  /** Undefined the first time: most partitions change before they are read again, and then the copy is for nothing. */
  readonly values: Buffer | undefined;

  constructor(
    columns: readonly ColumnSchema[],
    prefix: ByteString,
    figures: ReadFigures,
    values: Buffer | undefined,
  ) {
    this.#columns = columns;
    this.#prefix = prefix;
    this.figures = figures;
    this.values = values;
  }

  get sizeBytes(): number {
    return objectBytes + this.#prefix.length + (this.values?.length ?? 0);
  }

  isOf({ plainColumns }: Pick<ReadPlan, 'plainColumns'>, prefix: ByteString): boolean {
    return this.#columns === plainColumns && this.#prefix === prefix;
  }
}

/** Whether what the statement says of a partition depends on nothing but its rows, as long as no limit is reached. */
export function takesAllRows(plan: ReadPlan, request: StatementRequest): boolean {
  return (
    plan.plainColumns !== undefined &&
    plan.slices === undefined &&
    plan.filter === undefined &&
    plan.grouping === undefined &&
    !plan.isReversed &&
    !plan.isDistinct &&
    hasHeaders(plan.table) &&
    request.pagingState === null &&
    request.trace === undefined
  );
}

/** Whether so many rows reach no limit of the statement, nor of the page. */
function reachesNoLimit(
  { limit, perPartitionLimit }: ReadPlan,
  { pageSize }: StatementRequest,
  { itemsLoaded, itemsReturned }: ReadFigures,
  valuesBytes: number,
): boolean {
  const { rows, bytes, examined } = pageOf(pageSize);
  return (
    itemsReturned < Math.min(limit, perPartitionLimit, rows) &&
    valuesBytes < bytes &&
    // The end of a partition counts as one.
    itemsLoaded + 1 < examined
  );
}

/** As it was answered before, if nothing has changed that could change the answer. */
export function answerAgain(
  store: ReplicatedPartitionStore,
  { plan, warnings }: { readonly plan: ReadPlan; readonly warnings: readonly string[] },
  { container, ringPosition, prefix }: LogicalPartition,
  charges: ReadCharges,
  request: StatementRequest,
): StatementAnswer | undefined {
  try {
    const address = addressAt(store, container, ringPosition);
    if (!charges.enter(address)) return undefined;
    const note = store.noteOf(address, headerKey({ prefix }));
    if (!(note instanceof NotedAnswer) || !note.isOf(plan, prefix)) return undefined;
    const { values, figures } = note;
    if (values === undefined || !reachesNoLimit(plan, request, figures, values.length)) return undefined;
    charges.add(figures);
    charges.leave('ok');
    return {
      kind: 'encoded-rows',
      columns: plan.columns,
      rowCount: figures.itemsReturned,
      values,
      whenCopied: stays,
      pagingState: undefined,
      chargeRu: charges.chargeRu,
      warnings,
    };
  } catch (error) {
    throw charges.failure(error);
  }
}

const stays = (): void => {};

interface FinishedRead {
  readonly plan: ReadPlan;
  readonly store: ReplicatedPartitionStore;
  readonly row: TableRow;
  readonly request: StatementRequest;
}

/** For the next time. All of it was read from memory in this turn. */
export function keepAnswer(
  { plan, store, row, request }: FinishedRead,
  partition: LogicalPartition,
  figures: ReadFigures,
  answer: StatementAnswer,
): void {
  const { plainColumns } = plan;
  if (answer.kind !== 'encoded-rows' || plainColumns === undefined) return;
  if (row.regulars.hasSeenExpiry || row.statics.hasSeenExpiry) return;
  if (!reachesNoLimit(plan, request, figures, answer.values.length)) return;
  const { container, ringPosition, prefix } = partition;
  const address = addressAt(store, container, ringPosition);
  const from = headerKey(partition);
  const before = store.noteOf(address, from);
  const isSecond = before instanceof NotedAnswer && before.isOf(plan, prefix);
  const values = isSecond ? copyOf(answer.values) : undefined;
  const { to } = rowRange(partition);
  store.keepNote(address, { from, to }, new NotedAnswer(plainColumns, prefix, figures, values));
}

/** In memory of its own: what is kept for long keeps nothing else. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
