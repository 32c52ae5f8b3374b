// What is left to ask of each row once keys and clustering ranges have narrowed the read (Cassandra's RowFilter).

import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { inPairs } from '../../../values/cql-codec.ts';
import { readCollection } from '../../../values/cql-elements.ts';
import { compareCqlValues } from '../../../values/cql-order.ts';
import { type CqlType, canBeClustering } from '../../../values/cql-type.ts';
import type { ReadRow } from '../read-row.ts';

export type FilterOperator = '=' | '<' | '<=' | '>' | '>=' | '!=';

export type FilterExpression =
  | {
      readonly kind: 'comparison';
      readonly column: ColumnSchema;
      readonly operator: FilterOperator;
      readonly value: Buffer;
    }
  /** Texts that are alike once both are folded. */
  | {
      readonly kind: 'alike';
      readonly column: ColumnSchema;
      readonly folded: string;
      readonly fold: (text: string) => string;
    }
  | { readonly kind: 'in'; readonly column: ColumnSchema; readonly values: readonly Buffer[] }
  | { readonly kind: 'contains' | 'containsKey'; readonly column: ColumnSchema; readonly value: Buffer }
  | { readonly kind: 'entry'; readonly column: ColumnSchema; readonly key: Buffer; readonly value: Buffer };

/** Expressions on the partition key and static columns are the same for all rows of a partition, and decided once. */
export interface RowFilter {
  readonly ofPartitions: readonly FilterExpression[];
  readonly ofRows: readonly FilterExpression[];
}

export function rowFilter(expressions: readonly FilterExpression[]): RowFilter | undefined {
  if (expressions.length === 0) return undefined;
  const isOfPartition = ({ column }: FilterExpression) =>
    column.kind === 'partition_key' || column.kind === 'static';
  return {
    ofPartitions: expressions.filter(isOfPartition),
    ofRows: expressions.filter((expression) => !isOfPartition(expression)),
  };
}

export function matches(expressions: readonly FilterExpression[], row: ReadRow): boolean {
  for (const expression of expressions) if (!isSatisfied(expression, row)) return false;
  return true;
}

function isSatisfied(expression: FilterExpression, row: ReadRow): boolean {
  const { column } = expression;
  const found = row.value(column);
  if (found === null) return false;
  switch (expression.kind) {
    case 'comparison':
      return compares(expression.operator, compareAnyValues(column.type, found, expression.value));
    case 'alike':
      return expression.fold(found.toString('utf8')) === expression.folded;
    case 'in':
      return expression.values.some((value) => compareAnyValues(column.type, found, value) === 0);
    case 'contains':
      return containsValue(column.type, found, expression.value);
    case 'containsKey':
      return entryOf(column.type, found, expression.value) !== undefined;
    case 'entry': {
      const value = entryOf(column.type, found, expression.key);
      return (
        value !== undefined &&
        column.type.kind === 'map' &&
        compareAnyValues(column.type.value, value, expression.value) === 0
      );
    }
  }
}

function compares(operator: FilterOperator, order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** Also of types without an order of their own: a counter's total is a number, and of durations only equality is asked. */
function compareAnyValues(type: CqlType, left: Buffer, right: Buffer): number {
  if (type.kind === 'counter') return compareCqlValues({ kind: 'bigint' }, left, right);
  return canBeClustering(type) ? compareCqlValues(type, left, right) : Buffer.compare(left, right);
}

function containsValue(type: CqlType, found: Buffer, value: Buffer): boolean {
  if (type.kind === 'map') {
    return inPairs(readCollection(found, 2)).some(
      ([, held]) => compareAnyValues(type.value, held, value) === 0,
    );
  }
  if (type.kind !== 'list' && type.kind !== 'set') return false;
  return readCollection(found, 1).some((held) => compareAnyValues(type.element, held, value) === 0);
}

function entryOf(type: CqlType, found: Buffer, key: Buffer): Buffer | undefined {
  if (type.kind !== 'map') return undefined;
  return inPairs(readCollection(found, 2)).find(([held]) => compareAnyValues(type.key, held, key) === 0)?.[1];
}
