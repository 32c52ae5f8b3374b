import type { CqlParts } from '../../../execution/cql/cql-parts.ts';
import type { RowSelection } from '../../../execution/cql/reads/read-plan.ts';
import { type PointRead, readPoint } from '../../../execution/cql/reads/read-point.ts';
import { tableRowColumns } from '../../../execution/cql/reads/row-columns.ts';
import { TableRow } from '../../../execution/cql/reads/table-row.ts';
import type { StatementAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import { assert } from '../../../foundation/assert.ts';
import { emptyBytes } from '../../../foundation/byte-string.ts';
import { encodeClusteringKey } from '../../../values/ordered-key.ts';
import type { Selection } from '../expressions/selection.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import { validateKey } from './bind-partitions.ts';
import { keyValue } from './bind-values.ts';
import type { CheckedSelect } from './check-select.ts';
import type { EqualRestriction } from './restriction.ts';
import type { RestrictionSet } from './restriction-set.ts';
import { bindLimit } from './row-limit.ts';

type PointRun = (
  request: StatementRequest,
  bindings: Bindings,
) => StatementAnswer | Promise<StatementAnswer> | undefined;

/**
 * For a SELECT of one row by its whole key; undefined for any other. The run leaves to others what goes on after a page, and a page of one row:
 * it is full, and Cassandra says that more may follow.
 */
export function pointSelect(checked: CheckedSelect, parts: CqlParts): PointRun | undefined {
  const { table, selection, restrictions, statement } = checked;
  const { container, clustering } = table;
  const keyTerms = equalities(restrictions.partitionKey);
  const clusteringTerms = equalities(restrictions.clustering);
  if (
    container === undefined ||
    restrictions.isKeyRange ||
    restrictions.token !== undefined ||
    checked.filtered.length > 0 ||
    selection.isAggregate ||
    statement.isDistinct ||
    checked.groups !== undefined ||
    keyTerms?.length !== table.partitionKey.length ||
    clusteringTerms?.length !== clustering.length
  ) {
    return undefined;
  }
  const read: PointRead = {
    table,
    container,
    columns: selection.columns,
    plainColumns: selection.plainColumns,
    readsStatics: selection.reads.some(({ kind }) => kind === 'static'),
    row: new TableRow(table, tableRowColumns(table)),
  };
  return (request, bindings) => {
    if (request.pagingState !== null || (request.pageSize === 1 && clustering.length > 0)) return undefined;
    bindLimit(checked.limit, bindings);
    bindLimit(checked.perPartitionLimit, bindings);
    const partitionKey = valuesOf(keyTerms, bindings);
    validateKey(partitionKey);
    const clusteringKey =
      clustering.length === 0
        ? emptyBytes
        : encodeClusteringKey(clustering, valuesOf(clusteringTerms, bindings));
    const key = { partitionKey, clusteringKey };
    const isPlain = read.plainColumns !== undefined;
    return readPoint(parts, read, key, request, isPlain ? undefined : selectionOf(selection, bindings));
  };
}

/** By itself, so that a run without one makes no closure. */
function selectionOf(selection: Selection, bindings: Bindings): () => RowSelection {
  return () => selection.begin(bindings);
}

/** Undefined unless each restricts one column to one value. */
function equalities({ all }: RestrictionSet): readonly EqualRestriction[] | undefined {
  const equal = all.filter((one): one is EqualRestriction => one.kind === 'equal' && !one.isTuple);
  return equal.length === all.length ? equal : undefined;
}

function valuesOf(restrictions: readonly EqualRestriction[], bindings: Bindings): Buffer[] {
  const [first] = restrictions;
  // A list that grows is made for many.
  if (restrictions.length === 1 && first !== undefined) return [valueOfKey(first, bindings)];
  return restrictions.map((restriction) => valueOfKey(restriction, bindings));
}

function valueOfKey({ columns, value }: EqualRestriction, bindings: Bindings): Buffer {
  const [column] = columns;
  assert(column !== undefined, 'a restriction has a column');
  return keyValue(value(bindings)[0], column);
}
