// Definitions as system records. Types are kept as CQL text and resolved again when they are read, so a user type that was changed
// is changed wherever it is used.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { SystemRecord } from '../../replication/system-records.ts';
import { type CqlType, parseCqlType, printCqlType, type UserType } from '../../values/cql-type.ts';
import { assembleTable } from './assemble-table.ts';
import type { Keyspace } from './cql-schema.ts';
import type {
  ColumnSchema,
  DroppedColumn,
  IndexSchema,
  KeyspaceSchema,
  TableOptionValues,
  TableSchema,
} from './table-schema.ts';

export const recordKinds = {
  keyspace: 'cql-keyspace',
  table: 'cql-table',
  type: 'cql-type',
  version: 'cql-schema',
} as const;

/** Records of each kind by id, as they were read. */
export type StoredDefinitions = Readonly<Record<'keyspace' | 'table' | 'type', ReadonlyMap<string, unknown>>>;

type Entries = readonly (readonly [string, string])[];
type TextTyped<T> = Omit<T, 'type'> & { readonly type: string };

interface KeyspaceJson {
  readonly replication: Entries;
  readonly durableWrites: boolean;
}

interface TypeJson {
  readonly fields: readonly (readonly [name: string, type: string])[];
}

type MapOption = 'caching' | 'compaction' | 'compression' | 'extensions';
type OptionsJson = Omit<TableOptionValues, MapOption> & Readonly<Record<MapOption, Entries>>;

interface TableJson {
  readonly id: string;
  readonly container: number | undefined;
  readonly columns: readonly TextTyped<ColumnSchema>[];
  readonly options: OptionsJson;
  readonly indexes: readonly (Omit<IndexSchema, 'options'> & { readonly options: Entries })[];
  readonly droppedColumns: readonly TextTyped<DroppedColumn>[];
  readonly nextColumnId: number;
  /** Left out where it is false. */
  readonly isCompact?: boolean;
}

export function keyspaceRecord(name: string, keyspace: KeyspaceSchema | undefined): SystemRecord {
  return {
    kind: recordKinds.keyspace,
    id: name,
    value: keyspace === undefined ? null : keyspaceJson(keyspace),
  };
}

export function tableRecord(keyspace: string, name: string, table: TableSchema | undefined): SystemRecord {
  const value = table === undefined ? null : tableJson(table);
  return { kind: recordKinds.table, id: idOf(keyspace, name), value };
}

export function typeRecord(keyspace: string, name: string, type: UserType | undefined): SystemRecord {
  const value = type === undefined ? null : typeJson(type);
  return { kind: recordKinds.type, id: idOf(keyspace, name), value };
}

/** A keyspace is named by letters, digits and underscores: the first slash ends it. */
function idOf(keyspace: string, name: string): string {
  return `${keyspace}/${name}`;
}

function keyspaceJson({ replication, durableWrites }: KeyspaceSchema): KeyspaceJson {
  return { replication: [...replication], durableWrites };
}

function typeJson({ fields }: UserType): TypeJson {
  return { fields: fields.map(({ name, type }) => [name, printCqlType(type)]) };
}

function tableJson(table: TableSchema): TableJson {
  const { id, container, columns, options, indexes, droppedColumns, nextColumnId, isCompact } = table;
  return {
    id,
    container,
    columns: [...columns.values()].map(withTextType),
    options: {
      ...options,
      caching: [...options.caching],
      compaction: [...options.compaction],
      compression: [...options.compression],
      extensions: [...options.extensions],
    },
    indexes: indexes.map((index) => ({ ...index, options: [...index.options] })),
    droppedColumns: droppedColumns.map(withTextType),
    nextColumnId,
    ...(isCompact ? { isCompact } : {}),
  };
}

function withTextType<T extends { readonly type: CqlType }>(column: T): TextTyped<T> {
  return { ...column, type: printCqlType(column.type) };
}

/** All keyspaces that were stored. Tables and types of a keyspace that is not there are what a crash left of it, and are left out. */
export function decodeDefinitions(stored: StoredDefinitions): Map<string, Keyspace> {
  try {
    return new Map([...stored.keyspace].map(([name, json]) => [name, decodeKeyspace(name, json, stored)]));
  } catch (cause) {
    throw new RingfoldError('corrupt-data', { what: 'CQL definitions', reason: String(cause) }, cause);
  }
}

function decodeKeyspace(name: string, json: unknown, stored: StoredDefinitions): Keyspace {
  const { replication, durableWrites } = json as KeyspaceJson;
  const types = decodeTypes(name, namesIn(name, stored.type));
  const tables = new Map<string, TableSchema>();
  for (const [table, tableJson] of namesIn(name, stored.table))
    tables.set(table, decodeTable(name, table, tableJson as TableJson, types));
  return { name, replication: new Map(replication), durableWrites, isVirtual: false, tables, types };
}

function namesIn(keyspace: string, records: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const prefix = idOf(keyspace, '');
  return new Map(
    [...records].flatMap(([id, json]) => (id.startsWith(prefix) ? [[id.slice(prefix.length), json]] : [])),
  );
}

/** A type may stand inside another that comes before it by name: each is resolved when it is first asked for. */
function decodeTypes(keyspace: string, records: ReadonlyMap<string, unknown>): Map<string, UserType> {
  const resolved = new Map<string, UserType>();
  const resolve = (name: string): UserType | undefined => {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const json = records.get(name) as TypeJson | undefined;
    if (json === undefined) return undefined;
    const fields = json.fields.map(([field, type]) => ({ name: field, type: parseCqlType(type, resolve) }));
    const made: UserType = { kind: 'udt', keyspace, name, fields, frozen: false };
    resolved.set(name, made);
    return made;
  };
  for (const name of records.keys()) resolve(name);
  return resolved;
}

function decodeTable(
  keyspace: string,
  name: string,
  json: TableJson,
  types: ReadonlyMap<string, UserType>,
): TableSchema {
  const { id, container, columns, options, indexes, droppedColumns, nextColumnId } = json;
  const withType = <T extends { readonly type: string }>(column: T): Omit<T, 'type'> & { type: CqlType } => ({
    ...column,
    type: parseCqlType(column.type, (type) => types.get(type)),
  });
  return assembleTable(
    {
      keyspace,
      name,
      id,
      container,
      options: {
        ...options,
        caching: new Map(options.caching),
        compaction: new Map(options.compaction),
        compression: new Map(options.compression),
        extensions: new Map(options.extensions),
      },
      indexes: indexes.map((index) => ({ ...index, options: new Map(index.options) })),
      droppedColumns: droppedColumns.map(withType),
      nextColumnId,
      isCompact: json.isCompact === true,
    },
    columns.map(withType),
  );
}
