// Which relations an index makes possible without ALLOW FILTERING, as Cassandra's two kinds of index have it.

import type { ColumnSchema, IndexSchema } from '../../../catalog/cql/table-schema.ts';
import { isMultiCell } from '../../../values/cql-type.ts';
import type { Restriction } from './restriction.ts';

type IndexedOperator = 'equal' | 'range' | 'contains' | 'contains-key';

/** Whether one of the indexes can be used for the restriction. */
export function hasSupportingIndex(restriction: Restriction, indexes: readonly IndexSchema[]): boolean {
  return indexes.some((index) => isSupported(restriction, index));
}

/** Storage-attached indexes are used together; of the others only one is. */
export function indexGroups(indexes: readonly IndexSchema[]): readonly (readonly IndexSchema[])[] {
  const attached = indexes.filter(isStorageAttached);
  const others = indexes.filter((index) => !isStorageAttached(index)).map((index) => [index]);
  return attached.length === 0 ? others : [...others, attached];
}

/** Whether rows that a group of indexes finds must be looked at again for the restriction. */
export function needsFiltering(restriction: Restriction, group: readonly IndexSchema[]): boolean {
  if (restriction.kind === 'contains') {
    const { values, keys, entries } = restriction;
    const isOne = values.length + keys.length + entries.length === 1;
    return !group.some((index) => isSupported(restriction, index) && (isOne || isStorageAttached(index)));
  }
  return !restriction.columns.every((column) =>
    group.some((index) => supportsColumn(restriction, column, index)),
  );
}

function isStorageAttached({ options }: IndexSchema): boolean {
  return /(^|\.)(sai|StorageAttachedIndex)$/i.test(options.get('class_name') ?? '');
}

function isSupported(restriction: Restriction, index: IndexSchema): boolean {
  return restriction.columns.some((column) => supportsColumn(restriction, column, index));
}

function supportsColumn(restriction: Restriction, column: ColumnSchema, index: IndexSchema): boolean {
  if (index.column !== column.name) return false;
  return operatorsOf(restriction).some((operator) =>
    isStorageAttached(index)
      ? attachedSupports(index, column, operator)
      : plainSupports(index, column, operator),
  );
}

function operatorsOf(restriction: Restriction): readonly IndexedOperator[] {
  switch (restriction.kind) {
    case 'equal':
      return ['equal'];
    case 'in':
      return [];
    case 'slice':
      return ['range'];
    case 'contains': {
      const operators: IndexedOperator[] = [];
      if (restriction.values.length > 0) operators.push('contains');
      if (restriction.keys.length > 0) operators.push('contains-key');
      if (restriction.entries.length > 0) operators.push('equal');
      return operators;
    }
  }
}

function plainSupports({ target }: IndexSchema, { type }: ColumnSchema, operator: IndexedOperator): boolean {
  switch (target) {
    case 'simple':
    case 'full':
    case 'entries':
      return operator === 'equal';
    case 'values':
      return operator === 'contains';
    case 'keys':
      return operator === 'contains-key' || (operator === 'contains' && type.kind === 'set');
  }
}

function attachedSupports(
  { target }: IndexSchema,
  { type }: ColumnSchema,
  operator: IndexedOperator,
): boolean {
  if (isMultiCell(type)) {
    if (target === 'keys') return operator === 'contains-key';
    return target === 'entries' ? operator === 'equal' : operator === 'contains';
  }
  return operator === 'equal' || (operator === 'range' && target !== 'full' && hasRanges.has(type.kind));
}

/** Numbers and times; of texts, booleans and uuids such an index knows only which are equal. */
const hasRanges: ReadonlySet<string> = new Set([
  'bigint',
  'date',
  'decimal',
  'double',
  'float',
  'inet',
  'int',
  'smallint',
  'time',
  'timestamp',
  'timeuuid',
  'tinyint',
  'varint',
]);
