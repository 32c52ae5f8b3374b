// The conditions of a lightweight transaction on columns (Cassandra's ColumnCondition).

import { invalidRequest } from '../../../errors/invalid-request.ts';
import { inPairs } from '../../../values/cql-codec.ts';
import { readCollection, readFields } from '../../../values/cql-elements.ts';
import { compareCqlValues } from '../../../values/cql-order.ts';
import type { CqlRow } from '../../../values/cql-row.ts';
import { type CqlType, hasDuration, isMultiCell } from '../../../values/cql-type.ts';
import { encodeCellPath } from '../../../values/ordered-key.ts';
import { fieldPath } from './cell-paths.ts';
import { cellsOf, cellValue, liveValue } from './live-values.ts';
import type { ColumnTest, TestOperator } from './partition-write.ts';

/** The row holds live cells only; undefined where there is none, which is as one whose columns are all null. */
export function holds(test: ColumnTest, row: CqlRow | undefined): boolean {
  const { part, type, operator } = test;
  if (test.isUnset && !isSoughtInCells(test)) throw unsetInCondition();
  switch (part.kind) {
    case 'element': {
      const present = elementOf(test, part.key, row);
      return test.values.some((value) => compares(operator, elementType(type), value, present));
    }
    case 'field': {
      const fieldType = type.kind === 'udt' ? type.fields[part.index]?.type : undefined;
      const present = fieldOf(test, part.index, row);
      return test.values.some((value) => compares(operator, fieldType ?? type, value, present));
    }
    case 'whole': {
      const present = liveValue(row, test.columnId, type);
      return isMultiCell(type) && type.kind !== 'udt'
        ? collectionHolds(test, present)
        : test.values.some((value) => compares(operator, type, value, present));
    }
  }
}

/** Cassandra finds nothing that was not set among the cells of a collection; anywhere else it is refused. */
function isSoughtInCells({ part, type, operator }: ColumnTest): boolean {
  const isContains = operator === 'CONTAINS' || operator === 'CONTAINS KEY';
  return isContains && part.kind === 'whole' && isMultiCell(type);
}

function unsetInCondition(): Error {
  return invalidRequest("Invalid 'unset' value in condition");
}

/** What one value in a condition says; null is told apart as Cassandra does. */
function compares(
  operator: TestOperator,
  type: CqlType,
  value: Buffer | null,
  present: Buffer | null,
): boolean {
  if (value === null) {
    if (operator === '=') return present === null;
    if (operator === '!=') return present !== null;
    throw invalidRequest(`Invalid comparison with null for operator "${operator}"`);
  }
  if (present === null) return operator === '!=';
  if (operator === 'CONTAINS' || operator === 'CONTAINS KEY') return contains(operator, type, present, value);
  return isSatisfied(operator, order(type, present, value));
}

/** A collection of many cells: none of them, null and the empty one are alike. */
function collectionHolds({ type, operator, values }: ColumnTest, present: Buffer | null): boolean {
  const isContains = operator === 'CONTAINS' || operator === 'CONTAINS KEY';
  for (const value of values) {
    const isNothing = value === null || (!isContains && value.readUInt32BE() === 0);
    if (isNothing) {
      if (operator === '!=') return present !== null;
      if (operator !== '=') {
        const what = value === null ? 'null' : `an empty ${type.kind}`;
        throw invalidRequest(`Invalid comparison with ${what} for operator "${operator}"`);
      }
      if (present === null) return true;
      continue;
    }
    if (present === null) {
      if (operator === '!=') return true;
      continue;
    }
    if (
      isContains
        ? contains(operator, type, present, value)
        : isSatisfied(operator, order(type, present, value))
    )
      return true;
  }
  return false;
}

function contains(
  operator: 'CONTAINS' | 'CONTAINS KEY',
  type: CqlType,
  collection: Buffer,
  value: Buffer,
): boolean {
  if (type.kind === 'map') {
    const [at, sought] = operator === 'CONTAINS KEY' ? ([0, type.key] as const) : ([1, type.value] as const);
    return inPairs(readCollection(collection, 2)).some((entry) => order(sought, entry[at], value) === 0);
  }
  if (type.kind !== 'list' && type.kind !== 'set') return false;
  return readCollection(collection, 1).some((element) => order(type.element, element, value) === 0);
}

function elementOf(
  { columnId, type }: ColumnTest,
  key: Buffer | null | 'unset',
  row: CqlRow | undefined,
): Buffer | null {
  if (key === 'unset') {
    // As in Cassandra no entry of a map has such a key; of a list it fails.
    if (type.kind === 'map') return null;
    throw unsetInCondition();
  }
  if (key === null) {
    throw invalidRequest(`Invalid null value for ${type.kind === 'map' ? 'map' : 'list'} element access`);
  }
  if (type.kind === 'map') {
    if (isMultiCell(type)) {
      const path = encodeCellPath(type.key, key);
      const entry = row === undefined ? undefined : cellsOf(row, columnId).find((cell) => cell.path === path);
      return entry === undefined ? null : cellValue(entry.cell);
    }
    const value = liveValue(row, columnId, type);
    if (value === null) return null;
    return (
      inPairs(readCollection(value, 2)).find(([mapKey]) => order(type.key, mapKey, key) === 0)?.[1] ?? null
    );
  }
  const index = key.readInt32BE();
  if (index < 0) throw invalidRequest(`Invalid negative list index ${index}`);
  const value = liveValue(row, columnId, type);
  return value === null ? null : (readCollection(value, 1)[index] ?? null);
}

function fieldOf({ columnId, type }: ColumnTest, index: number, row: CqlRow | undefined): Buffer | null {
  if (isMultiCell(type)) {
    const path = fieldPath(index);
    const entry = row === undefined ? undefined : cellsOf(row, columnId).find((cell) => cell.path === path);
    return entry === undefined ? null : cellValue(entry.cell);
  }
  const value = liveValue(row, columnId, type);
  return value === null || type.kind !== 'udt'
    ? null
    : (readFields(value, type.fields.length)[index] ?? null);
}

function elementType(type: CqlType): CqlType {
  if (type.kind === 'map') return type.value;
  return type.kind === 'list' || type.kind === 'set' ? type.element : type;
}

function isSatisfied(
  operator: Exclude<TestOperator, 'CONTAINS' | 'CONTAINS KEY'>,
  difference: number,
): boolean {
  switch (operator) {
    case '=':
      return difference === 0;
    case '!=':
      return difference !== 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
  }
}

/** Durations have no order, but they are the same or they are not. */
function order(type: CqlType, left: Buffer, right: Buffer): number {
  return hasDuration(type) ? Buffer.compare(left, right) : compareCqlValues(type, left, right);
}
