// What INSERT, UPDATE and DELETE have in common when they are prepared. Each gives a modification and which markers are its partition
// key; alone that makes a prepared statement, in a batch it is one of several that share their variables.

import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Variables } from '../expressions/variables.ts';
import type { StatementContext } from '../prepared-statement.ts';
import type { ModificationStatement } from '../statements/batch.ts';
import type { Modification } from './modification.ts';
import { prepareDeleteModification } from './prepare-delete.ts';
import { prepareInsertModification } from './prepare-insert.ts';
import { prepareInsertJsonModification } from './prepare-insert-json.ts';
import { prepareUpdateModification } from './prepare-update.ts';
import type { PreparedParts } from './prepared-parts.ts';
import { targetTable } from './target-table.ts';

export function prepareModification(
  statement: ModificationStatement,
  context: StatementContext,
  variables: Variables,
): PreparedParts {
  const table = targetTable(statement.table, context);
  const terms: TermContext = { schema: context.schema, keyspace: table.keyspace, variables };
  return modificationOf(statement, table, terms);
}

function modificationOf(
  statement: ModificationStatement,
  table: TableSchema,
  terms: TermContext,
): PreparedParts {
  switch (statement.kind) {
    case 'insert':
      return prepareInsertModification(statement, table, terms);
    case 'insertJson':
      return prepareInsertJsonModification(statement, table, terms);
    case 'update':
      return prepareUpdateModification(statement, table, terms);
    case 'delete':
      return prepareDeleteModification(statement, table, terms);
  }
}

/** What Cassandra checks when the statement is whole; in a batch, when all of them are. */
export function checkModification({ table, attributes, isConditional }: Modification): void {
  if (table.isCounter && attributes.timestamp !== undefined) {
    throw invalidRequest('Cannot provide custom timestamp for counter updates');
  }
  if (table.isCounter && attributes.ttl !== undefined) {
    throw invalidRequest('Cannot provide custom TTL for counter updates');
  }
  if (table.container !== undefined) return;
  if (attributes.timestamp !== undefined) {
    throw invalidRequest('Custom timestamp is not supported by virtual tables');
  }
  if (attributes.ttl !== undefined) {
    throw invalidRequest('Expiring columns are not supported by virtual tables');
  }
  if (isConditional) throw invalidRequest('Conditional updates are not supported by virtual tables');
}
