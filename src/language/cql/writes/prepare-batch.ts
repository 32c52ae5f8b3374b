import { type CqlSchema, findTable } from '../../../catalog/cql/cql-schema.ts';
import { Variables } from '../expressions/variables.ts';
import type { PreparedStatement, StatementContext } from '../prepared-statement.ts';
import type { BatchStatement } from '../statements/batch.ts';
import { checkBatch } from './check-batch.ts';
import type { Modification } from './modification.ts';
import { type KeyMarkers, partitionKeyIndexes } from './partition-key-markers.ts';
import { checkModification, prepareModification } from './prepare-modification.ts';
import { runModifications } from './run-modifications.ts';
import { prepareAttributes } from './write-attributes.ts';

/** BEGIN BATCH … APPLY BATCH. */
export function prepareBatch(statement: BatchStatement, context: StatementContext): PreparedStatement {
  const { type, using, statements } = statement;
  const { parts, schema } = context;
  const variables = new Variables();
  const prepared = statements.map((one) => prepareModification(one, context, variables));
  const terms = { schema, keyspace: undefined, variables };
  const attributes = prepareAttributes(using, { keyspace: '[batch]', name: '[batch]' }, terms);
  const modifications = prepared.map(({ modification }) => modification);
  checkBatch(type, modifications, attributes);
  for (const modification of modifications) checkModification(modification);
  return {
    variables: variables.specs(),
    partitionKeyIndexes: keyIndexes(
      modifications,
      prepared.map(({ keyMarkers }) => keyMarkers),
    ),
    resultColumns: undefined,
    warnings: [],
    isCurrent: (current) => modifications.every(({ table }) => isCurrent(current, table)),
    run: (request) => {
      const entries = modifications.map((modification) => ({ modification, values: request.values }));
      return runModifications(parts, { type, attributes, entries }, request);
    },
  };
}

function isCurrent(schema: CqlSchema, table: Modification['table']): boolean {
  return findTable(schema, table.keyspace, table.name) === table;
}

/** Told only where all statements are on one table; of several markers for a column the last counts. */
function keyIndexes(
  modifications: readonly Modification[],
  markers: readonly KeyMarkers[],
): readonly number[] {
  const [first] = modifications;
  if (first === undefined || modifications.some(({ table }) => table !== first.table)) return [];
  return partitionKeyIndexes(first.table, new Map(markers.flatMap((one) => [...one])));
}
