import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { IfClause } from '../conditions.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { UpdateStatement } from '../statements/update.ts';
import { Modification } from './modification.ts';
import { markersOfRelations } from './partition-key-markers.ts';
import { type PreparedCondition, prepareConditions } from './prepare-conditions.ts';
import { prepareAssignment } from './prepare-operations.ts';
import { prepareWhere } from './prepare-where.ts';
import type { PreparedParts } from './prepared-parts.ts';
import { isOnStaticsOnly } from './statics-only.ts';
import { existingColumn, isKeyColumn } from './target-table.ts';
import { prepareAttributes, type WriteAttributes } from './write-attributes.ts';

export function prepareUpdateModification(
  statement: UpdateStatement,
  table: TableSchema,
  context: TermContext,
): PreparedParts {
  const attributes = prepareAttributes(statement.using, table, context);
  const condition = prepareIf(statement.if, table, attributes, context);
  const operations = statement.assignments.map((assignment) => {
    const column = existingColumn(table, assignment.column);
    if (isKeyColumn(column)) throw invalidRequest(`PRIMARY KEY part ${column.name} found in SET part`);
    return prepareAssignment(table, column, assignment, condition !== undefined, context);
  });
  const onlyStatics = isOnStaticsOnly('UPDATE', operations, condition);
  const where = prepareWhere('UPDATE', table, statement.where, onlyStatics, context);
  const modification = new Modification({ kind: 'UPDATE', table, attributes, where, operations, condition });
  return { modification, keyMarkers: markersOfRelations(statement.where) };
}

export function prepareIf(
  clause: IfClause | null,
  table: TableSchema,
  { timestamp }: WriteAttributes,
  context: TermContext,
): PreparedCondition | undefined {
  if (clause === null) return undefined;
  if (clause === 'exists') return 'exists';
  if (timestamp !== undefined) {
    throw invalidRequest('Cannot provide custom timestamp for conditional updates');
  }
  return prepareConditions(table, clause, context);
}
