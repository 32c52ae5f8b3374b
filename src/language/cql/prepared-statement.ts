import type { CqlSchema } from '../../catalog/cql/cql-schema.ts';
import type { ColumnSpec } from '../../execution/cql/column-spec.ts';
import type { CqlParts } from '../../execution/cql/cql-parts.ts';
import type {
  StatementAnswer,
  StatementRequest,
  StatementSession,
} from '../../execution/cql/statement-request.ts';

/** A statement that was read, checked against the schema and made ready: it can be run any number of times. */
export interface PreparedStatement {
  /** What its markers stand for, in their order. */
  readonly variables: readonly ColumnSpec[];
  /** Which of them are the partition key, in its order; empty where one of its columns has no marker of its own. */
  readonly partitionKeyIndexes: readonly number[];
  /** Undefined where there are no rows, or their columns are known only when it has run (IF). */
  readonly resultColumns: readonly ColumnSpec[] | undefined;
  /** Told with the answer to PREPARE, and not again. */
  readonly warnings: readonly string[];
  /** False once what it was checked against is another: it must be prepared anew from its text. Cheap: asked before each run. */
  isCurrent(schema: CqlSchema): boolean;
  /** What PREPARE refuses for who asks; `run` looks at it again. */
  check?(session: StatementSession): void;
  /** Answers in the same turn where it can: from the cache, or from the schema. Throws or rejects with RingfoldError. */
  run(request: StatementRequest): StatementAnswer | Promise<StatementAnswer>;
}

/** What a statement is prepared with. */
export interface StatementContext {
  readonly schema: CqlSchema;
  /** For names without one: that of the request, else what USE set. */
  readonly keyspace: string | undefined;
  readonly parts: CqlParts;
}
