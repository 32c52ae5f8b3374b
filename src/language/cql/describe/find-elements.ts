import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { isSystemKeyspace } from '../../../execution/cql/virtual-tables/system-keyspaces.ts';
import type { QualifiedName } from '../names.ts';
import type { DescribeTarget } from '../statements/describe.ts';
import {
  byName,
  indexElement,
  keyspaceElement,
  keyspaceElements,
  type SchemaElement,
  tableElement,
  tableElements,
  typeElement,
} from './schema-element.ts';

/** In the order of the answer. Throws `bad-request` in Cassandra's words. */
export function findElements(
  schema: CqlSchema,
  target: DescribeTarget,
  current: string | undefined,
): SchemaElement[] {
  switch (target.kind) {
    case 'keyspaces':
      return allKeyspaces(schema).map(keyspaceElement);
    case 'schema':
      return allKeyspaces(schema)
        .filter(({ name }) => target.isFull || !isSystemKeyspace(name))
        .flatMap(keyspaceElements);
    case 'tables':
      return listing(schema, current, ({ tables }) => Array.from(tables.values(), tableElement));
    case 'types':
      return listing(schema, current, ({ types }) => Array.from(types.values(), typeElement));
    // It is no element of the schema.
    case 'cluster':
      return [];
    case 'functions':
    case 'aggregates':
      return listing(schema, current, () => []);
    case 'keyspace': {
      const keyspace = keyspaceOf(schema, target.keyspace, current);
      return target.isOnly ? [keyspaceElement(keyspace)] : keyspaceElements(keyspace);
    }
    case 'any':
      return anyElements(schema, target.name, current);
    default:
      return namedElements(keyspaceOf(schema, target.name.keyspace, current), target.kind, target.name.name);
  }
}

function allKeyspaces({ keyspaces }: CqlSchema): Keyspace[] {
  return byName([...keyspaces.values()]);
}

function listing(
  schema: CqlSchema,
  current: string | undefined,
  elementsOf: (keyspace: Keyspace) => SchemaElement[],
): SchemaElement[] {
  const keyspaces = current === undefined ? allKeyspaces(schema) : [existing(schema, current)];
  return keyspaces.flatMap((keyspace) => byName(elementsOf(keyspace)));
}

function keyspaceOf(schema: CqlSchema, name: string | null, current: string | undefined): Keyspace {
  const chosen = name ?? current;
  if (chosen === undefined) throw invalidRequest('No keyspace specified and no current keyspace');
  return existing(schema, chosen);
}

function existing(schema: CqlSchema, name: string): Keyspace {
  const keyspace = schema.keyspaces.get(name);
  if (keyspace === undefined) throw invalidRequest(`'${name}' not found in keyspaces`);
  return keyspace;
}

function namedElements(
  keyspace: Keyspace,
  kind: 'table' | 'index' | 'materializedView' | 'type' | 'function' | 'aggregate',
  name: string,
): SchemaElement[] {
  switch (kind) {
    case 'table': {
      const table = keyspace.tables.get(name);
      if (table === undefined)
        throw invalidRequest(`Table '${name}' not found in keyspace '${keyspace.name}'`);
      return tableElements(table);
    }
    case 'index': {
      const found = findIndex(keyspace, name);
      if (found === undefined)
        throw invalidRequest(`Table for existing index '${name}' not found in '${keyspace.name}'`);
      return [indexElement(found.table, found.index)];
    }
    case 'type': {
      const type = keyspace.types.get(name);
      if (type === undefined)
        throw invalidRequest(`User defined type '${name}' not found in '${keyspace.name}'`);
      return [typeElement(type)];
    }
    case 'materializedView':
      throw invalidRequest(`Materialized view '${name}' not found in '${keyspace.name}'`);
    case 'function':
    case 'aggregate':
      throw invalidRequest(`User defined ${kind} '${name}' not found in '${keyspace.name}'`);
  }
}

/** A keyspace, else a table or an index of the keyspace in use. */
function anyElements(
  schema: CqlSchema,
  { keyspace, name }: QualifiedName,
  current: string | undefined,
): SchemaElement[] {
  const named = keyspace === null ? schema.keyspaces.get(name) : undefined;
  if (named !== undefined) return keyspaceElements(named);
  const place = existing(schema, keyspace ?? current ?? name);
  const table = place.tables.get(name);
  if (table !== undefined) return tableElements(table);
  const found = findIndex(place, name);
  if (found !== undefined) return [indexElement(found.table, found.index)];
  throw invalidRequest(`'${name}' not found in keyspace '${place.name}'`);
}

function findIndex(
  { tables }: Keyspace,
  name: string,
): { readonly table: TableSchema; readonly index: IndexSchema } | undefined {
  for (const table of tables.values()) {
    const index = table.indexes.find((one) => one.name === name);
    if (index !== undefined) return { table, index };
  }
  return undefined;
}
