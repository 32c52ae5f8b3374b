import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { ReadRow } from '../../../execution/cql/read-row.ts';
import type { Selector } from '../selectors.ts';
import { printJsonRow } from './json-row.ts';
import { columnSelector } from './selectables/column.ts';
import { untypedSelectable } from './selectables/selectable-of.ts';
import type { PreparedSelector, SelectionScope, SelectorRun } from './selectables/untyped-selectable.ts';
import type { Selection, SelectionRun } from './selection.ts';
import type { TermContext } from './term-context.ts';
import type { Bindings } from './typed-term.ts';

export interface SelectionOptions {
  /** SELECT JSON: the columns come as one text. */
  readonly isJson: boolean;
}

/** No selectors stand for `*`. */
export function prepareSelection(
  selectors: readonly Selector[],
  table: TableSchema,
  { isJson }: SelectionOptions,
  context: TermContext,
): Selection {
  const scope: SelectionScope = { table, context, reads: new Set() };
  const prepared = selectors.length === 0 ? everyColumn(scope) : prepareAll(selectors, scope);
  const columns = prepared.map(({ name, type }) => columnSpec(table, name, type));
  return {
    columns: isJson ? [columnSpec(table, '[json]', { kind: 'text' })] : columns,
    isAggregate: prepared.some((selector) => selector.isAggregate),
    reads: Array.from(scope.reads),
    plainColumns: isJson ? undefined : plainColumns(prepared),
    begin(bindings) {
      const run = new RowsRun(prepared, bindings);
      return isJson ? new JsonRun(run, columns) : run;
    },
  };
}

function columnSpec(
  { keyspace, name: table }: TableSchema,
  name: string,
  type: ColumnSpec['type'],
): ColumnSpec {
  return { keyspace, table, name, type };
}

function everyColumn({ table, reads }: SelectionScope): readonly PreparedSelector[] {
  return Array.from(table.columns.values(), (column) => {
    reads.add(column);
    return columnSelector(column);
  });
}

/** One after the other, as in Cassandra: of two that are wrong the first is complained of. */
function prepareAll(selectors: readonly Selector[], scope: SelectionScope): readonly PreparedSelector[] {
  return selectors.map(({ selectable, alias }) => {
    const prepared = untypedSelectable(selectable, scope).prepare(undefined, scope);
    return alias === null ? prepared : { ...prepared, name: alias };
  });
}

function plainColumns(prepared: readonly PreparedSelector[]): readonly ColumnSchema[] | undefined {
  const columns = prepared.map(({ column }) => column).filter((column) => column !== undefined);
  return columns.length === prepared.length ? columns : undefined;
}

class RowsRun implements SelectionRun {
  readonly #selectors: readonly SelectorRun[];

  constructor(selectors: readonly PreparedSelector[], bindings: Bindings) {
    this.#selectors = selectors.map((selector) => selector.begin(bindings));
  }

  rowOf(row: ReadRow): (Buffer | null)[] {
    this.add(row);
    return this.takeGroup();
  }

  add(row: ReadRow): void {
    for (const selector of this.#selectors) selector.add(row);
  }

  takeGroup(): (Buffer | null)[] {
    return this.#selectors.map((selector) => {
      const output = selector.output();
      selector.reset();
      return output;
    });
  }
}

class JsonRun implements SelectionRun {
  readonly #run: SelectionRun;
  readonly #columns: readonly ColumnSpec[];

  constructor(run: SelectionRun, columns: readonly ColumnSpec[]) {
    this.#run = run;
    this.#columns = columns;
  }

  rowOf(row: ReadRow): (Buffer | null)[] {
    return [printJsonRow(this.#columns, this.#run.rowOf(row))];
  }

  add(row: ReadRow): void {
    this.#run.add(row);
  }

  takeGroup(): (Buffer | null)[] {
    return [printJsonRow(this.#columns, this.#run.takeGroup())];
  }
}
