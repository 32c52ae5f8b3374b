import { compactValueOf, hiddenClusteringName, marksRows } from '../../../catalog/cql/compact-storage.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Relation } from '../relations.ts';
import type { InsertStatement } from '../statements/insert.ts';
import type { ColumnOperation } from './column-operation.ts';
import { Modification } from './modification.ts';
import { markersOfColumns } from './partition-key-markers.ts';
import { prepareSet } from './prepare-operations.ts';
import { prepareWhere } from './prepare-where.ts';
import type { PreparedParts } from './prepared-parts.ts';
import { isOnStaticsOnly } from './statics-only.ts';
import { existingColumn, isKeyColumn } from './target-table.ts';
import { prepareAttributes } from './write-attributes.ts';

export function prepareInsertModification(
  statement: InsertStatement,
  table: TableSchema,
  context: TermContext,
): PreparedParts {
  const attributes = prepareAttributes(statement.using, table, context);
  const { columns: names, values } = statement;
  refuseCounters(table);
  if (names.length !== values.length) throw invalidRequest('Unmatched column names/values');
  if (new Set(names).size !== names.length) throw invalidRequest('The column names contains duplicates');
  const relations: Relation[] = [];
  const operations: ColumnOperation[] = [];
  let hasClustering = false;
  for (const [at, name] of names.entries()) {
    const column = existingColumn(table, name);
    const term = values[at];
    if (term === undefined) continue;
    if (column.kind === 'clustering') hasClustering = true;
    if (isKeyColumn(column)) relations.push({ kind: 'comparison', column: name, operator: '=', term });
    else operations.push(prepareSet(table, column, term, context));
  }
  const condition = statement.ifNotExists ? 'not-exists' : undefined;
  const onlyStatics = !hasClustering && isOnStaticsOnly('INSERT', operations, condition);
  const where = prepareWhere('INSERT', table, relations, onlyStatics, context);
  if (table.isCompact && operations.length === 0) operations.push(...withoutValue(table));
  const modification = new Modification({ kind: 'INSERT', table, attributes, where, operations, condition });
  return { modification, keyMarkers: markersOfColumns(statement) };
}

/** A row of a compact table is there by its value, which is missed once its key is known; one that is static has, for Cassandra, named no row. */
function withoutValue(table: TableSchema): readonly ColumnOperation[] {
  if (marksRows(table)) return [];
  const column = compactValueOf(table);
  if (column === undefined)
    throw invalidRequest(`Some clustering keys are missing: ${hiddenClusteringName(table)}`);
  const apply = (): never => {
    throw invalidRequest(`Column ${column.name} is mandatory for this COMPACT STORAGE table`);
  };
  return [{ column, requiresRead: false, apply }];
}

export function refuseCounters({ isCounter }: TableSchema): void {
  if (isCounter) {
    throw invalidRequest('INSERT statements are not allowed on counter tables, use UPDATE instead');
  }
}
