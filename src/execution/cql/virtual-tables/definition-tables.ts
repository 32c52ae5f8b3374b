// `system_schema` and `system_virtual_schema`: everything that exists, as rows.

import { declaredAndHidden } from '../../../catalog/cql/compact-storage.ts';
import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { VirtualTable } from '../virtual-table.ts';
import { type EncodedRow, emptyTable, encodeRow, type NamedRow } from './named-rows.ts';
import { schemaLayouts, schemaOptions, virtualSchemaLayouts } from './schema-layouts.ts';
import { columnRow, droppedColumnRow, indexRow, keyspaceRow, tableRow, typeRow } from './schema-rows.ts';
import { isShownAsVirtual } from './system-keyspaces.ts';
import { tableOf, type VirtualTableLayout } from './virtual-table-layout.ts';

type SchemaSource = () => CqlSchema;

interface Definitions<T extends object> {
  readonly in: (keyspace: Keyspace) => Iterable<T>;
  readonly rowsOf: (definition: T) => readonly NamedRow[];
}

const keyspaces = (rowOf: (keyspace: Keyspace) => NamedRow): Definitions<Keyspace> => ({
  in: (keyspace) => [keyspace],
  rowsOf: (keyspace) => [rowOf(keyspace)],
});

const tables = (rowsOf: (table: TableSchema) => readonly NamedRow[]): Definitions<TableSchema> => ({
  in: (keyspace) => keyspace.tables.values(),
  rowsOf,
});

const columns = tables((table) => declaredAndHidden(table).map((column) => columnRow(table, column)));

export function schemaTables(source: SchemaSource): VirtualTable[] {
  const schemaOf = (layout: VirtualTableLayout) => tableOf('system_schema', layout, schemaOptions);
  const shown = ({ name }: Keyspace) => !isShownAsVirtual(name);
  const table = <T extends object>(layout: VirtualTableLayout, definitions: Definitions<T>) =>
    definitionTable(schemaOf(layout), source, shown, definitions);
  return [
    table(schemaLayouts.keyspaces, keyspaces(keyspaceRow)),
    table(
      schemaLayouts.tables,
      tables((definition) => [tableRow(definition)]),
    ),
    table(schemaLayouts.columns, columns),
    table(
      schemaLayouts.droppedColumns,
      tables((definition) => definition.droppedColumns.map((column) => droppedColumnRow(definition, column))),
    ),
    table(
      schemaLayouts.indexes,
      tables((definition) => definition.indexes.map((index) => indexRow(definition, index))),
    ),
    table(schemaLayouts.types, {
      in: (keyspace) => keyspace.types.values(),
      rowsOf: (type) => [typeRow(type)],
    }),
    // None of these can be created here.
    ...[
      schemaLayouts.aggregates,
      schemaLayouts.columnMasks,
      schemaLayouts.functions,
      schemaLayouts.triggers,
      schemaLayouts.views,
    ].map((layout) => emptyTable(schemaOf(layout))),
  ];
}

export function virtualSchemaTables(source: SchemaSource): VirtualTable[] {
  const shown = ({ name }: Keyspace) => isShownAsVirtual(name);
  const table = <T extends object>(layout: VirtualTableLayout, definitions: Definitions<T>) =>
    definitionTable(tableOf('system_virtual_schema', layout), source, shown, definitions);
  return [
    table(
      virtualSchemaLayouts.keyspaces,
      keyspaces(({ name }) => ({ keyspace_name: name })),
    ),
    table(
      virtualSchemaLayouts.tables,
      tables(({ keyspace, name, options: { comment } }) => [
        { keyspace_name: keyspace, table_name: name, comment },
      ]),
    ),
    table(virtualSchemaLayouts.columns, columns),
  ];
}

/**
 * Drivers read all of this again after every change, so rows are kept for as long as what they tell of: definitions are values, and
 * a change of one leaves the others what they were.
 */
function definitionTable<T extends object>(
  schema: TableSchema,
  source: SchemaSource,
  isShown: (keyspace: Keyspace) => boolean,
  definitions: Definitions<T>,
): VirtualTable {
  const known = new WeakMap<T, readonly EncodedRow[]>();
  const rowsOf = (definition: T): readonly EncodedRow[] => {
    const before = known.get(definition);
    if (before !== undefined) return before;
    const rows = definitions.rowsOf(definition).map((row) => encodeRow(schema, row));
    known.set(definition, rows);
    return rows;
  };
  return {
    schema,
    rows: (_session, partitionKey) => {
      const rows: EncodedRow[] = [];
      for (const keyspace of keyspacesAsked(source(), partitionKey)) {
        if (!isShown(keyspace)) continue;
        for (const definition of definitions.in(keyspace)) rows.push(...rowsOf(definition));
      }
      return rows;
    },
  };
}

/** For tables with the keyspace's name as their partition key. */
export function keyspacesAsked(
  schema: CqlSchema,
  partitionKey: readonly Buffer[] | undefined,
): Iterable<Keyspace> {
  const [name] = partitionKey ?? [];
  if (name === undefined) return schema.keyspaces.values();
  const keyspace = schema.keyspaces.get(name.toString());
  return keyspace === undefined ? [] : [keyspace];
}
