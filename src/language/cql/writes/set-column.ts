import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { fieldPath, keyedCell, listPathType } from '../../../execution/cql/writes/cell-paths.ts';
import { inPairs } from '../../../values/cql-codec.ts';
import { readCollection, readFields } from '../../../values/cql-elements.ts';
import type { CollectionCell } from '../../../values/cql-row.ts';
import { type CqlType, isMultiCell } from '../../../values/cql-type.ts';
import { encodeCellPath } from '../../../values/ordered-key.ts';
import type { TypedTerm } from '../expressions/typed-term.ts';
import type { ColumnOperation } from './column-operation.ts';
import { liveCell, type WriteMoment } from './step-builder.ts';

const noBytes = Buffer.alloc(0);

/** The whole column gets a value: null deletes it, one that is not set leaves it. */
export function setColumn(column: ColumnSchema, term: TypedTerm): ColumnOperation {
  return isMultiCell(column.type) ? setCells(column, term) : setCell(column, term);
}

function setCell(column: ColumnSchema, term: TypedTerm): ColumnOperation {
  const { id } = column;
  return {
    column,
    requiresRead: false,
    plainTerm: term,
    apply(step, moment) {
      const value = term.evaluate(moment.bindings);
      if (value === undefined) return;
      step.cell(id, value === null ? moment.tombstone : liveCell(moment, value));
    },
  };
}

/** What was there is deleted a microsecond earlier, so that the new cells stay. */
function setCells(column: ColumnSchema, term: TypedTerm): ColumnOperation {
  const { id, type } = column;
  return {
    column,
    requiresRead: false,
    apply(step, moment) {
      const value = term.evaluate(moment.bindings);
      if (value === undefined) return;
      const deletion = { timestamp: moment.timestamp - 1n, second: moment.nowSeconds };
      step.cells(id, deletion, value === null ? [] : cellsOfValue(type, value, moment));
    },
  };
}

/** The cells of a collection's or user type's value; a list's are put behind all that there are. */
export function cellsOfValue(type: CqlType, value: Buffer, moment: WriteMoment): CollectionCell[] {
  switch (type.kind) {
    case 'set':
      return readCollection(value, 1).map((element) =>
        keyedCell(type.element, element, liveCell(moment, noBytes)),
      );
    case 'map':
      return inPairs(readCollection(value, 2)).map(([key, mapped]) =>
        keyedCell(type.key, key, liveCell(moment, mapped)),
      );
    case 'list':
      return readCollection(value, 1).map((element) => listCell(moment.ticks.nextUuid(), element, moment));
    case 'udt':
      return readFields(value, type.fields.length).flatMap((field, index) =>
        field === null
          ? []
          : [{ path: fieldPath(index), pathAsWritten: undefined, cell: liveCell(moment, field) }],
      );
    default:
      throw new Error(`invariant broken: ${type.kind} has one cell`);
  }
}

export function listCell(uuid: Buffer, element: Buffer, moment: WriteMoment): CollectionCell {
  return {
    path: encodeCellPath(listPathType, uuid),
    pathAsWritten: undefined,
    cell: liveCell(moment, element),
  };
}
