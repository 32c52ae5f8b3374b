import { isDense, marksRows } from '../../../catalog/cql/compact-storage.ts';
import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { headerKey, rowKey } from '../../../execution/cql/row-keys.ts';
import { clusteringAsWritten } from '../../../execution/cql/writes/clustering-as-written.ts';
import { columnIdsOf } from '../../../execution/cql/writes/column-ids.ts';
import type { PartitionWrite, PlainWrite, RowStep } from '../../../execution/cql/writes/partition-write.ts';
import type { TargetedWrite } from '../../../execution/cql/writes/transact-governed.ts';
import { assert } from '../../../foundation/assert.ts';
import { type ByteString, emptyBytes } from '../../../foundation/byte-string.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import type { Expiry } from '../../../values/cql-cell.ts';
import type { Deletion } from '../../../values/deletion.ts';
import { encodeClusteringKey } from '../../../values/ordered-key.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import {
  type ClusteringKeyOfRow,
  checkPartitionKey,
  clusteringKeysOf,
  clusteringRangesOf,
  type KeyRange,
  partitionKeysOf,
  type SoleTerm,
  soleKeyOf,
  soleTermsOf,
} from './bound-keys.ts';
import type { ColumnOperation } from './column-operation.ts';
import type { ListTicks } from './list-ticks.ts';
import type { PartitionDraft } from './partition-draft.ts';
import { PlainColumns } from './plain-columns.ts';
import type { PreparedCondition } from './prepare-conditions.ts';
import type { WriteKind, WriteWhere } from './prepare-where.ts';
import { StepBuilder, type WriteMoment } from './step-builder.ts';
import { checkTimestamp, timestampOf, ttlOf, type WriteAttributes } from './write-attributes.ts';

export interface ModificationParts {
  readonly kind: WriteKind;
  readonly table: TableSchema;
  readonly attributes: WriteAttributes;
  readonly where: WriteWhere;
  readonly operations: readonly ColumnOperation[];
  readonly condition: PreparedCondition | undefined;
}

/** The moment in which a request runs. */
export interface RequestMoment {
  readonly bindings: Bindings;
  readonly nowSeconds: number;
  /** Of cells for which the statement says none; of all where conditions decide, whatever it says. */
  readonly timestamp: bigint;
  readonly isConditional: boolean;
  readonly ticks: ListTicks;
}

interface SoleRow {
  readonly partitionKey: readonly SoleTerm[];
  readonly clusteringKey: readonly SoleTerm[];
}

const none: readonly never[] = [];
const wholeRow: readonly ClusteringKeyOfRow[] = [{ values: [], key: emptyBytes }];

/** An INSERT, UPDATE or DELETE that was checked: it can be run with values, alone or in a batch. */
export class Modification {
  readonly kind: WriteKind;
  readonly table: TableSchema;
  readonly attributes: WriteAttributes;
  readonly condition: PreparedCondition | undefined;
  readonly #where: WriteWhere;
  readonly #regulars: readonly ColumnOperation[];
  readonly #statics: readonly ColumnOperation[];
  readonly #hasRanges: boolean;
  readonly #sole: SoleRow | undefined;
  readonly #plain: PlainColumns | undefined;
  readonly #indexTerms: number;
  readonly #marksRows: boolean;
  readonly #refusesEmptyKey: boolean;
  readonly #columnIds: PartitionWrite['columnIds'];
  readonly requiresRead: boolean;
  /** Columns that conditions, or operations that must look at the row, are about. */
  readonly columnsRead: readonly ColumnSchema[];

