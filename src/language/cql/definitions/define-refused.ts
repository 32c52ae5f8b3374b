// What is left for later answers as a Cassandra in which it is switched off.

import { findTable } from '../../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { StatementContext } from '../prepared-statement.ts';
import { printTypeName } from '../print-type-name.ts';
import type { AlterMaterializedViewStatement } from '../statements/alter-materialized-view.ts';
import type { CreateAggregateStatement } from '../statements/create-aggregate.ts';
import type { CreateFunctionStatement } from '../statements/create-function.ts';
import type { CreateMaterializedViewStatement } from '../statements/create-materialized-view.ts';
import type { CreateTriggerStatement } from '../statements/create-trigger.ts';
import type { DropAggregateStatement } from '../statements/drop-aggregate.ts';
import type { DropFunctionStatement } from '../statements/drop-function.ts';
import type { DropMaterializedViewStatement } from '../statements/drop-materialized-view.ts';
import type { DropTriggerStatement } from '../statements/drop-trigger.ts';
import type { TypeName } from '../type-name.ts';
import { type Definition, keyspaceOf, resources } from './definition.ts';
import { existingKeyspace } from './find-definitions.ts';
import { pushFrozen } from './resolve-type.ts';

export type RefusedStatement =
  | CreateMaterializedViewStatement
  | AlterMaterializedViewStatement
  | DropMaterializedViewStatement
  | CreateFunctionStatement
  | DropFunctionStatement
  | CreateAggregateStatement
  | DropAggregateStatement
  | CreateTriggerStatement
  | DropTriggerStatement;

export function defineRefused(statement: RefusedStatement, context: StatementContext): Definition {
  switch (statement.kind) {
    case 'createMaterializedView':
      return createView(statement, context);
    case 'alterMaterializedView':
    case 'dropMaterializedView':
      return noView(statement, context);
    case 'createFunction':
      return createFunction(statement, context);
    case 'createAggregate':
      return createAggregate(statement, context);
    case 'dropFunction':
    case 'dropAggregate':
      return noFunction(statement, context);
    case 'createTrigger':
      return createTrigger(statement, context);
    case 'dropTrigger':
      return noTrigger(statement, context);
  }
}

function createView({ view, table }: CreateMaterializedViewStatement, context: StatementContext): Definition {
  const keyspace = keyspaceOf(view.keyspace, context);
  if (table.keyspace !== null && table.keyspace !== keyspace)
    throw invalidRequest('Cannot create a materialized view on a table in a different keyspace');
  return {
    keyspace,
    permission: 'ALTER',
    resource: resources.table(keyspace, table.name),
    plan: () => {
      throw invalidRequest('Materialized views are disabled. Enable in cassandra.yaml to use.');
    },
  };
}

function noView(
  { kind, view, ifExists }: AlterMaterializedViewStatement | DropMaterializedViewStatement,
  context: StatementContext,
): Definition {
  const keyspace = keyspaceOf(view.keyspace, context);
  return {
    keyspace,
    permission: kind === 'dropMaterializedView' ? 'DROP' : 'ALTER',
    resource: resources.table(keyspace, view.name),
    plan: () => {
      if (ifExists) return undefined;
      throw invalidRequest(`Materialized view '${keyspace}.${view.name}' doesn't exist`);
    },
  };
}

function checkDirectives({
  ifNotExists,
  orReplace,
}: {
  readonly ifNotExists: boolean;
  readonly orReplace: boolean;
}): void {
  if (ifNotExists && orReplace)
    throw invalidRequest("Cannot use both 'OR REPLACE' and 'IF NOT EXISTS' directives");
}

function createFunction(statement: CreateFunctionStatement, context: StatementContext): Definition {
  const keyspace = keyspaceOf(statement.name.keyspace, context);
  return {
    keyspace,
    permission: 'CREATE',
    resource: undefined,
    plan: () => {
      checkDirectives(statement);
      throw invalidRequest(
        'User-defined functions are disabled in cassandra.yaml - set user_defined_functions_enabled=true to enable',
      );
    },
  };
}

function createAggregate(statement: CreateAggregateStatement, context: StatementContext): Definition {
  const keyspace = keyspaceOf(statement.name.keyspace, context);
  return {
    keyspace,
    permission: 'CREATE',
    resource: undefined,
    plan: (schema) => {
      checkDirectives(statement);
      statement.argumentTypes.forEach(refuseFrozenArgument);
      refuseFrozen('State type', statement.stateType);
      existingKeyspace(schema, keyspace);
      // There can be no function that it could be made of.
      const types = [statement.stateType, ...statement.argumentTypes].map((type) =>
        printTypeName(pushFrozen(type)),
      );
      throw invalidRequest(
        `State function ${keyspace}.${statement.stateFunction}(${types.join(', ')}) doesn't exist`,
      );
    },
  };
}

function refuseFrozen(what: string, type: TypeName): void {
  if (type.kind !== 'frozen' || type.type.kind === 'tuple' || type.type.kind === 'vector') return;
  const shown = printTypeName(pushFrozen(type));
  throw invalidRequest(`${what} '${shown}' cannot be frozen; remove frozen<> modifier from '${shown}'`);
}

function refuseFrozenArgument(type: TypeName): void {
  refuseFrozen('Argument', type);
}

function noFunction(
  { kind, name, argumentTypes, ifExists }: DropFunctionStatement | DropAggregateStatement,
  context: StatementContext,
): Definition {
  const keyspace = keyspaceOf(name.keyspace, context);
  const types = argumentTypes?.map((type) => printTypeName(pushFrozen(type))).join(', ');
  const shown = `${keyspace}.${name.name}${types === undefined ? '' : `(${types})`}`;
  return {
    keyspace,
    permission: 'DROP',
    resource: undefined,
    plan: ({ keyspaces }) => {
      if (keyspaces.has(keyspace)) argumentTypes?.forEach(refuseFrozenArgument);
      if (ifExists) return undefined;
      throw invalidRequest(`${kind === 'dropFunction' ? 'Function' : 'Aggregate'} '${shown}' doesn't exist`);
    },
  };
}

function createTrigger({ table, className }: CreateTriggerStatement, context: StatementContext): Definition {
  const keyspace = keyspaceOf(table.keyspace, context);
  return {
    keyspace,
    permission: 'CREATE',
    resource: resources.table(keyspace, table.name),
    plan: (schema) => {
      existingKeyspace(schema, keyspace);
      if (findTable(schema, keyspace, table.name) === undefined)
        throw invalidRequest(`Table '${table.name}' doesn't exist`);
      throw invalidRequest(`Trigger class '${className}' couldn't be loaded`);
    },
  };
}

function noTrigger({ name, table, ifExists }: DropTriggerStatement, context: StatementContext): Definition {
  const keyspace = keyspaceOf(table.keyspace, context);
  return {
    keyspace,
    permission: 'DROP',
    resource: resources.table(keyspace, table.name),
    plan: () => {
      if (ifExists) return undefined;
      throw invalidRequest(`Trigger '${name}' on '${keyspace}.${table.name}' doesn't exist`);
    },
  };
}
