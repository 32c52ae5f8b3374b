import { buildTable } from '../../../catalog/cql/build-table.ts';
import type { TableOptionValues, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { type CqlType, parseCqlType } from '../../../values/cql-type.ts';

/** A table of the server's own, as short as it can be written: columns by name with their types as CQL has them. */
export interface VirtualTableLayout {
  readonly name: string;
  readonly comment: string;
  readonly partitionKey: ColumnTypes;
  readonly clustering?: ColumnTypes;
  readonly regulars?: ColumnTypes;
  readonly options?: Partial<TableOptionValues>;
}

type ColumnTypes = Readonly<Record<string, string>>;

/** Every table of the keyspace has the options, unless it says otherwise. */
export function tableOf(
  keyspace: string,
  { name, comment, partitionKey, clustering = {}, regulars = {}, options }: VirtualTableLayout,
  keyspaceOptions: Partial<TableOptionValues> = {},
): TableSchema {
  return buildTable({
    keyspace,
    name,
    partitionKey: typed(partitionKey),
    clustering: typed(clustering),
    statics: [],
    regulars: typed(regulars),
    options: { comment, ...keyspaceOptions, ...options },
  });
}

function typed(columns: ColumnTypes): [name: string, type: CqlType][] {
  return Object.entries(columns).map(([name, type]) => [name, parseCqlType(type)]);
}
