import { isStaticCompact } from '../../../catalog/cql/compact-storage.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { DeleteStatement } from '../statements/delete.ts';
import type { ColumnOperation } from './column-operation.ts';
import { Modification } from './modification.ts';
import { markersOfRelations } from './partition-key-markers.ts';
import type { PreparedCondition } from './prepare-conditions.ts';
import { prepareDeletion } from './prepare-operations.ts';
import { prepareIf } from './prepare-update.ts';
import { prepareWhere, type WriteWhere } from './prepare-where.ts';
import type { PreparedParts } from './prepared-parts.ts';
import { isOnStaticsOnly, touchesRegulars } from './statics-only.ts';
import { existingColumn, isKeyColumn } from './target-table.ts';
import { prepareAttributes } from './write-attributes.ts';

export function prepareDeleteModification(
  statement: DeleteStatement,
  table: TableSchema,
  context: TermContext,
): PreparedParts {
  const attributes = prepareAttributes({ timestamp: statement.timestamp, ttl: null }, table, context);
  const condition = prepareIf(statement.if, table, attributes, context);
  const operations = statement.deletions.map((deletion) => {
    const column = existingColumn(table, deletion.column);
    if (isKeyColumn(column)) {
      throw invalidRequest(
        `Invalid identifier ${column.name} for deletion (should not be a PRIMARY KEY part)`,
      );
    }
    return prepareDeletion(table, column, deletion, context);
  });
  const onlyStatics = isOnStaticsOnly('DELETE', operations, condition);
  const where = prepareWhere('DELETE', table, statement.where, onlyStatics, context);
  const modification = new Modification({ kind: 'DELETE', table, attributes, where, operations, condition });
  if (condition !== undefined) checkConditional(table, where, operations, condition);
  return { modification, keyMarkers: markersOfRelations(statement.where) };
}

/** A condition on rows needs to know which row. */
function checkConditional(
  table: TableSchema,
  { partition, clustering }: WriteWhere,
  operations: readonly ColumnOperation[],
  condition: PreparedCondition,
): void {
  const demand = 'DELETE statements must restrict all PRIMARY KEY columns with equality relations';
  if (isStaticCompact(table)) {
    // The clustering column that nobody declared is not restricted.
    if (operations.length === 0) throw invalidRequest(`${demand} in order to delete non static columns`);
    return;
  }
  const isWhole =
    partition.columns.length === table.partitionKey.length &&
    clustering.columns.length === table.clustering.length &&
    !clustering.hasSlice;
  if (isWhole) return;
  if (touchesRegulars('DELETE', operations)) {
    throw invalidRequest(`${demand} in order to delete non static columns`);
  }
  if (typeof condition === 'object' && condition.regulars.length > 0) {
    throw invalidRequest(`${demand} in order to use IF condition on non static columns`);
  }
}
