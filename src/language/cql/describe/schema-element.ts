import type { Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { type CqlType, typesInside, type UserType } from '../../../values/cql-type.ts';
import { printCreateIndex } from './print-create-index.ts';
import { printCreateKeyspace } from './print-create-keyspace.ts';
import { printCreateTable } from './print-create-table.ts';
import { printCreateType } from './print-create-type.ts';

/** What DESCRIBE gives a row for. */
export interface SchemaElement {
  readonly keyspace: string;
  readonly type: 'keyspace' | 'type' | 'table' | 'index';
  readonly name: string;
  readonly print: (withInternals: boolean) => string;
}

export function keyspaceElement(keyspace: Keyspace): SchemaElement {
  const { name } = keyspace;
  return { keyspace: name, type: 'keyspace', name, print: () => printCreateKeyspace(keyspace) };
}

export function tableElement(table: TableSchema): SchemaElement {
  const { keyspace, name } = table;
  return {
    keyspace,
    type: 'table',
    name,
    print: (withInternals) => printCreateTable(table, withInternals),
  };
}

export function typeElement(type: UserType): SchemaElement {
  const { keyspace, name } = type;
  return { keyspace, type: 'type', name, print: () => printCreateType(type) };
}

export function indexElement(table: TableSchema, index: IndexSchema): SchemaElement {
  return {
    keyspace: table.keyspace,
    type: 'index',
    name: index.name,
    print: () => printCreateIndex(table, index),
  };
}

/** A table, then its indexes. */
export function tableElements(table: TableSchema): SchemaElement[] {
  return [tableElement(table), ...byName(table.indexes.map((index) => indexElement(table, index)))];
}

/** A keyspace and all that is in it, in an order in which it could be created. */
export function keyspaceElements(keyspace: Keyspace): SchemaElement[] {
  const tables = byName([...keyspace.tables.values()]);
  return [
    keyspaceElement(keyspace),
    ...typesInOrder(keyspace).map(typeElement),
    ...tables.flatMap(tableElements),
  ];
}

/** By name; before each the types that it has inside. */
function typesInOrder({ types }: Keyspace): UserType[] {
  const ordered = new Set<UserType>();
  const visit = (type: CqlType): void => {
    for (const inner of typesInside(type)) visit(inner);
    const own = type.kind === 'udt' ? types.get(type.name) : undefined;
    if (own !== undefined) ordered.add(own);
  };
  const names = [...types.keys()].sort();
  for (const name of names) {
    const type = types.get(name);
    if (type !== undefined) visit(type);
  }
  return [...ordered];
}

/** Capitals count as small letters. */
export function byName<T extends { readonly name: string }>(all: readonly T[]): T[] {
  const folded = (name: string) => name.toUpperCase().toLowerCase();
  return all.toSorted((a, b) => {
    const [left, right] = [folded(a.name), folded(b.name)];
    if (left === right) return 0;
    return left < right ? -1 : 1;
  });
}
