import { quoteIfNeeded } from '../../../values/cql-type.ts';
import { printTerm } from '../print-term.ts';
import type { InValues, Relation } from '../relations.ts';

/** A relation as Cassandra repeats it in its messages. */
export function printRelation(relation: Relation): string {
  switch (relation.kind) {
    case 'comparison':
      return `${quoteIfNeeded(relation.column)} ${relation.operator} ${printTerm(relation.term)}`;
    case 'element': {
      const { column, key, operator, term } = relation;
      return `${quoteIfNeeded(column)}[${printTerm(key)}] ${operator} ${printTerm(term)}`;
    }
    case 'in':
      return `${quoteIfNeeded(relation.column)} IN ${printValues(relation.values)}`;
    case 'isNotNull':
      return `${quoteIfNeeded(relation.column)} IS NOT NULL`;
    case 'token':
      return `token${printColumns(relation.columns)} ${relation.operator} ${printTerm(relation.term)}`;
    case 'tupleComparison':
      return `${printColumns(relation.columns)} ${relation.operator} ${printTerm(relation.term)}`;
    case 'tupleIn':
      return `${printColumns(relation.columns)} IN ${printValues(relation.values)}`;
    case 'indexExpression':
      return `expr(${relation.index}, ${printTerm(relation.term)})`;
  }
}

function printColumns(columns: readonly string[]): string {
  return `(${columns.map(quoteIfNeeded).join(', ')})`;
}

function printValues(values: InValues): string {
  return 'kind' in values ? '?' : `(${values.map(printTerm).join(', ')})`;
}
