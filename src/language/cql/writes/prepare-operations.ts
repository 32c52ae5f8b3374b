// What SET and the list after DELETE say, checked against the columns (Cassandra's Operation).

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type CqlType, isMultiCell, type UserType } from '../../../values/cql-type.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { TypedTerm } from '../expressions/typed-term.ts';
import { printTerm } from '../print-term.ts';
import type { Deletion } from '../statements/delete.ts';
import type { Assignment } from '../statements/update.ts';
import type { Term } from '../terms.ts';
import {
  addToCounterColumn,
  addToValue,
  appendToColumn,
  deleteField,
  deleteKey,
  deleteListElement,
  discardFromList,
  discardKeys,
  prependToList,
  setField,
  setListElement,
  setMapEntry,
} from './change-column.ts';
import type { ColumnOperation } from './column-operation.ts';
import { indexable } from './indexable.ts';
import { setColumn } from './set-column.ts';
import { columnSpec, specOf } from './target-table.ts';

export function prepareSet(
  table: TableSchema,
  column: ColumnSchema,
  term: Term,
  context: TermContext,
): ColumnOperation {
  const value = prepareTerm(term, columnSpec(table, column), context);
  refuseSettingCounter(column);
  return setColumn(column, indexable(table, column, value));
}

export function refuseSettingCounter({ name, type }: ColumnSchema): void {
  if (type.kind !== 'counter') return;
  throw invalidRequest(
    `Cannot set the value of counter column ${name} (counters can only be incremented/decremented, not set)`,
  );
}

/** `isConditional`: the statement has an IF, and so reads the row. */
export function prepareAssignment(
  table: TableSchema,
  column: ColumnSchema,
  assignment: Assignment,
  isConditional: boolean,
  context: TermContext,
): ColumnOperation {
  const whole = (): TypedTerm =>
    indexable(table, column, prepareTerm(assignment.term, columnSpec(table, column), context));
  switch (assignment.kind) {
    case 'set':
      return prepareSet(table, column, assignment.term, context);
    case 'setElement':
      return prepareElement(table, column, assignment, context);
    case 'setField':
      return prepareField(table, column, assignment, context);
    case 'append':
      return prepareAddition(column, assignment.term, whole, isConditional);
    case 'remove':
      return prepareRemoval(table, column, assignment.term, whole, context);
    case 'prepend': {
      const value = whole();
      const text = `${column.name} = ${printTerm(assignment.term)} - ${column.name}`;
      if (column.type.kind !== 'list') throw invalidOperation(text, `non list column ${column.name}`);
      if (!isMultiCell(column.type)) throw invalidOperation(text, `frozen list column ${column.name}`);
      return prependToList(column, value);
    }
  }
}

function prepareElement(
  table: TableSchema,
  column: ColumnSchema,
  { key, term }: Extract<Assignment, { kind: 'setElement' }>,
  context: TermContext,
): ColumnOperation {
  const { name, type } = column;
  const text = `${name}[${printTerm(key)}] = ${printTerm(term)}`;
  if (!isCollection(type)) throw invalidOperation(text, `non collection column ${name}`);
  if (!isMultiCell(type)) throw invalidOperation(text, `frozen collection column ${name}`);
  const elementTerm = (element: CqlType): TypedTerm =>
    indexable(table, column, prepareTerm(term, specOf(table, `value(${name})`, element), context), 'value');
  switch (type.kind) {
    case 'list':
      return setListElement(
        column,
        prepareTerm(key, indexSpec(table, column), context),
        elementTerm(type.element),
      );
    case 'map':
      return setMapEntry(
        column,
        indexable(table, column, prepareTerm(key, specOf(table, `key(${name})`, type.key), context), 'key'),
        elementTerm(type.value),
      );
    default:
      throw invalidOperation(text, `set column ${name}`);
  }
}

function prepareField(
  table: TableSchema,
  column: ColumnSchema,
  { field, term }: Extract<Assignment, { kind: 'setField' }>,
  context: TermContext,
): ColumnOperation {
  const { name, type } = column;
  const text = `${name}.${field} = ${printTerm(term)}`;
  if (type.kind !== 'udt') throw invalidOperation(text, `non-UDT column ${name}`);
  if (!isMultiCell(type)) throw invalidOperation(text, `frozen UDT column ${name}`);
  const [index, fieldType] = fieldNamed(type, name, field);
  return setField(column, index, prepareTerm(term, specOf(table, `${name}.${field}`, fieldType), context));
}

function fieldNamed(type: UserType, column: string, field: string): readonly [number, CqlType] {
  const index = type.fields.findIndex((one) => one.name === field);
  const found = type.fields[index];
  if (found !== undefined) return [index, found.type];
  throw invalidRequest(`UDT column ${column} does not have a field named ${field}`);
}

