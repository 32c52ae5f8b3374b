import type { TableSchema } from '../../catalog/cql/table-schema.ts';
import type { StatementSession } from './statement-request.ts';

/** A table whose rows are made when it is read: `system.local`, `system_schema.*`, `ringfold.*`. */
export interface VirtualTable {
  readonly schema: TableSchema;
  /**
   * Rows in any order, each with a value (or null, where a column may have none) for every column in the order of
   * `schema.columns`. Whoever reads sorts, restricts and pages them: there are few. With `partitionKey` only those of one partition
   * are wanted; more may be given. Failures are the reader's failures.
   */
  rows(
    session: StatementSession,
    partitionKey: readonly Buffer[] | undefined,
  ): readonly (readonly (Buffer | null)[])[] | Promise<readonly (readonly (Buffer | null)[])[]>;
}
