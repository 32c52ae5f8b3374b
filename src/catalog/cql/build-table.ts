import { createHash } from 'node:crypto';
import type { CqlType } from '../../values/cql-type.ts';
import { assembleTable } from './assemble-table.ts';
import { defaultTableOptions } from './default-table-options.ts';
import type {
  ColumnKind,
  ColumnSchema,
  IndexSchema,
  TableOptionValues,
  TableSchema,
} from './table-schema.ts';
import { textOfUuid } from './uuid.ts';

type NamedType = readonly [name: string, type: CqlType];

export interface TableParts {
  readonly keyspace: string;
  readonly name: string;
  /** Made of the two names unless given, so that it is the same at every start. */
  readonly id?: string;
  /** None for a virtual table. */
  readonly container?: number;
  readonly partitionKey: readonly NamedType[];
  readonly clustering?: readonly (readonly [name: string, type: CqlType, descending?: boolean])[];
  readonly statics?: readonly NamedType[];
  readonly regulars?: readonly NamedType[];
  /** The rest is as Cassandra has it by default. */
  readonly options?: Partial<TableOptionValues>;
  readonly indexes?: readonly IndexSchema[];
}

/**
 * A table that nobody created by a statement: a virtual one, or one for a test.
 * @public
 */
export function buildTable(parts: TableParts): TableSchema {
  const { keyspace, name, partitionKey, clustering = [], statics = [], regulars = [] } = parts;
  let nextColumnId = 1;
  const withId = (kind: ColumnKind) =>
    function column([columnName, type]: NamedType): ColumnSchema {
      return { name: columnName, id: nextColumnId++, type, kind, position: -1, descending: false };
    };
  const columns: ColumnSchema[] = [
    ...partitionKey.map(([columnName, type], position) =>
      keyColumn(columnName, type, 'partition_key', position, false),
    ),
    ...clustering.map(([columnName, type, descending = false], position) =>
      keyColumn(columnName, type, 'clustering', position, descending),
    ),
    ...statics.map(withId('static')),
    ...regulars.map(withId('regular')),
  ];
  return assembleTable(
    {
      keyspace,
      name,
      id: parts.id ?? idOfName(keyspace, name),
      container: parts.container,
      options: { ...defaultTableOptions, ...parts.options },
      indexes: parts.indexes ?? [],
      droppedColumns: [],
      nextColumnId,
      isCompact: false,
    },
    columns,
  );
}

export function keyColumn(
  name: string,
  type: CqlType,
  kind: 'partition_key' | 'clustering',
  position: number,
  descending: boolean,
): ColumnSchema {
  return { name, id: 0, type, kind, position, descending };
}

/** A UUID of version 3, as Cassandra gives its own tables. */
function idOfName(keyspace: string, name: string): string {
  const digest = createHash('md5').update(keyspace).update(name).digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x30, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return textOfUuid(digest);
}
