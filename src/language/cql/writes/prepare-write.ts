import { Variables } from '../expressions/variables.ts';
import type { PreparedStatement, StatementContext } from '../prepared-statement.ts';
import type { BatchStatement, ModificationStatement } from '../statements/batch.ts';
import type { BindMarker } from '../token-cursor.ts';
import { partitionKeyIndexes } from './partition-key-markers.ts';
import { prepareBatch } from './prepare-batch.ts';
import { checkModification, prepareModification } from './prepare-modification.ts';
import { PreparedModification } from './prepared-modification.ts';

/** INSERT, UPDATE, DELETE and BATCH. */
export function prepareWrite(
  statement: ModificationStatement | BatchStatement,
  _markers: readonly BindMarker[],
  context: StatementContext,
): PreparedStatement {
  if (statement.kind === 'batch') return prepareBatch(statement, context);
  const variables = new Variables();
  const { modification, keyMarkers } = prepareModification(statement, context, variables);
  checkModification(modification);
  return new PreparedModification(
    modification,
    variables.specs(),
    partitionKeyIndexes(modification.table, keyMarkers),
    context.parts,
    context.schema,
  );
}
