// Tables WITH COMPACT STORAGE: what clients of twenty years ago wrote. Those with clustering columns are dense, with one value for each
// row; the others are static. A row of either is there only while it has a value.

import { keyColumn } from './build-table.ts';
import type { ColumnSchema, TableSchema } from './table-schema.ts';

export function isDense({ isCompact, clustering }: TableSchema): boolean {
  return isCompact && clustering.length > 0;
}

/** Whether its columns are static ones to Cassandra, beside a clustering column that nobody declared. */
export function isStaticCompact({ isCompact, clustering }: TableSchema): boolean {
  return isCompact && clustering.length === 0;
}

/** Whether INSERT leaves a mark that the row exists. A dense table without a value has nothing else to show its rows by. */
export function marksRows({ isCompact, regulars }: TableSchema): boolean {
  return !isCompact || regulars.length === 0;
}

/** The value of a dense table, if it was given a name. */
export function compactValueOf(table: TableSchema): ColumnSchema | undefined {
  return isDense(table) ? table.regulars[0] : undefined;
}

/** As `system_schema.tables` has them. */
export function tableFlags(table: TableSchema): readonly string[] {
  const { isCompact, isCounter, clustering } = table;
  return [
    ...(!isCompact || clustering.length > 1 ? ['compound'] : []),
    ...(isCounter ? ['counter'] : []),
    ...(isDense(table) ? ['dense'] : []),
  ];
}

/** As `system_schema.columns` has them: with those that nobody declared, and that no statement can name. */
export function declaredAndHidden(table: TableSchema): readonly ColumnSchema[] {
  const { isCompact, isCounter, columns, regulars } = table;
  if (!isCompact || compactValueOf(table) !== undefined) return [...columns.values()];
  if (isDense(table)) return [...columns.values(), hiddenValue(table, { kind: 'empty' })];
  return [
    ...table.partitionKey,
    keyColumn(hiddenClusteringName(table), { kind: 'text' }, 'clustering', 0, false),
    ...regulars.map((column): ColumnSchema => ({ ...column, kind: 'static' })),
    hiddenValue(table, { kind: isCounter ? 'counter' : 'blob' }),
  ];
}

/** The clustering column that a static table is said to have. */
export function hiddenClusteringName(table: TableSchema): string {
  return freeName(table, 1, (number) => `column${number}`);
}

function hiddenValue(table: TableSchema, type: ColumnSchema['type']): ColumnSchema {
  const name = freeName(table, 0, (number) => (number === 0 ? 'value' : `value${number}`));
  return { name, id: 0, type, kind: 'regular', position: -1, descending: false };
}

function freeName({ columns }: TableSchema, first: number, nameOf: (number: number) => string): string {
  let number = first;
  while (columns.has(nameOf(number))) number++;
  return nameOf(number);
}
