import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { ResponseWriter } from '../response-writer.ts';
import { writeTypeOption } from '../type-option.ts';

/** Columns of one table name it once, before them (flag 0x01). */
export function areOfOneTable(columns: readonly ColumnSpec[]): boolean {
  const [first] = columns;
  return (
    first !== undefined &&
    columns.every(({ keyspace, table }) => keyspace === first.keyspace && table === first.table)
  );
}

export function writeColumnSpecs(
  out: ResponseWriter,
  columns: readonly ColumnSpec[],
  ofOneTable: boolean,
): void {
  const [first] = columns;
  if (ofOneTable && first !== undefined) {
    out.string(first.keyspace);
    out.string(first.table);
  }
  for (const { keyspace, table, name, type } of columns) {
    if (!ofOneTable) {
      out.string(keyspace);
      out.string(table);
    }
    out.string(name);
    writeTypeOption(out, type);
  }
}
