import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { headerKey, rowKey } from '../../../execution/cql/row-keys.ts';
import { columnIdsOf } from '../../../execution/cql/writes/column-ids.ts';
import type {
  ColumnTest,
  PartitionWrite,
  RowCondition,
  RowStep,
} from '../../../execution/cql/writes/partition-write.ts';
import type { TargetedWrite } from '../../../execution/cql/writes/transact-governed.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import { type Deletion, laterDeletion } from '../../../values/deletion.ts';
import type { RangeTombstone } from '../../../values/range-tombstones.ts';
import { inBucketOrder } from '../java-hash-order.ts';
import { partitionOverhead, rangesBytes, rowBytes, stepsBytes } from './data-bytes.ts';
import type { BoundTest } from './prepare-conditions.ts';

/** What one request does to one logical partition, as its statements come together. */
export class PartitionDraft {
  readonly table: TableSchema;
  readonly partitionKey: readonly Buffer[];
  readonly logicalPartition: LogicalPartition;
  readonly #staticSteps: RowStep[] = [];
  readonly #rows = new Map<ByteString, RowStep[]>();
  readonly #rangeTombstones: RangeTombstone[] = [];
  #deletion: Deletion | undefined;
  /** By clustering key; undefined for the static row. */
  readonly #conditions = new Map<ByteString | undefined, 'exists' | 'not-exists' | readonly BoundTest[]>();
  #refusal: RingfoldError | undefined;
  indexTerms = 0;

  constructor(table: TableSchema, partitionKey: readonly Buffer[]) {
    assert(table.container !== undefined, 'a table with rows has a container');
    this.table = table;
    this.partitionKey = partitionKey;
    this.logicalPartition = new LogicalPartition(table.container, cqlPartitionKey(partitionKey));
  }

  get isEmpty(): boolean {
    return (
      this.#rows.size === 0 &&
      this.#staticSteps.length === 0 &&
      this.#rangeTombstones.length === 0 &&
      this.#deletion === undefined &&
      this.#conditions.size === 0
    );
  }

  /** All that conditions look at is the static row. */
  get looksAtStaticsOnly(): boolean {
    return this.#conditions.size === 1 && this.#conditions.has(undefined);
  }

  /** What Cassandra would count. */
  get dataBytes(): number {
    let bytes = partitionOverhead + rangesBytes(this.#rangeTombstones) + stepsBytes(this.#staticSteps);
    for (const [clusteringKey, steps] of this.#rows) {
      bytes += rowBytes(clusteringKey, this.table.clustering.length) + stepsBytes(steps);
    }
    return bytes;
  }

  addRow(clusteringKey: ByteString, step: RowStep): void {
    if (step.length === 0) return;
    const steps = this.#rows.get(clusteringKey);
    if (steps === undefined) this.#rows.set(clusteringKey, [step]);
    else steps.push(step);
  }

  addStatics(step: RowStep): void {
    if (step.length > 0) this.#staticSteps.push(step);
  }

  addRange(range: RangeTombstone): void {
    this.#rangeTombstones.push(range);
  }

  delete(deletion: Deletion): void {
    this.#deletion = laterDeletion(this.#deletion, deletion);
  }

  addExistence(clusteringKey: ByteString | undefined, test: 'exists' | 'not-exists'): void {
    const known = this.#conditions.get(clusteringKey);
    if (known === test) return;
    if (typeof known === 'string') {
      throw invalidRequest('Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row');
    }
    if (known !== undefined) {
      const not = test === 'not-exists' ? 'NOT ' : '';
      throw invalidRequest(`Cannot mix IF conditions and IF ${not}EXISTS for the same row`);
    }
    this.#conditions.set(clusteringKey, test);
  }

  addTests(clusteringKey: ByteString | undefined, tests: readonly BoundTest[]): void {
    const known = this.#conditions.get(clusteringKey) ?? [];
    if (typeof known === 'string') {
      throw invalidRequest('Cannot mix IF conditions and IF NOT EXISTS for the same row');
    }
    this.#conditions.set(clusteringKey, [...known, ...tests]);
  }

  /** What cannot be written is refused only if the conditions hold, as in Cassandra, which looks at it only then. */
  changeIfMet(change: () => void): void {
    try {
      change();
    } catch (error) {
      if (!(error instanceof RingfoldError)) throw error;
      this.#refusal ??= error;
    }
  }

  target(nowSeconds: number): TargetedWrite {
    const { table, partitionKey, logicalPartition, indexTerms } = this;
    const write: PartitionWrite = {
      headerKey: table.clustering.length === 0 ? undefined : headerKey(logicalPartition),
      nowSeconds,
      gcBeforeSecond: nowSeconds - table.options.gcGraceSeconds,
      columnIds: columnIdsOf(table),
      deletion: this.#deletion,
      rangeTombstones: this.#rangeTombstones,
      staticSteps: this.#staticSteps,
      rows: Array.from(this.#rows, ([clusteringKey, steps]) => ({
        key: rowKey(logicalPartition, clusteringKey),
        clusteringKey,
        steps,
      })),
      conditions: this.#conditions.size === 0 ? undefined : this.#orderedConditions(),
      ...(this.#refusal === undefined ? {} : { refusal: this.#refusal }),
    };
    return { logicalPartition, partitionKey, write, indexTerms };
  }

  #orderedConditions(): RowCondition[] {
    const entries = [...this.#conditions].sort(([left], [right]) => ((left ?? '') < (right ?? '') ? -1 : 1));
    return entries.map(([clusteringKey, test]) => ({
      row:
        clusteringKey === undefined
          ? undefined
          : { key: rowKey(this.logicalPartition, clusteringKey), clusteringKey },
      test: typeof test === 'string' ? test : testsInOrder(test),
    }));
  }
}

/** Which is looked at first shows where one does not hold and another cannot be looked at. */
function testsInOrder(tests: readonly BoundTest[]): readonly ColumnTest[] {
  if (tests.length === 1) return tests.map(({ test }) => test);
  const keyCount = new Set(tests.map(({ hash }) => hash)).size;
  return inBucketOrder(tests, ({ hash }) => hash, keyCount).map(({ test }) => test);
}
