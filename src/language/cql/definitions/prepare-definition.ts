// Statements on the schema. What the text alone decides is checked when they are prepared, all else when their turn has come: then the
// schema is what the statement before has left.

import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import { findTable } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { changeSchema } from '../../../execution/cql/definitions/change-schema.ts';
import { truncateTable } from '../../../execution/cql/definitions/truncate-table.ts';
import type { StatementAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import { millisecondOver } from '../../../execution/cql/writes/millisecond-over.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { PreparedStatement, StatementContext } from '../prepared-statement.ts';
import type { AlterKeyspaceStatement } from '../statements/alter-keyspace.ts';
import type { AlterTableStatement } from '../statements/alter-table.ts';
import type { AlterTypeStatement } from '../statements/alter-type.ts';
import type { CreateIndexStatement } from '../statements/create-index.ts';
import type { CreateKeyspaceStatement } from '../statements/create-keyspace.ts';
import type { CreateTableStatement } from '../statements/create-table.ts';
import type { CreateTypeStatement } from '../statements/create-type.ts';
import type { DropIndexStatement } from '../statements/drop-index.ts';
import type { DropKeyspaceStatement } from '../statements/drop-keyspace.ts';
import type { DropTableStatement } from '../statements/drop-table.ts';
import type { DropTypeStatement } from '../statements/drop-type.ts';
import type { TruncateStatement } from '../statements/truncate.ts';
import type { UseStatement } from '../statements/use.ts';
import type { BindMarker } from '../token-cursor.ts';
import { withThroughputOfPayload } from './cosmos-options.ts';
import { defineAlterTable, defineDropTable } from './define-alter-table.ts';
import { defineCreateTable } from './define-create-table.ts';
import { defineCreateIndex, defineDropIndex } from './define-index.ts';
import { defineAlterKeyspace, defineCreateKeyspace, defineDropKeyspace } from './define-keyspace.ts';
import { defineRefused, type RefusedStatement } from './define-refused.ts';
import { defineAlterType, defineCreateType, defineDropType } from './define-type.ts';
import { type Definition, keyspaceOf } from './definition.ts';
import { isWord, maxNameLength } from './find-definitions.ts';
import { refuseSystemKeyspace } from './system-keyspaces.ts';

type SchemaStatement =
  | CreateKeyspaceStatement
  | AlterKeyspaceStatement
  | DropKeyspaceStatement
  | CreateTableStatement
  | AlterTableStatement
  | DropTableStatement
  | CreateTypeStatement
  | AlterTypeStatement
  | DropTypeStatement
  | CreateIndexStatement
  | DropIndexStatement
  | RefusedStatement;

export type DefinitionStatement = SchemaStatement | TruncateStatement | UseStatement;

export function prepareDefinition(
  statement: DefinitionStatement,
  _markers: readonly BindMarker[],
  context: StatementContext,
): PreparedStatement {
  return {
    variables: [],
    partitionKeyIndexes: [],
    resultColumns: undefined,
    warnings: [],
    isCurrent: () => true,
    run: prepareRun(statement, context),
  };
}

type Run = (request: StatementRequest) => StatementAnswer | Promise<StatementAnswer>;

function prepareRun(statement: DefinitionStatement, context: StatementContext): Run {
  if (statement.kind === 'use') return prepareUse(statement, context);
  if (statement.kind === 'truncate') return prepareTruncate(statement, context);
  const definition = define(statement, context);
  const { catalog, throughput, scheduler, timestamps } = context.parts;
  const isStamped = statement.kind === 'alterTable' && statement.change.kind === 'drop';
  return async ({ exchange }) => {
    refuseSystemKeyspace(definition, catalog.schema);
    checkKeyspaceName(definition.keyspace);
    const answer = await changeSchema(context.parts, (schema) =>
      withThroughputOfPayload(definition.plan(schema), exchange?.customPayload),
    );
    // What is written to the column when it was added again is later than the drop.
    if (isStamped) await millisecondOver(throughput.clock, scheduler, BigInt(timestamps.last));
    return answer;
  };
}

function define(statement: SchemaStatement, context: StatementContext): Definition {
  switch (statement.kind) {
    case 'createKeyspace':
      return defineCreateKeyspace(statement);
    case 'alterKeyspace':
      return defineAlterKeyspace(statement);
    case 'dropKeyspace':
      return defineDropKeyspace(statement);
    case 'createTable':
      return defineCreateTable(statement, context);
    case 'alterTable':
      return defineAlterTable(statement, context);
    case 'dropTable':
      return defineDropTable(statement, context);
    case 'createType':
      return defineCreateType(statement, context);
    case 'alterType':
      return defineAlterType(statement, context);
    case 'dropType':
      return defineDropType(statement, context);
    case 'createIndex':
      return defineCreateIndex(statement, context);
    case 'dropIndex':
      return defineDropIndex(statement, context);
    default:
      return defineRefused(statement, context);
  }
}

function checkKeyspaceName(keyspace: string): void {
  if (isWord(keyspace) && keyspace.length <= maxNameLength) return;
  throw invalidRequest(
    `Keyspace name must not be empty, more than ${maxNameLength} characters long, or contain non-alphanumeric-underscore characters (got '${keyspace}')`,
  );
}

function prepareUse({ keyspace }: UseStatement, { parts: { catalog } }: StatementContext): Run {
  return () => {
    if (!catalog.schema.keyspaces.has(keyspace))
      throw invalidRequest(`Keyspace '${keyspace}' does not exist`);
    return { kind: 'keyspace', keyspace, warnings: [], chargeRu: 0 as RequestUnits };
  };
}

function prepareTruncate({ table: written }: TruncateStatement, context: StatementContext): Run {
  const keyspace = keyspaceOf(written.keyspace, context);
  const tableIn = (schema: CqlSchema): TableSchema => {
    if (!schema.keyspaces.has(keyspace)) throw invalidRequest(`keyspace ${keyspace} does not exist`);
    const table = findTable(schema, keyspace, written.name);
    if (table === undefined) throw invalidRequest(`table ${written.name} does not exist`);
    return table;
  };
  tableIn(context.schema);
  return () =>
    truncateTable(context.parts, (schema): TableSchema => {
      const table = tableIn(schema);
      if (table.container === undefined)
        throw invalidRequest(`Truncation is not supported by table ${keyspace}.${written.name}`);
      return table;
    });
}
