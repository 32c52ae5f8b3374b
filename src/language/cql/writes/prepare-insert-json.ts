import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { bindMarker } from '../expressions/bind-marker.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { TypedTerm } from '../expressions/typed-term.ts';
import type { InsertJsonStatement } from '../statements/insert.ts';
import type { ColumnOperation } from './column-operation.ts';
import { indexable } from './indexable.ts';
import { JsonColumns } from './json-columns.ts';
import { type KeyRestriction, keyValue } from './key-restriction.ts';
import { Modification } from './modification.ts';
import { refuseCounters } from './prepare-insert.ts';
import { refuseSettingCounter } from './prepare-operations.ts';
import type { PreparedParts } from './prepared-parts.ts';
import { RestrictionList } from './restriction-list.ts';
import { setColumn } from './set-column.ts';
import { isKeyColumn, specOf } from './target-table.ts';
import { prepareAttributes } from './write-attributes.ts';

/** Every column has a value, from the document or for want of it. */
export function prepareInsertJsonModification(
  statement: InsertJsonStatement,
  table: TableSchema,
  context: TermContext,
): PreparedParts {
  const attributes = prepareAttributes(statement.using, table, context);
  refuseCounters(table);
  const { json } = statement;
  const document =
    json.kind === 'marker' ? bindMarker(json, specOf(table, '[json]', { kind: 'text' }), context) : json.text;
  const columns = new JsonColumns(table, document, statement.keepsUnnamed);
  const where = { partition: new RestrictionList(), clustering: new RestrictionList() };
  const operations: ColumnOperation[] = [];
  for (const column of table.columns.values()) {
    const term = columns.termOf(column);
    if (!isKeyColumn(column)) {
      refuseSettingCounter(column);
      operations.push(setColumn(column, indexable(table, column, term)));
    } else if (column.kind === 'partition_key') where.partition.add(equals(column, term));
    else where.clustering.add(equals(column, term));
  }
  const condition = statement.ifNotExists ? 'not-exists' : undefined;
  const modification = new Modification({ kind: 'INSERT', table, attributes, where, operations, condition });
  return { modification, keyMarkers: new Map() };
}

function equals(column: ColumnSchema, term: TypedTerm): KeyRestriction {
  return {
    kind: 'eq',
    columns: [column],
    term,
    values: (bindings) => [[keyValue(term.evaluate(bindings), column)]],
  };
}
