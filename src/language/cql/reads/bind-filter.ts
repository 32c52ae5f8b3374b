// What a run of a SELECT asks of each row.

import type { ColumnSchema, IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { type FilterExpression, type RowFilter, rowFilter } from '../../../execution/cql/reads/row-filter.ts';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import { textFolding } from './index-analysis.ts';
import { hasSupportingIndex } from './index-support.ts';
import type { ContainsRestriction, Restriction, SliceRestriction } from './restriction.ts';
import { type SelectRestrictions, sliceableClustering } from './select-restrictions.ts';

/** Those restrictions that keys and ranges do not answer; known when the statement is prepared. */
export function filteredRestrictions(
  { partitionKey, clustering, others, filters }: SelectRestrictions,
  { indexes }: TableSchema,
): readonly Restriction[] {
  const sliceable = new Set(sliceableClustering(clustering));
  return [
    ...(filters.partitionKey ? partitionKey.all : []),
    ...(filters.clustering
      ? clustering.all.filter((one) => !sliceable.has(one) || hasSupportingIndex(one, indexes))
      : []),
    ...(filters.others ? others.all : []),
  ];
}

export function bindFilter(
  restrictions: readonly Restriction[],
  table: TableSchema,
  bindings: Bindings,
): RowFilter | undefined {
  if (restrictions.length === 0) return undefined;
  return rowFilter(restrictions.flatMap((restriction) => expressionsOf(restriction, table, bindings)));
}

function expressionsOf(
  restriction: Restriction,
  { indexes }: TableSchema,
  bindings: Bindings,
): readonly FilterExpression[] {
  const [column] = restriction.columns;
  if (column === undefined) return [];
  switch (restriction.kind) {
    case 'equal': {
      const values = restriction.value(bindings);
      const isIndexed = hasSupportingIndex(restriction, indexes);
      return restriction.columns.map((each, at) => {
        const value = supported(values[at], each);
        if (isIndexed && value.length > largestIndexed) throw notIndexed();
        return equality(each, value, indexes);
      });
    }
    case 'in':
      if (restriction.columns.length > 1) throw invalidRequest('Multicolumn IN filters are not supported');
      return [
        {
          kind: 'in',
          column,
          values: restriction.values(bindings).flatMap(([value]) => (value ? [value] : [])),
        },
      ];
    case 'slice':
      return slices(restriction, column, bindings);
    case 'contains':
      return contents(restriction, column, bindings).map((expression) => {
        if (hasSupportingIndex(restriction, indexes) && expression.value.length > largestIndexed)
          throw notIndexed();
        return expression;
      });
  }
}

const largestIndexed = 65_535;

function notIndexed(): Error {
  return invalidRequest('Index expression values may not be larger than 64K');
}

function equality(column: ColumnSchema, value: Buffer, indexes: readonly IndexSchema[]): FilterExpression {
  const fold = textFolding(column, indexes);
  if (fold === undefined) return { kind: 'comparison', column, operator: '=', value };
  return { kind: 'alike', column, folded: fold(value.toString('utf8')), fold };
}

function slices(
  { isTuple, start, end }: SliceRestriction,
  column: ColumnSchema,
  bindings: Bindings,
): FilterExpression[] {
  if (isTuple) throw invalidRequest('Multi-column slice restrictions cannot be used for filtering.');
  const expressions: FilterExpression[] = [];
  if (start !== undefined) {
    const value = supported(start.value(bindings)[0], column);
    expressions.push({ kind: 'comparison', column, operator: start.isInclusive ? '>=' : '>', value });
  }
  if (end !== undefined) {
    const value = supported(end.value(bindings)[0], column);
    expressions.push({ kind: 'comparison', column, operator: end.isInclusive ? '<=' : '<', value });
  }
  return expressions;
}

function contents(
  { values, keys, entries }: ContainsRestriction,
  column: ColumnSchema,
  bindings: Bindings,
): (FilterExpression & { readonly value: Buffer })[] {
  return [
    ...values.map((term) => {
      const value = supported(term.evaluate(bindings), column);
      return { kind: 'contains', column, value } as const;
    }),
    ...keys.map((term) => {
      const value = supported(term.evaluate(bindings), column);
      return { kind: 'containsKey', column, value } as const;
    }),
    ...entries.map(({ key, value }) => ({
      kind: 'entry' as const,
      column,
      key: supported(key.evaluate(bindings), column, 'map key '),
      value: supported(value.evaluate(bindings), column, 'map value '),
    })),
  ];
}

/** Which part of a map entry it is, where it is one. */
function supported(
  value: BoundValue,
  { name }: ColumnSchema,
  part: 'value ' | 'map key ' | 'map value ' = 'value ',
): Buffer {
  if (value === null) throw invalidRequest(`Unsupported null ${part}for column ${name}`);
  if (value === undefined) throw invalidRequest(`Unsupported unset ${part}for column ${name}`);
  return value;
}