function prepareAddition(
  column: ColumnSchema,
  term: Term,
  whole: () => TypedTerm,
  isConditional: boolean,
): ColumnOperation {
  const { name, type } = column;
  const text = `${name} = ${name} + ${printTerm(term)}`;
  if (!isCollection(type)) {
    if (type.kind === 'tuple' || type.kind === 'udt') throw invalidOperation(text, `tuple column ${name}`);
    if (isConditional && !isNumberOrText(type)) {
      throw invalidOperation(text, `non-numeric and non-text type ${name}`);
    }
    if (!isConditional && type.kind !== 'counter') throw invalidOperation(text, `non counter column ${name}`);
    const value = whole();
    return type.kind === 'counter' ? addToCounterColumn(column, value, 1n) : addToValue(column, value);
  }
  if (!isMultiCell(type)) throw invalidOperation(text, `frozen collection column ${name}`);
  if (type.kind !== 'map') return appendToColumn(column, whole());
  const value = orRefuse(whole, `Value for a map addition has to be a map, but was: '${printTerm(term)}'`);
  return appendToColumn(column, value);
}

function prepareRemoval(
  table: TableSchema,
  column: ColumnSchema,
  term: Term,
  whole: () => TypedTerm,
  context: TermContext,
): ColumnOperation {
  const { name, type } = column;
  const text = `${name} = ${name} - ${printTerm(term)}`;
  if (!isCollection(type)) {
    if (type.kind !== 'counter') throw invalidOperation(text, `non counter column ${name}`);
    return addToCounterColumn(column, whole(), -1n);
  }
  if (!isMultiCell(type)) throw invalidOperation(text, `frozen collection column ${name}`);
  switch (type.kind) {
    case 'list':
      return discardFromList(column, whole());
    case 'map': {
      const keys: CqlType = { kind: 'set', element: type.key, frozen: false };
      const prepareKeys = (): TypedTerm => prepareTerm(term, specOf(table, name, keys), context);
      const reason = `Value for a map substraction has to be a set, but was: '${printTerm(term)}'`;
      return discardKeys(column, orRefuse(prepareKeys, reason));
    }
    default:
      return discardKeys(column, whole());
  }
}

export function prepareDeletion(
  table: TableSchema,
  column: ColumnSchema,
  deletion: Deletion,
  context: TermContext,
): ColumnOperation {
  const { name, type } = column;
  switch (deletion.kind) {
    case 'column':
      return deleteColumn(column);
    case 'field': {
      if (type.kind !== 'udt')
        throw invalidRequest(`Invalid field deletion operation for non-UDT column ${name}`);
      if (!isMultiCell(type))
        throw invalidRequest(`Frozen UDT column ${name} does not support field deletions`);
      return deleteField(column, fieldNamed(type, name, deletion.field)[0]);
    }
    case 'element':
      if (!isCollection(type))
        throw invalidRequest(`Invalid deletion operation for non collection column ${name}`);
      if (!isMultiCell(type))
        throw invalidRequest(`Invalid deletion operation for frozen collection column ${name}`);
      return prepareElementDeletion(table, column, deletion.key, context);
  }
}

function prepareElementDeletion(
  table: TableSchema,
  column: ColumnSchema,
  key: Term,
  context: TermContext,
): ColumnOperation {
  const { name, type } = column;
  if (type.kind === 'list')
    return deleteListElement(column, prepareTerm(key, indexSpec(table, column), context));
  const [what, keyType] =
    type.kind === 'map' ? (['key', type.key] as const) : (['value', elementOf(type)] as const);
  return deleteKey(column, prepareTerm(key, specOf(table, `${what}(${name})`, keyType), context));
}

function deleteColumn(column: ColumnSchema): ColumnOperation {
  const hasCells = isMultiCell(column.type);
  return {
    column,
    requiresRead: false,
    apply(step, { timestamp, nowSeconds, tombstone }) {
      if (hasCells) step.cells(column.id, { timestamp, second: nowSeconds }, []);
      else step.cell(column.id, tombstone);
    },
  };
}

function indexSpec(table: TableSchema, { name }: ColumnSchema): ReturnType<typeof specOf> {
  return specOf(table, `idx(${name})`, { kind: 'int' });
}

function elementOf(type: CqlType): CqlType {
  return type.kind === 'set' || type.kind === 'list' ? type.element : type;
}

function isCollection(type: CqlType): type is Extract<CqlType, { kind: 'list' | 'set' | 'map' }> {
  return type.kind === 'list' || type.kind === 'set' || type.kind === 'map';
}

const numbersAndTexts: ReadonlySet<CqlType['kind']> = new Set([
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'varint',
  'decimal',
  'float',
  'double',
  'counter',
  'ascii',
  'text',
]);

function isNumberOrText({ kind }: CqlType): boolean {
  return numbersAndTexts.has(kind);
}

/** Whatever is wrong with the term, Cassandra says only what it should have been. */
function orRefuse(prepare: () => TypedTerm, reason: string): TypedTerm {
  try {
    return prepare();
  } catch (error) {
    throw error instanceof RingfoldError && error.code === 'bad-request' ? invalidRequest(reason) : error;
  }
}

function invalidOperation(text: string, what: string): RingfoldError {
  return invalidRequest(`Invalid operation (${text}) for ${what}`);
}
