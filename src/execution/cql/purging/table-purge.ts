import type { ContainerPurge } from '../../../balancing/container-purge.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import type { Operation, Row } from '../../../storage/partition-store.ts';
import { isEmptyRow, shadowRow } from '../../../values/cql-row.ts';
import { decodeRow, encodeRow } from '../../../values/cql-row-codec.ts';
import type { Deletion } from '../../../values/deletion.ts';
import { deletionOf, emptyHeader, type PartitionHeader } from '../../../values/partition-header.ts';
import { hasHeaders } from '../reads/header-view.ts';
import { clusteringKeyIn, isHeaderKey, prefixLengthOf } from '../reads/stored-key.ts';
import { headerKey } from '../row-keys.ts';
import { columnIdsOf } from '../writes/column-ids.ts';
import { headerPurgeOperation, rowsPurgeOperation } from '../writes/cql-operation-kinds.ts';
import { headerIn, type PurgeMoment, payloadOf } from './apply-purge.ts';
import { rowDueSecond } from './row-due-second.ts';

/**
 * The rows of a table: expired cells become tombstones, and tombstones older than gc_grace_seconds go. Those that a client's request under
 * way, with an older timestamp, might still meet stay however short gc_grace is: `shortestGraceSeconds`.
 */
export class TablePurge implements ContainerPurge {
  readonly #hasHeaders: boolean;
  readonly #graceSeconds: number;
  readonly #moment: PurgeMoment;
  /** Of the logical partition at hand. */
  #header: PartitionHeader = emptyHeader;
  #prefix: string | undefined;

  constructor(table: TableSchema, nowSeconds: number, shortestGraceSeconds: number) {
    this.#hasHeaders = hasHeaders(table);
    this.#graceSeconds = Math.max(table.options.gcGraceSeconds, shortestGraceSeconds);
    this.#moment = {
      nowSeconds,
      gcBeforeSecond: nowSeconds - this.#graceSeconds,
      columnIds: columnIdsOf(table),
    };
  }

  dueSecond({ key, value }: Row): number {
    const prefixLength = prefixLengthOf(key);
    const prefix = key.slice(0, prefixLength);
    if (prefix !== this.#prefix) {
      this.#prefix = prefix;
      this.#header = emptyHeader;
    }
    if (this.#hasHeaders && isHeaderKey(key, prefixLength)) {
      this.#header = headerIn(value);
      return this.#headerDueSecond();
    }
    const payload = payloadOf(value);
    const row = decodeRow(payload);
    const deletion = deletionOf(this.#header, clusteringKeyIn(key, prefixLength));
    if (deletion !== undefined) {
      const shown = shadowRow(row, deletion);
      if (isEmptyRow(shown) || !encodeRow(shown).equals(payload)) return 0;
    }
    if (this.#hasDropped(row.columns)) return 0;
    return rowDueSecond(row, this.#graceSeconds);
  }

  operation(logicalPartition: LogicalPartition, keys: readonly ByteString[]): Operation {
    const key = this.#hasHeaders ? headerKey(logicalPartition) : undefined;
    return rowsPurgeOperation({ ...this.#moment, headerKey: key, keys });
  }

  lastOperation(logicalPartition: LogicalPartition): Operation | undefined {
    const { deletion, rangeTombstones } = this.#header;
    const oldRanges = rangeTombstones.filter((range) => this.#isOld(range.deletion));
    const oldDeletion = deletion !== undefined && this.#isOld(deletion) ? deletion : undefined;
    if (oldDeletion === undefined && oldRanges.length === 0) return undefined;
    return headerPurgeOperation({
      headerKey: headerKey(logicalPartition),
      deletion: oldDeletion,
      rangeTombstones: oldRanges,
    });
  }

  /** Tombstones that are old by now wait until all rows were looked at. */
  #headerDueSecond(): number {
    const { deletion, rangeTombstones, staticRow } = this.#header;
    let due = Number.POSITIVE_INFINITY;
    if (staticRow !== undefined) {
      due = this.#hasDropped(staticRow.columns) ? 0 : rowDueSecond(staticRow, this.#graceSeconds);
    }
    const tombstones = rangeTombstones.map((range) => range.deletion);
    for (const one of deletion === undefined ? tombstones : [deletion, ...tombstones]) {
      if (!this.#isOld(one)) due = Math.min(due, one.second + this.#graceSeconds + 1);
    }
    return due;
  }

  #isOld({ second }: Deletion): boolean {
    return second < this.#moment.gcBeforeSecond;
  }

  #hasDropped(columns: readonly { readonly columnId: number }[]): boolean {
    const { columnIds } = this.#moment;
    if (columnIds === undefined) return false;
    return columns.some(({ columnId }) => !columnIds.some(({ id }) => id === columnId));
  }
}