  constructor({ kind, table, attributes, where, operations, condition }: ModificationParts) {
    if (condition !== undefined) refuseCondition(table, attributes);
    this.kind = kind;
    this.table = table;
    this.attributes = attributes;
    this.condition = condition;
    this.#where = where;
    this.#regulars = operations.filter(({ column }) => column.kind === 'regular');
    this.#statics = operations.filter(({ column }) => column.kind === 'static');
    const { clustering } = where;
    this.#hasRanges =
      kind === 'DELETE' &&
      clustering.all.length > 0 &&
      (clustering.columns.length < table.clustering.length || clustering.hasSlice);
    this.requiresRead = operations.some((operation) => operation.requiresRead);
    this.columnsRead = [
      ...this.columnsWithConditions,
      ...operations.filter((operation) => operation.requiresRead).map(({ column }) => column),
    ];
    this.#marksRows = kind === 'INSERT' && marksRows(table);
    this.#refusesEmptyKey = isDense(table) && table.clustering.length === 1;
    this.#sole = this.#soleRow();
    this.#plain = this.#sole && PlainColumns.of(this.#regulars);
    this.#columnIds = columnIdsOf(table);
    const isWhole = kind === 'DELETE' && operations.length === 0;
    const touched = new Set(operations.map(({ column }) => column.name));
    this.#indexTerms = table.indexes.filter(({ column }) => isWhole || touched.has(column)).length;
  }

  get isConditional(): boolean {
    return this.condition !== undefined;
  }

  get hasInOnPartitionKey(): boolean {
    return this.#where.partition.hasIn;
  }

  get hasInOnClustering(): boolean {
    return this.#where.clustering.hasIn;
  }

  /** It belongs to rows, and not to the partition's static columns alone. */
  get updatesRegularRows(): boolean {
    return this.table.clustering.length === 0 || this.#where.clustering.all.length > 0;
  }

  get updatesStaticRow(): boolean {
    return this.#statics.length > 0;
  }

  /** Regular ones first. Empty for IF EXISTS and IF NOT EXISTS, which show the whole row. */
  get columnsWithConditions(): readonly ColumnSchema[] {
    const { condition } = this;
    if (condition === undefined || typeof condition === 'string') return [];
    return [...condition.regulars, ...condition.statics].map(({ column }) => column);
  }

