// What clients are told of a conditional statement (Cassandra's buildCasResultSet).

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { RowsAnswer, StatementAnswer } from '../../../execution/cql/statement-request.ts';
import { readClusteringAsWritten } from '../../../execution/cql/writes/clustering-as-written.ts';
import { liveValue } from '../../../execution/cql/writes/live-values.ts';
import type { CurrentRows } from '../../../execution/cql/writes/partition-write.ts';
import type { ChargedAnswer } from '../../../execution/cql/writes/transact-governed.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { CqlRow } from '../../../values/cql-row.ts';
import { decodeClusteringKey } from '../../../values/ordered-key.ts';
import type { Modification } from './modification.ts';
import { columnSpec, specOf } from './target-table.ts';

/** Which columns a condition that does not hold shows, and which of them Cassandra has read: the others are null. */
export interface ShownColumns {
  readonly table: TableSchema;
  readonly columns: readonly ColumnSchema[];
  readonly read: ReadonlySet<ColumnSchema>;
}

const yes = Buffer.from([1]);
const no = Buffer.from([0]);

export function shownColumns(
  table: TableSchema,
  statements: readonly Modification[],
  isBatch: boolean,
): ShownColumns {
  const conditional = statements.filter(({ isConditional }) => isConditional);
  const showsAll = conditional.some(({ condition }) => typeof condition === 'string');
  const keys = isBatch ? [...table.partitionKey, ...table.clustering] : [];
  const columns = showsAll
    ? [...table.columns.values()]
    : [...new Set([...keys, ...conditional.flatMap(({ columnsWithConditions }) => columnsWithConditions)])];
  const updatesRegulars = statements.some(({ updatesRegularRows }) => updatesRegularRows);
  const updatesStatics = conditional.some(({ updatesStaticRow }) => updatesStaticRow);
  const read = new Set(conditional.flatMap(({ columnsRead }) => columnsRead));
  for (const column of updatesRegulars ? table.regulars : []) read.add(column);
  for (const column of updatesStatics ? table.statics : []) read.add(column);
  return { table, columns, read };
}

export function lightweightAnswer(
  { answer, chargeRu }: ChargedAnswer,
  shown: ShownColumns,
  partitionKey: readonly Buffer[],
  warnings: readonly string[],
): StatementAnswer {
  const { table } = shown;
  const applied = specOf(table, '[applied]', { kind: 'boolean' });
  const common = { kind: 'rows', pagingState: undefined, chargeRu, warnings } as const;
  if (answer.isApplied || answer.current === undefined) {
    return { ...common, columns: [applied], rows: [[answer.isApplied ? yes : no]] };
  }
  const rows = currentRows(answer.current, shown, partitionKey);
  if (rows.length === 0) return { ...common, columns: [applied], rows: [[no]] };
  const columns: ColumnSpec[] = [applied, ...shown.columns.map((column) => columnSpec(table, column))];
  return { ...common, columns, rows: rows.map((row) => [no, ...row]) };
}

function currentRows(
  { staticRow, rows }: CurrentRows,
  { table, columns, read }: ShownColumns,
  partitionKey: readonly Buffer[],
): RowsAnswer['rows'] {
  const shownOf = (row: CqlRow | undefined, clustering: readonly Buffer[]): (Buffer | null)[] =>
    columns.map((column) => {
      switch (column.kind) {
        case 'partition_key':
          return partitionKey[column.position] ?? null;
        case 'clustering':
          return clustering[column.position] ?? null;
        default: {
          const from = column.kind === 'static' ? staticRow : row;
          return read.has(column) ? liveValue(from, column.id, column.type) : null;
        }
      }
    });
  if (rows.length > 0) {
    return rows.map(({ clusteringKey, row }) => shownOf(row, clusteringOf(table, clusteringKey, row)));
  }
  const hasStatics = table.statics.some(
    (column) => read.has(column) && liveValue(staticRow, column.id, column.type) !== null,
  );
  return hasStatics ? [shownOf(undefined, [])] : [];
}

function clusteringOf({ clustering }: TableSchema, key: ByteString, row: CqlRow): readonly Buffer[] {
  return row.clusteringAsWritten === undefined
    ? decodeClusteringKey(clustering, key)
    : readClusteringAsWritten(clustering, row.clusteringAsWritten);
}
