import { type CqlSchema, findTable } from '../../../catalog/cql/cql-schema.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { CqlParts } from '../../../execution/cql/cql-parts.ts';
import type { StatementAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import type { PreparedStatement } from '../prepared-statement.ts';
import { type ShownColumns, shownColumns } from './lightweight-answer.ts';
import type { Modification } from './modification.ts';
import { runModification } from './run-modification.ts';

/** An INSERT, UPDATE or DELETE as clients prepare it; batches take its modification. */
export class PreparedModification implements PreparedStatement {
  readonly variables: readonly ColumnSpec[];
  readonly partitionKeyIndexes: readonly number[];
  readonly resultColumns = undefined;
  readonly warnings: readonly string[] = [];
  readonly modification: Modification;
  readonly #parts: CqlParts;
  readonly #shown: ShownColumns | undefined;
  #knownSchema: CqlSchema;

  constructor(
    modification: Modification,
    variables: readonly ColumnSpec[],
    partitionKeyIndexes: readonly number[],
    parts: CqlParts,
    schema: CqlSchema,
  ) {
    this.modification = modification;
    this.variables = variables;
    this.partitionKeyIndexes = partitionKeyIndexes;
    this.#parts = parts;
    this.#shown = modification.isConditional
      ? shownColumns(modification.table, [modification], false)
      : undefined;
    this.#knownSchema = schema;
  }

  isCurrent(schema: CqlSchema): boolean {
    if (schema === this.#knownSchema) return true;
    const { table } = this.modification;
    if (findTable(schema, table.keyspace, table.name) !== table) return false;
    this.#knownSchema = schema;
    return true;
  }

  run(request: StatementRequest): StatementAnswer | Promise<StatementAnswer> {
    return runModification(this.#parts, this.modification, this.#shown, request);
  }
}
