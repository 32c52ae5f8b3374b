// What statements do to one row. Most say what they say whatever the row holds; the rest (a list's element by its place, a counter)
// must look at it.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import { addToCounter, type CqlCell } from '../../../values/cql-cell.ts';
import {
  type CollectionCell,
  type CqlColumn,
  type CqlRow,
  emptyRow,
  liveView,
  mergeRows,
} from '../../../values/cql-row.ts';
import { deletes } from '../../../values/deletion.ts';
import { addValues } from './add-values.ts';
import { cellsOf, columnOf } from './live-values.ts';
import type { CounterEdit, LookingEdit, RowStep } from './partition-write.ts';

/** The row after the steps. `before` is without what deletions around it shadow. */
export function applySteps(before: CqlRow, steps: readonly RowStep[], nowSeconds: number): CqlRow {
  let after = before;
  for (const step of steps) {
    let said = emptyRow;
    for (const edit of step) {
      if (edit.kind === 'add-counter') after = withIncrement(after, edit);
      else if (edit.kind === 'merge') said = together(said, edit.row);
      else said = together(said, wordsOf(edit, liveView(together(before, said), nowSeconds) ?? emptyRow));
    }
    after = together(after, said);
  }
  return after;
}

function together(row: CqlRow, said: CqlRow): CqlRow {
  if (said === emptyRow) return row;
  return row === emptyRow ? said : mergeRows(row, said);
}

function wordsOf(edit: LookingEdit, view: CqlRow): CqlRow {
  switch (edit.kind) {
    case 'list-set': {
      const { path } = elementAt(view, edit.columnId, edit.index, 'set an element on');
      return edit.cell === undefined ? emptyRow : listCells(edit.columnId, [path], edit.cell);
    }
    case 'list-remove': {
      const { path } = elementAt(view, edit.columnId, edit.index, 'delete an element from');
      return listCells(edit.columnId, [path], edit.tombstone);
    }
    case 'list-discard': {
      const doomed = cellsOf(view, edit.columnId).filter(
        ({ cell }) => cell.kind === 'live' && edit.values.some((value) => value.equals(cell.value)),
      );
      return listCells(
        edit.columnId,
        doomed.map(({ path }) => path),
        edit.tombstone,
      );
    }
    case 'add': {
      const column = columnOf(view, edit.columnId);
      if (column?.kind !== 'simple' || column.cell.kind !== 'live') return emptyRow;
      const { columnId, timestamp, expiry } = edit;
      const value = addValues(edit.type, column.cell.value, edit.value);
      return rowOf([{ kind: 'simple', columnId, cell: { kind: 'live', timestamp, expiry, value } }]);
    }
  }
}

function elementAt(view: CqlRow, columnId: number, index: number, attempt: string): CollectionCell {
  const cells = cellsOf(view, columnId);
  if (cells.length === 0) throw invalidRequest(`Attempted to ${attempt} a list which is null`);
  const found = cells[index];
  if (found !== undefined) return found;
  throw invalidRequest(`List index ${index} out of bound, list has size ${cells.length}`);
}

function listCells(columnId: number, paths: readonly CollectionCell['path'][], cell: CqlCell): CqlRow {
  if (paths.length === 0) return emptyRow;
  const cells = paths.map((path) => ({ path, pathAsWritten: undefined, cell }));
  return rowOf([{ kind: 'collection', columnId, deletion: undefined, cells }]);
}

/**
 * A counter's total is replaced, not merged: whichever clock the client has, no increment may be lost. Only a deletion that is later
 * than the increment hides it.
 */
function withIncrement(row: CqlRow, edit: CounterEdit): CqlRow {
  const { columnId, increment, timestamp } = edit;
  if (deletes(row.deletion, timestamp)) return row;
  const column = columnOf(row, columnId);
  const cell = column?.kind === 'simple' ? column.cell : undefined;
  if (cell?.kind === 'tombstone' && timestamp <= cell.timestamp) return row;
  const latest = cell !== undefined && cell.timestamp > timestamp ? cell.timestamp : timestamp;
  const counter: CqlColumn = { kind: 'simple', columnId, cell: addToCounter(cell, increment, latest) };
  const others = row.columns.filter((other) => other.columnId !== columnId);
  return { ...row, columns: [...others, counter].sort((left, right) => left.columnId - right.columnId) };
}

function rowOf(columns: readonly CqlColumn[]): CqlRow {
  return { liveness: undefined, deletion: undefined, clusteringAsWritten: undefined, columns };
}
