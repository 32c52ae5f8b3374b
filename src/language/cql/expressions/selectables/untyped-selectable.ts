import type { ColumnSchema, TableSchema } from '../../../../catalog/cql/table-schema.ts';
import type { ReadRow } from '../../../../execution/cql/read-row.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import type { NativeFunction } from '../functions/native-function.ts';
import type { TermContext } from '../term-context.ts';
import type { Bindings } from '../typed-term.ts';
import type { Operand } from '../untyped-term.ts';
import type { TimesOfCells } from './times-of-cells.ts';

/** A part of a select clause, of which may not be known yet what type it has. */
export interface UntypedSelectable extends Operand {
  /** If it is one: the function, and what it is called with. */
  readonly call?: { readonly found: NativeFunction; readonly operands: readonly UntypedSelectable[] };
  /** `expected` is the type that is wanted of it, where something is: literals and markers have no other. */
  prepare(expected: CqlType | undefined, scope: SelectionScope): PreparedSelector;
}

/** Where a select clause stands, and what it was found to read. */
export interface SelectionScope {
  readonly table: TableSchema;
  readonly context: TermContext;
  /** In the order in which they were met. */
  readonly reads: Set<ColumnSchema>;
}

export interface PreparedSelector {
  /** That of the result column. */
  readonly name: string;
  readonly type: CqlType;
  readonly isAggregate: boolean;
  /** If it is nothing but that column. */
  readonly column: ColumnSchema | undefined;
  begin(bindings: Bindings): SelectorRun;
}

/** Takes the rows of a group, answers, and is reset for the next. What is no aggregate answers for the first row. */
export interface SelectorRun {
  /** Its output is there before any row, and always the same. */
  readonly isConstant?: true;
  add(row: ReadRow): void;
  output(): Buffer | null;
  reset(): void;
  /** When the cells were written that the output is made of; only columns and parts of them know. */
  times(): TimesOfCells;
}
