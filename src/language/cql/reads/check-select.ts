// A SELECT held against its table, in Cassandra's order of checks.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { plainSelection } from '../../../execution/cql/reads/plain-selection.ts';
import type { RowSelection } from '../../../execution/cql/reads/read-plan.ts';
import { isShownAsVirtual } from '../../../execution/cql/virtual-tables/system-keyspaces.ts';
import { prepareSelection } from '../expressions/prepare-selection.ts';
import { untypedSelectable } from '../expressions/selectables/selectable-of.ts';
import type { Selection } from '../expressions/selection.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { TypedTerm } from '../expressions/typed-term.ts';
import type { Selectable, Selector } from '../selectors.ts';
import type { SelectStatement } from '../statements/select.ts';
import { filteredRestrictions } from './bind-filter.ts';
import { refuseDistinct } from './distinct.ts';
import { type GroupBy, groupBy } from './group-by.ts';
import { refuseNearestNeighbours } from './nearest-neighbours.ts';
import { type OrderBy, orderBy, orderingColumns } from './order-by.ts';
import type { Restriction } from './restriction.ts';
import { prepareLimit } from './row-limit.ts';
import {
  refuseFiltering,
  type SelectRestrictions,
  selectRestrictions,
  sliceableClustering,
} from './select-restrictions.ts';

/** A SELECT as far as it is known without bound values. */
export interface CheckedSelect {
  readonly statement: SelectStatement;
  readonly table: TableSchema;
  readonly selection: Selection;
  readonly restrictions: SelectRestrictions;
  readonly sliceable: readonly Restriction[];
  readonly filtered: readonly Restriction[];
  readonly order: OrderBy;
  readonly groups: GroupBy | undefined;
  /** For a selection that is nothing but columns, of rows that stay by themselves. */
  readonly plain: RowSelection | undefined;
  readonly limit: TypedTerm | undefined;
  readonly perPartitionLimit: TypedTerm | undefined;
}

export function checkSelect(
  statement: SelectStatement,
  table: TableSchema,
  context: TermContext,
): CheckedSelect {
  const { isJson, isDistinct, selectors, where, allowFiltering } = statement;
  const selectsOnlyStatics = areOnlyStatics(selectors, table, context);
  const orderings = orderingColumns(statement.orderBy, table);
  const settings = {
    allowsFiltering: allowFiltering,
    filtersFreely: isShownAsVirtual(table.keyspace),
    selectsOnlyStatics,
  };
  const restrictions = selectRestrictions(where, table, settings, context);
  const selection = prepareSelection(selectors, table, { isJson }, context);
  refuseNearestNeighbours(statement.orderBy, orderings, table, context);
  if (isDistinct) {
    if (statement.perPartitionLimit !== null) {
      throw invalidRequest('PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries');
    }
    refuseDistinct(table, selection, restrictions, orderings);
  }
  const groups =
    statement.groupBy.length === 0
      ? undefined
      : groupBy(statement.groupBy, table, restrictions, isDistinct, context);
  if (groups === undefined && selection.isAggregate && statement.perPartitionLimit !== null) {
    throw invalidRequest('PER PARTITION LIMIT is not allowed with aggregate queries.');
  }
  const order = orderBy(orderings, table, restrictions);
  refuseFiltering(restrictions, table, settings);
  return {
    statement,
    table,
    selection,
    restrictions,
    sliceable: isDistinct ? [] : sliceableClustering(restrictions.clustering),
    filtered: filteredRestrictions(restrictions, table),
    order,
    groups,
    plain:
      groups === undefined && selection.plainColumns !== undefined
        ? plainSelection(selection.plainColumns)
        : undefined,
    limit: prepareLimit(statement.limit, '[limit]', table, context),
    perPartitionLimit: prepareLimit(statement.perPartitionLimit, '[per_partition_limit]', table, context),
  };
}

/** Cassandra looks names up before WHERE only where it must know whether they are static, and only until it knows. */
function areOnlyStatics(selectors: readonly Selector[], table: TableSchema, context: TermContext): boolean {
  if (table.statics.length === 0) return false;
  const areSelected = (isMeant: (kind: ColumnSchema['kind']) => boolean) =>
    selectors.some(({ selectable }) => {
      untypedSelectable(selectable, { table, context });
      return selects(selectable, table, isMeant);
    });
  return (
    areSelected((kind) => kind === 'static') &&
    !areSelected((kind) => kind === 'clustering' || kind === 'regular')
  );
}

function selects(
  selectable: Selectable,
  table: TableSchema,
  isMeant: (kind: ColumnSchema['kind']) => boolean,
): boolean {
  const inside = (inner: Selectable) => selects(inner, table, isMeant);
  switch (selectable.kind) {
    case 'constant':
    case 'marker':
    case 'null':
    case 'countRows':
      return false;
    case 'column': {
      const column = table.columns.get(selectable.name);
      return column !== undefined && isMeant(column.kind);
    }
    case 'function':
      return selectable.arguments.some(inside);
    case 'operation':
      return inside(selectable.left) || inside(selectable.right);
    case 'list':
    case 'set':
    case 'parentheses':
      return selectable.elements.some(inside);
    // Cassandra asks of the values whether they do not: kept.
    case 'mapOrUserType':
      return selectable.entries.some(
        ({ key, value }) => (key.kind !== 'column' && inside(key)) || !inside(value),
      );
    default:
      return inside(selectable.selectable);
  }
}
