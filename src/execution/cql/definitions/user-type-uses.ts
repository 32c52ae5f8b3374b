import { assembleTable } from '../../../catalog/cql/assemble-table.ts';
import type { Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { assert } from '../../../foundation/assert.ts';
import { type CqlType, freeze, type UserType } from '../../../values/cql-type.ts';

/** The changed type stands in place of the old one in every type and table that uses it. Tables that do not stay the same object. */
export function withChangedType(
  keyspaces: ReadonlyMap<string, Keyspace>,
  changed: UserType,
): ReadonlyMap<string, Keyspace> {
  const keyspace = keyspaces.get(changed.keyspace);
  assert(keyspace !== undefined, 'the type is of a keyspace');
  const types = new Map<string, UserType>();
  for (const [name, type] of keyspace.types) types.set(name, withFieldsReplaced(type, changed));
  types.set(changed.name, changed);
  const tables = new Map<string, TableSchema>();
  for (const [name, table] of keyspace.tables) tables.set(name, tableReplaced(table, changed));
  return new Map(keyspaces).set(keyspace.name, { ...keyspace, types, tables });
}

function tableReplaced(table: TableSchema, changed: UserType): TableSchema {
  const columns = [...table.columns.values()].map((column) => {
    const type = replaced(column.type, changed);
    return type === column.type ? column : { ...column, type };
  });
  const isSame = columns.every((column) => table.columns.get(column.name) === column);
  return isSame ? table : assembleTable(table, columns);
}

function withFieldsReplaced(type: UserType, changed: UserType): UserType {
  const fields = type.fields.map((field) => {
    const inside = replaced(field.type, changed);
    return inside === field.type ? field : { ...field, type: inside };
  });
  return fields.every((field, index) => field === type.fields[index]) ? type : { ...type, fields };
}

function replaced(type: CqlType, changed: UserType): CqlType {
  switch (type.kind) {
    case 'udt':
      if (type.name !== changed.name) return withFieldsReplaced(type, changed);
      return type.frozen ? freeze(changed) : changed;
    case 'tuple': {
      const fields = type.fields.map((field) => replaced(field, changed));
      return fields.every((field, index) => field === type.fields[index]) ? type : { kind: 'tuple', fields };
    }
    case 'list':
    case 'set':
    case 'vector': {
      const element = replaced(type.element, changed);
      return element === type.element ? type : { ...type, element };
    }
    case 'map': {
      const key = replaced(type.key, changed);
      const value = replaced(type.value, changed);
      return key === type.key && value === type.value ? type : { ...type, key, value };
    }
    default:
      return type;
  }
}
