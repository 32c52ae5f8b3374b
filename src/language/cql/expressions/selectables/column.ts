import type { ColumnSchema, TableSchema } from '../../../../catalog/cql/table-schema.ts';
import type { ReadRow } from '../../../../execution/cql/read-row.ts';
import { isMultiCell } from '../../../../values/cql-type.ts';
import { undefinedColumn } from '../../undefined-column.ts';
import { fitOfType } from '../type-compatibility.ts';
import type { TimesOfCells } from './times-of-cells.ts';
import type { PreparedSelector, SelectorRun, UntypedSelectable } from './untyped-selectable.ts';

export function findColumn(table: TableSchema, name: string): ColumnSchema {
  const column = table.columns.get(name);
  if (column === undefined) throw undefinedColumn(table, name);
  return column;
}

export function selectColumn(column: ColumnSchema): UntypedSelectable {
  const { name, type } = column;
  return {
    text: name,
    isMarker: false,
    arrayLength: undefined,
    fit: (receiver) => fitOfType(type, receiver.type),
    exactType: () => type,
    likelyType: () => type,
    prepare(_expected, { reads }) {
      reads.add(column);
      return columnSelector(column);
    },
  };
}

export function columnSelector(column: ColumnSchema): PreparedSelector {
  const { name, type } = column;
  return { name, type, isAggregate: false, column, begin: () => new ColumnRun(column) };
}

class ColumnRun implements SelectorRun {
  readonly #column: ColumnSchema;
  #row: ReadRow | undefined;
  #output: Buffer | null = null;
  #times: TimesOfCells | undefined;

  constructor(column: ColumnSchema) {
    this.#column = column;
  }

  add(row: ReadRow): void {
    if (this.#row !== undefined) return;
    this.#row = row;
    this.#output = row.value(this.#column);
  }

  output(): Buffer | null {
    return this.#output;
  }

  reset(): void {
    this.#row = undefined;
    this.#output = null;
    this.#times = undefined;
  }

  /** Asked while the row is there: rows are only good for the call in which they are given. */
  times(): TimesOfCells {
    if (this.#row === undefined || this.#output === null) return 'none';
    this.#times ??= timesOf(this.#column, this.#row);
    return this.#times;
  }
}

function timesOf(column: ColumnSchema, row: ReadRow): TimesOfCells {
  const { type } = column;
  if (!isMultiCell(type)) return { one: row.cell(column) };
  const cells = row.cells(column);
  if (type.kind !== 'udt') return cells;
  const byField = new Map(cells.map((cell) => [cell.key.readUInt16BE(), cell]));
  return type.fields.map((_field, at) => byField.get(at));
}
