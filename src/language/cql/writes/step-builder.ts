import type { RowEdit, RowStep } from '../../../execution/cql/writes/partition-write.ts';
import type { CqlCell, Expiry, Liveness, TombstoneCell } from '../../../values/cql-cell.ts';
import { type CollectionCell, type CqlColumn, emptyRow } from '../../../values/cql-row.ts';
import type { Deletion } from '../../../values/deletion.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import type { ListTicks } from './list-ticks.ts';

/** What the cells of one statement have in common when it runs. */
export interface WriteMoment {
  readonly bindings: Bindings;
  readonly timestamp: bigint;
  readonly nowSeconds: number;
  readonly expiry: Expiry | undefined;
  readonly tombstone: TombstoneCell;
  readonly ticks: ListTicks;
}

export function liveCell({ timestamp, expiry }: WriteMoment, value: Buffer): CqlCell {
  return { kind: 'live', timestamp, expiry, value };
}

/** Gathers what a statement says of one row. */
export class StepBuilder {
  readonly #edits: RowEdit[] = [];
  #columns: CqlColumn[] = [];
  #lastId = 0;
  #isAscending = true;
  #liveness: Liveness | undefined;
  #deletion: Deletion | undefined;
  #clusteringAsWritten: Buffer | undefined;

  /** INSERT's mark that the row exists. */
  mark(liveness: Liveness): void {
    this.#liveness = liveness;
  }

  deleteRow(deletion: Deletion): void {
    this.#deletion = deletion;
  }

  keepClustering(clusteringAsWritten: Buffer | undefined): void {
    this.#clusteringAsWritten = clusteringAsWritten;
  }

  cell(columnId: number, cell: CqlCell): void {
    this.#add({ kind: 'simple', columnId, cell });
  }

  /** Cells in any order; of two with one path the last counts. */
  cells(columnId: number, deletion: Deletion | undefined, cells: readonly CollectionCell[]): void {
    if (deletion === undefined && cells.length === 0) return;
    this.#add({ kind: 'collection', columnId, deletion, cells: inOrder(cells) });
  }

  /** What must look at the row. */
  edit(edit: RowEdit): void {
    this.#flush();
    this.#edits.push(edit);
  }

  take(): RowStep {
    this.#flush();
    this.#keepClusteringOfCounters();
    return this.#edits;
  }

  /** Where nothing but edits is said, the words that would carry it are missing. */
  #keepClusteringOfCounters(): void {
    const clusteringAsWritten = this.#clusteringAsWritten;
    if (clusteringAsWritten === undefined || !this.#edits.every(({ kind }) => kind === 'add-counter')) return;
    if (this.#edits.length > 0) {
      this.#edits.push({ kind: 'merge', row: { ...emptyRow, clusteringAsWritten } });
    }
  }

  #add(column: CqlColumn): void {
    const { columnId } = column;
    if (columnId <= this.#lastId) {
      // Two words on one column are merged where the row is.
      if (this.#columns.some((other) => other.columnId === columnId)) this.#flush();
      else this.#isAscending = false;
    }
    this.#lastId = columnId;
    this.#columns.push(column);
  }

  #flush(): void {
    const columns = this.#columns;
    if (columns.length === 0 && this.#liveness === undefined && this.#deletion === undefined) return;
    if (!this.#isAscending) columns.sort((left, right) => left.columnId - right.columnId);
    const row = {
      liveness: this.#liveness,
      deletion: this.#deletion,
      clusteringAsWritten: this.#clusteringAsWritten,
      columns,
    };
    this.#edits.push({ kind: 'merge', row });
    this.#columns = [];
    this.#liveness = undefined;
    this.#deletion = undefined;
    this.#lastId = 0;
    this.#isAscending = true;
  }
}

function inOrder(cells: readonly CollectionCell[]): readonly CollectionCell[] {
  const byPath = new Map(cells.map((cell) => [cell.path, cell]));
  return [...byPath.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}
