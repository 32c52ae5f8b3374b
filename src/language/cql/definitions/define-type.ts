import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { withoutType, withType } from '../../../execution/cql/definitions/edit-keyspaces.ts';
import { withChangedType } from '../../../execution/cql/definitions/user-type-uses.ts';
import { quoteIfNeeded, type UserType } from '../../../values/cql-type.ts';
import type { StatementContext } from '../prepared-statement.ts';
import type { Rename } from '../renames.ts';
import type { AlterTypeStatement, TypeChange } from '../statements/alter-type.ts';
import type { CreateTypeStatement } from '../statements/create-type.ts';
import type { DropTypeStatement } from '../statements/drop-type.ts';
import type { TypeName } from '../type-name.ts';
import { referencesUserType } from './column-checks.ts';
import { type Definition, keyspaceOf, resources } from './definition.ts';
import { existingKeyspace } from './find-definitions.ts';
import { printResolved, resolveType } from './resolve-type.ts';

export function defineCreateType(statement: CreateTypeStatement, context: StatementContext): Definition {
  const { name: written, ifNotExists, fields } = statement;
  const keyspace = keyspaceOf(written.keyspace, context);
  const { name } = written;
  return {
    keyspace,
    permission: 'CREATE',
    resource: resources.allTables(keyspace),
    plan: (schema) => {
      if (existingKeyspace(schema, keyspace).types.has(name)) {
        if (ifNotExists) return undefined;
        throw invalidRequest(`A user type with name '${name}' already exists`);
      }
      checkFieldNames(fields, name);
      for (const { type } of fields) checkFieldType(type);
      const type: UserType = {
        kind: 'udt',
        keyspace,
        name,
        fields: fields.map((field) => ({
          name: field.name,
          type: resolveType(field.type, schema, keyspace),
        })),
        frozen: false,
      };
      const change = { change: 'CREATED', target: 'TYPE', keyspace, name } as const;
      return { keyspaces: withType(schema.keyspaces, type), change };
    },
  };
}

function checkFieldNames(fields: readonly { readonly name: string }[], type: string): void {
  const seen = new Set<string>();
  for (const { name } of fields) {
    if (seen.has(name)) throw invalidRequest(`Duplicate field name '${name}' in type '${type}'`);
    seen.add(name);
  }
}

function checkFieldType(type: TypeName): void {
  if (type.kind === 'native' && type.name === 'counter')
    throw invalidRequest('A user type cannot contain counters');
  if (type.kind === 'userType') throw invalidRequest('A user type cannot contain non-frozen UDTs');
}

export function defineAlterType(statement: AlterTypeStatement, context: StatementContext): Definition {
  const { name: written, ifExists, change } = statement;
  const keyspace = keyspaceOf(written.keyspace, context);
  const { name } = written;
  return {
    keyspace,
    permission: 'ALTER',
    resource: resources.allTables(keyspace),
    plan: (schema) => {
      const found = schema.keyspaces.get(keyspace);
      const type = found?.types.get(name);
      if (found === undefined || type === undefined) {
        if (ifExists) return undefined;
        throw invalidRequest(`Type ${keyspace}.${name} doesn't exist`);
      }
      const changed = changeType(type, change, found, schema);
      return {
        keyspaces: withChangedType(schema.keyspaces, changed),
        change: { change: 'UPDATED', target: 'TYPE', keyspace, name },
      };
    },
  };
}

function changeType(type: UserType, change: TypeChange, keyspace: Keyspace, schema: CqlSchema): UserType {
  switch (change.kind) {
    case 'alterField':
      throw invalidRequest('Altering field types is no longer supported');
    case 'addField':
      return addField(type, change, keyspace, schema);
    case 'renameFields':
      return renameFields(type, change.renames, change.ifFieldExists);
  }
}

function addField(
  type: UserType,
  { field, type: written, ifNotExists }: Extract<TypeChange, { kind: 'addField' }>,
  keyspace: Keyspace,
  schema: CqlSchema,
): UserType {
  checkFieldType(written);
  const shown = fullName(type);
  if (type.fields.some(({ name }) => name === field)) {
    if (ifNotExists) return type;
    throw invalidRequest(
      `Cannot add field ${field} to type ${shown}: a field with name ${field} already exists`,
    );
  }
  const fieldType = resolveType(written, schema, type.keyspace);
  const what = `Cannot add new field ${field} of type ${printResolved(written, type.keyspace)} to user type ${shown}`;
  if (referencesUserType(fieldType, type.name))
    throw invalidRequest(`${what} as it would create a circular reference`);
  const tables = tablesUsing(keyspace, type.name, ({ partitionKey }) => partitionKey);
  if (tables.length > 0) {
    const names = tables.map((table) => `${quoteIfNeeded(table.keyspace)}.${quoteIfNeeded(table.name)}`);
    throw invalidRequest(
      `${what} as the type is being used in partition key by the following tables: ${names.join(', ')}`,
    );
  }
  return { ...type, fields: [...type.fields, { name: field, type: fieldType }] };
}

function renameFields(type: UserType, renames: readonly Rename[], ifExists: boolean): UserType {
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  for (const from of names.keys()) {
    if (!ifExists && !type.fields.some(({ name }) => name === from))
      throw invalidRequest(`Unkown field ${from} in user type ${fullName(type)}`);
  }
  const fields = type.fields.map((field) => ({ ...field, name: names.get(field.name) ?? field.name }));
  const twice = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) !== index);
  // It names the keyspace where it means the type.
  if (twice !== undefined)
    throw invalidRequest(`Duplicate field name ${twice.name} in type ${type.keyspace}`);
  return { ...type, fields };
}

function fullName({ keyspace, name }: UserType): string {
  return `${quoteIfNeeded(keyspace)}.${quoteIfNeeded(name)}`;
}

function tablesUsing(
  { tables }: Keyspace,
  type: string,
  columnsOf: (table: TableSchema) => Iterable<{ readonly type: TableSchema['partitionKey'][number]['type'] }>,
): TableSchema[] {
  return [...tables.values()].filter((table) =>
    [...columnsOf(table)].some((column) => referencesUserType(column.type, type)),
  );
}

export function defineDropType(statement: DropTypeStatement, context: StatementContext): Definition {
  const { name: written, ifExists } = statement;
  const keyspace = keyspaceOf(written.keyspace, context);
  const { name } = written;
  return {
    keyspace,
    permission: 'DROP',
    resource: resources.allTables(keyspace),
    plan: (schema) => {
      const found = schema.keyspaces.get(keyspace);
      const type = found?.types.get(name);
      if (found === undefined || type === undefined) {
        if (ifExists) return undefined;
        throw invalidRequest(`Type '${keyspace}.${name}' doesn't exist`);
      }
      checkUnused(found, name);
      const change = { change: 'DROPPED', target: 'TYPE', keyspace, name } as const;
      return { keyspaces: withoutType(schema.keyspaces, type), change };
    },
  };
}

function checkUnused(keyspace: Keyspace, name: string): void {
  const types = [...keyspace.types.values()].filter((type) =>
    type.fields.some((field) => referencesUserType(field.type, name)),
  );
  const tables = tablesUsing(keyspace, name, ({ columns }) => columns.values());
  const what = `Cannot drop user type '${keyspace.name}.${name}' as it is still used by`;
  if (types.length > 0)
    throw invalidRequest(`${what} user types ${types.map((type) => type.name).join(', ')}`);
  if (tables.length > 0)
    throw invalidRequest(`${what} tables ${tables.map((table) => table.name).join(', ')}`);
}
