import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import type { TypedTerm } from '../expressions/typed-term.ts';
import type { StepBuilder, WriteMoment } from './step-builder.ts';

/** What a statement does to one column, or to a part of it. */
export interface ColumnOperation {
  readonly column: ColumnSchema;
  /** Whether it must look at the row first, which some consistency levels cannot do. */
  readonly requiresRead: boolean;
  /** The term, where all it does is to give a column of one cell a value. */
  readonly plainTerm?: TypedTerm;
  apply(step: StepBuilder, moment: WriteMoment): void;
}