  partitionKeys(bindings: Bindings): readonly (readonly Buffer[])[] {
    return partitionKeysOf(this.#where.partition.all, this.table.partitionKey, bindings);
  }

  #soleRow(): SoleRow | undefined {
    const { table, kind, condition } = this;
    const { partition, clustering } = this.#where;
    if (kind === 'DELETE' || condition !== undefined || this.#statics.length > 0) return undefined;
    const partitionKey = soleTermsOf(partition.all);
    const clusteringKey = soleTermsOf(clustering.all);
    if (partitionKey === undefined || clusteringKey?.length !== table.clustering.length) return undefined;
    return { partitionKey, clusteringKey };
  }

  /** What most writes are: one row, with nothing to look at but what it holds. Undefined where it may be more, or is nothing. */
  soleTarget(request: RequestMoment): TargetedWrite | undefined {
    if (this.#sole === undefined) return undefined;
    const { table } = this;
    const { container, clustering, options } = table;
    const { bindings, nowSeconds } = request;
    const partitionKey = soleKeyOf(this.#sole.partitionKey, bindings);
    checkPartitionKey(partitionKey);
    const values = soleKeyOf(this.#sole.clusteringKey, bindings);
    this.#checkClustering(values);
    const clusteringKey = values.length === 0 ? emptyBytes : encodeClusteringKey(clustering, values);
    const plain = this.#plainWrite(values, request);
    const steps = plain === undefined ? this.#steps(values, request) : none;
    if (steps === undefined) return undefined;
    assert(container !== undefined, 'a table with rows has a container');
    const logicalPartition = new LogicalPartition(container, cqlPartitionKey(partitionKey));
    const key = rowKey(logicalPartition, clusteringKey);
    return {
      logicalPartition,
      partitionKey,
      indexTerms: this.#indexTerms,
      write: {
        headerKey: clustering.length === 0 ? undefined : headerKey(logicalPartition),
        nowSeconds,
        gcBeforeSecond: nowSeconds - options.gcGraceSeconds,
        columnIds: this.#columnIds,
        deletion: undefined,
        rangeTombstones: none,
        staticSteps: none,
        rows: [plain === undefined ? { key, clusteringKey, steps } : { key, clusteringKey, steps, plain }],
        conditions: undefined,
      },
    };
  }

  #plainWrite(clustering: readonly Buffer[], request: RequestMoment): PlainWrite | undefined {
    if (this.#plain === undefined) return undefined;
    if (clusteringAsWritten(this.table.clustering, clustering) !== undefined) return undefined;
    const timestamp = this.#timestampOf(request);
    const expiry = this.#expiryOf(request);
    checkTimestamp(timestamp);
    const isMarked = this.#marksRows;
    return this.#plain.bind(request.bindings, { timestamp, expiry, second: request.nowSeconds, isMarked });
  }

  /** Undefined where nothing is said of the row. */
  #steps(clustering: readonly Buffer[], request: RequestMoment): readonly RowStep[] | undefined {
    const step = this.#rowStep(clustering, this.#moment(request));
    return step.length === 0 ? undefined : [step];
  }

  /** `draftOf` gives the draft of a logical partition, the same one for the same key. */
  addTo(
    draftOf: (table: TableSchema, partitionKey: readonly Buffer[]) => PartitionDraft,
    keys: readonly (readonly Buffer[])[],
    request: RequestMoment,
  ): void {
    const { bindings } = request;
    const ranges = this.#hasRanges ? this.#ranges(bindings) : undefined;
    if (ranges !== undefined && ranges.length === 0) return;
    const rows = ranges === undefined ? this.#rows(bindings) : [];
    if (ranges === undefined && rows !== undefined && rows.length === 0) return;
    const moment = request.isConditional ? undefined : this.#moment(request);
    for (const key of keys) {
      const draft = draftOf(this.table, key);
      draft.indexTerms = Math.max(draft.indexTerms, this.#indexTerms);
      const change = (at: WriteMoment): void => {
        if (ranges !== undefined) this.#deleteRanges(draft, ranges, wideDeletion(at, request));
        else if (this.kind === 'DELETE') this.#delete(draft, rows, at, request);
        else this.#write(draft, rows, at);
      };
      if (moment === undefined) draft.changeIfMet(() => change(this.#moment(request)));
      else change(moment);
      if (this.condition !== undefined) this.#addCondition(draft, rows, bindings);
    }
  }

  /** Undefined where the statement names no row: it is about the partition, or its static columns. */
  #rows(bindings: Bindings): readonly ClusteringKeyOfRow[] | undefined {
    const { clustering } = this.#where;
    if (this.table.clustering.length === 0) return wholeRow;
    if (clustering.all.length === 0) return undefined;
    const rows = clusteringKeysOf(clustering.all, this.table.clustering, bindings);
    for (const { values } of rows) this.#checkClustering(values);
    return rows;
  }

  /** The only clustering column of a compact table was the name of a cell, which cannot be empty. */
  #checkClustering(values: readonly Buffer[]): void {
    if (this.#refusesEmptyKey && values[0]?.length === 0)
      throw invalidRequest(`Invalid empty or null value for column ${this.table.clustering[0]?.name}`);
  }

  #ranges(bindings: Bindings): readonly KeyRange[] {
    return clusteringRangesOf(this.#where.clustering.all, this.table.clustering, bindings);
  }

  #moment(request: RequestMoment): WriteMoment {
    const { bindings, nowSeconds, ticks } = request;
    const timestamp = this.#timestampOf(request);
    const expiry = this.#expiryOf(request);
    checkTimestamp(timestamp);
    const tombstone = { kind: 'tombstone', timestamp, second: nowSeconds } as const;
    return { bindings, timestamp, nowSeconds, expiry, tombstone, ticks };
  }

  #timestampOf({ isConditional, bindings, timestamp }: RequestMoment): bigint {
    return isConditional ? timestamp : timestampOf(this.attributes, bindings, timestamp);
  }

  #expiryOf({ bindings, nowSeconds }: RequestMoment): Expiry | undefined {
    const ttlSeconds = this.kind === 'DELETE' ? 0 : ttlOf(this.attributes, bindings, this.table);
    return ttlSeconds === 0 ? undefined : { ttlSeconds, second: nowSeconds + ttlSeconds };
  }

  #write(draft: PartitionDraft, rows: readonly ClusteringKeyOfRow[] | undefined, moment: WriteMoment): void {
    for (const { key, values } of rows ?? []) draft.addRow(key, this.#rowStep(values, moment));
    // Each row of an UPDATE … IN is an update of its own, as in Cassandra; it shows in counters and in lists.
    const times = rows?.length ?? 1;
    for (let time = 0; time < times; time++) this.#writeStatics(draft, moment);
  }

  #rowStep(clustering: readonly Buffer[], moment: WriteMoment): RowStep {
    const step = new StepBuilder();
    step.keepClustering(clusteringAsWritten(this.table.clustering, clustering));
    if (this.#marksRows) step.mark({ timestamp: moment.timestamp, expiry: moment.expiry });
    for (const operation of this.#regulars) operation.apply(step, moment);
    return step.take();
  }

  #writeStatics(draft: PartitionDraft, moment: WriteMoment): void {
    if (this.#statics.length === 0) return;
    const step = new StepBuilder();
    for (const operation of this.#statics) operation.apply(step, moment);
    draft.addStatics(step.take());
  }

  #delete(
    draft: PartitionDraft,
    rows: readonly ClusteringKeyOfRow[] | undefined,
    moment: WriteMoment,
    request: RequestMoment,
  ): void {
    if (this.#regulars.length === 0 && this.#statics.length === 0) {
      const isOfPartition = rows === undefined || rows === wholeRow;
      const deletion = isOfPartition ? wideDeletion(moment, request) : deletionAt(moment);
      if (rows === undefined) draft.delete(deletion);
      for (const { key } of rows ?? []) {
        const step = new StepBuilder();
        step.deleteRow(deletion);
        draft.addRow(key, step.take());
      }
      return;
    }
    if (rows === undefined && this.#regulars.length > 0) throw noRangeOfColumns();
    if (this.#regulars.length > 0) {
      for (const { key } of rows ?? []) {
        const step = new StepBuilder();
        for (const operation of this.#regulars) operation.apply(step, moment);
        draft.addRow(key, step.take());
      }
    }
    this.#writeStatics(draft, moment);
  }

  #deleteRanges(draft: PartitionDraft, ranges: readonly KeyRange[], deletion: Deletion): void {
    if (this.#regulars.length > 0 || this.#statics.length > 0) throw noRangeOfColumns();
    for (const { from, to } of ranges) draft.addRange({ from, to, deletion });
  }

  #addCondition(
    draft: PartitionDraft,
    rows: readonly ClusteringKeyOfRow[] | undefined,
    bindings: Bindings,
  ): void {
    const { condition } = this;
    const clusteringKey: ByteString | undefined = rows?.[0]?.key;
    if (condition === undefined) return;
    if (typeof condition === 'string') {
      draft.addExistence(clusteringKey, condition);
      return;
    }
    if (condition.regulars.length > 0) {
      draft.addTests(
        clusteringKey,
        condition.regulars.map((test) => test.bind(bindings)),
      );
    }
    if (condition.statics.length > 0) {
      draft.addTests(
        undefined,
        condition.statics.map((test) => test.bind(bindings)),
      );
    }
  }
}

function refuseCondition({ isCounter }: TableSchema, { timestamp }: WriteAttributes): void {
  if (isCounter) throw invalidRequest('Conditional updates are not supported on counter tables');
  if (timestamp !== undefined) {
    throw invalidRequest('Cannot provide custom timestamp for conditional updates');
  }
}

function deletionAt({ timestamp, nowSeconds }: WriteMoment): Deletion {
  return { timestamp, second: nowSeconds };
}

/** Of a partition, or of a range of rows. Where conditions decide, what is written beside it stays, as in Cassandra. */
function wideDeletion(moment: WriteMoment, { isConditional }: RequestMoment): Deletion {
  const deletion = deletionAt(moment);
  return isConditional ? { ...deletion, timestamp: deletion.timestamp - 1n } : deletion;
}

function noRangeOfColumns(): Error {
  return invalidRequest('Range deletions are not supported for specific columns');
}
