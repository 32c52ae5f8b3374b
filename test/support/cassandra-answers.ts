// The questions that scripts/cql-answers.mjs put to Apache Cassandra 5.0, its answers, and the tables that they are about.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildTable } from '../../src/catalog/cql/build-table.ts';
import type { CqlSchema } from '../../src/catalog/cql/cql-schema.ts';
import type { ColumnSchema, TableSchema } from '../../src/catalog/cql/table-schema.ts';
import type { CellTimes, CollectionCellTimes, ReadRow } from '../../src/execution/cql/read-row.ts';
import { parseCql } from '../../src/language/cql/cql-parser.ts';
import { resolveType } from '../../src/language/cql/definitions/resolve-type.ts';
import type { CreateTableStatement } from '../../src/language/cql/statements/create-table.ts';
import { readCollection, readFields } from '../../src/values/cql-elements.ts';
import { type CqlType, printCqlType, type UserType } from '../../src/values/cql-type.ts';
import { repositoryRoot } from './repository.ts';

export interface SelectedRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A text is a refusal, with its code. */
interface Answers {
  readonly definitions: readonly string[];
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, string | null>>[]>>;
  readonly selections: Readonly<
    Record<string, readonly (readonly [table: string, select: string, answer: SelectedRows | string])[]>
  >;
  readonly terms: readonly (readonly [column: string, term: string, answer: Stored | string])[];
  readonly bound: readonly (readonly [column: string, hex: string, answer: Stored | string])[];
  readonly variables: readonly (readonly [statement: string, answer: readonly string[] | string])[];
}

export interface Stored {
  readonly value: string | null;
}

const file = join(repositoryRoot, 'src/language/cql/expressions/cassandra-answers.json');
export const answers: Answers = JSON.parse(readFileSync(file, 'utf8'));

const keyspace = 'b_expr';
const types = new Map<string, UserType>();
const tables = new Map<string, TableSchema>();
export const schema: CqlSchema = {
  version: '',
  keyspaces: new Map([
    [
      keyspace,
      { name: keyspace, replication: new Map(), durableWrites: true, isVirtual: false, tables, types },
    ],
  ]),
};

for (const definition of answers.definitions) {
  const { statement } = parseCql(definition);
  if (statement.kind === 'createTable') tables.set(statement.table.name, tableOf(statement));
  if (statement.kind !== 'createType') continue;
  const { name } = statement.name;
  const fields = statement.fields.map((field) => ({
    name: field.name,
    type: resolveType(field.type, schema, keyspace),
  }));
  types.set(name, { kind: 'udt', keyspace, name, fields, frozen: false });
}

function tableOf({ table, columns, primaryKeys }: CreateTableStatement): TableSchema {
  const { partitionKey = [], clustering = [] } = primaryKeys[0] ?? {};
  const typed = columns.map(({ name, type }) => [name, resolveType(type, schema, keyspace)] as const);
  const named = (names: readonly string[]) => typed.filter(([name]) => names.includes(name));
  return buildTable({
    keyspace,
    name: table.name,
    container: 1,
    partitionKey: named(partitionKey),
    clustering: named(clustering),
    regulars: typed.filter(([name]) => !partitionKey.includes(name) && !clustering.includes(name)),
  });
}

export function tableNamed(name: string): TableSchema {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

/** Clustering key 1 was written at 1000, 2 at 2000, all cells of a row together. */
export function rowsOf(table: string): readonly ReadRow[] {
  return (answers.rows[table] ?? []).map((values) => {
    const value = (column: ColumnSchema) => {
      const hex = values[column.name] ?? null;
      return hex === null ? null : Buffer.from(hex, 'hex');
    };
    const times: CellTimes = {
      timestamp: BigInt(`0x${values['c'] ?? '0'}`) * 1000n,
      ttlSeconds: undefined,
    };
    return {
      value,
      cell: (column) => (value(column) === null ? undefined : times),
      cells: (column) =>
        cellKeys(column.type, value(column)).map((key): CollectionCellTimes => ({ ...times, key })),
    };
  });
}

function cellKeys(type: CqlType, value: Buffer | null): readonly Buffer[] {
  if (value === null) return [];
  if (type.kind === 'udt') {
    return readFields(value, type.fields.length).flatMap((field, at) =>
      field === null ? [] : [Buffer.from([0, at])],
    );
  }
  return type.kind === 'map'
    ? readCollection(value, 2).filter((_part, at) => at % 2 === 0)
    : readCollection(value, 1);
}

/** As the protocol has it: it does not say what is frozen. */
export function protocolType(type: CqlType): string {
  switch (type.kind) {
    case 'list':
    case 'set':
      return `${type.kind}<${protocolType(type.element)}>`;
    case 'map':
      return `map<${protocolType(type.key)}, ${protocolType(type.value)}>`;
    case 'tuple':
      return `tuple<${type.fields.map(protocolType).join(', ')}>`;
    case 'udt':
      return type.name;
    default:
      return printCqlType(type);
  }
}
