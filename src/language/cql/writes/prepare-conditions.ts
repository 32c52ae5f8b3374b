// What follows IF (Cassandra's ColumnCondition.Raw).

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { ColumnTest, TestOperator } from '../../../execution/cql/writes/partition-write.ts';
import { readCollection } from '../../../values/cql-elements.ts';
import { type CqlType, hasDuration } from '../../../values/cql-type.ts';
import type { Condition } from '../conditions.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import { hashOfBytes, hashOfColumnName, hashOfPair } from '../java-hash-order.ts';
import { existingColumn, isKeyColumn, specOf } from './target-table.ts';

export interface PreparedTest {
  readonly column: ColumnSchema;
  bind(bindings: Bindings): BoundTest;
}

export interface BoundTest {
  readonly test: ColumnTest;
  /** Of what it is about, by which Cassandra finds the order to look at conditions in. */
  readonly hash: number;
}

/** Undefined where the value is not set. */
type ConditionValues = (bindings: Bindings) => readonly (Buffer | null)[] | undefined;

const noBytes = Buffer.alloc(0);

export type PreparedCondition = 'exists' | 'not-exists' | ColumnConditions;

export interface ColumnConditions {
  readonly regulars: readonly PreparedTest[];
  readonly statics: readonly PreparedTest[];
}

export function prepareConditions(
  table: TableSchema,
  conditions: readonly Condition[],
  context: TermContext,
): ColumnConditions {
  const regulars: PreparedTest[] = [];
  const statics: PreparedTest[] = [];
  for (const condition of conditions) {
    const column = existingColumn(table, condition.target.column);
    const test = prepareTest(table, column, condition, context);
    if (isKeyColumn(column))
      throw invalidRequest(`PRIMARY KEY column '${column.name}' cannot have IF conditions`);
    (column.kind === 'static' ? statics : regulars).push(test);
  }
  return { regulars, statics };
}

function prepareTest(
  table: TableSchema,
  column: ColumnSchema,
  condition: Condition,
  context: TermContext,
): PreparedTest {
  const { type } = column;
  if (type.kind === 'counter') throw invalidRequest('Conditions on counters are not supported');
  const { target } = condition;
  const operator = condition.kind === 'in' ? 'IN' : condition.operator;
  switch (target.kind) {
    case 'element': {
      const { key: keySpec, value: valueSpec } = elementSpecs(table, column);
      refuseDurations(valueSpec.type, operator);
      const key = prepareTerm(target.key, keySpec, context);
      const values = prepareValues(condition, valueSpec, context);
      return testOf(column, operator, values, (bindings) => {
        const element = key.evaluate(bindings);
        return { kind: 'element', key: element === undefined ? 'unset' : element };
      });
    }
    case 'field': {
      const spec = fieldSpec(table, column, target.field);
      refuseDurations(spec.type, operator);
      const index = type.kind === 'udt' ? type.fields.findIndex(({ name }) => name === target.field) : -1;
      const part = { kind: 'field', index } as const;
      return testOf(column, operator, prepareValues(condition, spec, context), () => part);
    }
    case 'column': {
      refuseDurations(type, operator);
      const part = { kind: 'whole' } as const;
      const values = prepareValues(condition, specOf(table, column.name, type), context);
      return testOf(column, operator, values, () => part);
    }
  }
}

function testOf(
  column: ColumnSchema,
  operator: TestOperator | 'IN',
  values: ConditionValues,
  part: (bindings: Bindings) => ColumnTest['part'],
): PreparedTest {
  const nameHash = hashOfColumnName(column.name);
  return {
    column,
    bind: (bindings) => {
      const bound = part(bindings);
      const held = values(bindings);
      const test: ColumnTest = {
        columnId: column.id,
        type: column.type,
        part: bound,
        operator: operator === 'IN' ? '=' : operator,
        values: held ?? [],
        isUnset: held === undefined,
      };
      return { test, hash: hashOfPair(nameHash, elementHash(bound)) };
    },
  };
}

function elementHash(part: ColumnTest['part']): number {
  if (part.kind !== 'element' || part.key === null) return 0;
  return hashOfBytes(part.key === 'unset' ? noBytes : part.key);
}

function elementSpecs(
  table: TableSchema,
  { name, type }: ColumnSchema,
): { readonly key: ColumnSpec; readonly value: ColumnSpec } {
  switch (type.kind) {
    case 'list':
      return {
        key: specOf(table, `idx(${name})`, { kind: 'int' }),
        value: specOf(table, `value(${name})`, type.element),
      };
    case 'map':
      return {
        key: specOf(table, `key(${name})`, type.key),
        value: specOf(table, `value(${name})`, type.value),
      };
    case 'set':
      throw invalidRequest(`Invalid element access syntax for set column ${name}`);
    default:
      throw invalidRequest(`Invalid element access syntax for non-collection column ${name}`);
  }
}

function fieldSpec(table: TableSchema, { name, type }: ColumnSchema, field: string): ColumnSpec {
  const found = type.kind === 'udt' ? type.fields.find((one) => one.name === field) : undefined;
  if (found === undefined) throw invalidRequest(`Unknown field ${field} for column ${name}`);
  return specOf(table, `${name}.${field}`, found.type);
}

function prepareValues(condition: Condition, receiver: ColumnSpec, context: TermContext): ConditionValues {
  if (condition.kind === 'in') return prepareIn(condition.values, receiver, context);
  const term = prepareTerm(condition.term, soughtIn(condition.operator, receiver), context);
  return (bindings) => {
    const value = term.evaluate(bindings);
    return value === undefined ? undefined : [value];
  };
}

function prepareIn(
  values: Extract<Condition, { kind: 'in' }>['values'],
  receiver: ColumnSpec,
  context: TermContext,
): ConditionValues {
  if (!('kind' in values)) {
    const terms = values.map((term) => prepareTerm(term, receiver, context));
    return (bindings) => terms.map((term) => term.evaluate(bindings)).filter((value) => value !== undefined);
  }
  const type: CqlType = { kind: 'list', element: receiver.type, frozen: false };
  const list = prepareTerm(values, { ...receiver, name: `in(${receiver.name})`, type }, context);
  return (bindings) => {
    const value = list.evaluate(bindings);
    if (value === null) throw invalidRequest('Invalid null list in IN condition');
    if (value === undefined) throw invalidRequest("Invalid 'unset' value in condition");
    return readCollection(value, 1);
  };
}

/** CONTAINS is given an element, CONTAINS KEY a key. */
function soughtIn(operator: TestOperator, receiver: ColumnSpec): ColumnSpec {
  const { type, name } = receiver;
  if (operator === 'CONTAINS KEY') {
    if (type.kind !== 'map') throw invalidRequest(`Cannot use CONTAINS KEY on non-map column ${name}`);
    return { ...receiver, name: `key(${name})`, type: type.key };
  }
  if (operator !== 'CONTAINS') return receiver;
  if (type.kind === 'map') return { ...receiver, name: `value(${name})`, type: type.value };
  if (type.kind === 'list' || type.kind === 'set') {
    return { ...receiver, name: `value(${name})`, type: type.element };
  }
  throw invalidRequest(`Cannot use CONTAINS on non-collection column ${name}`);
}

function refuseDurations(type: CqlType, operator: TestOperator | 'IN'): void {
  const isSlice = operator.startsWith('<') || operator.startsWith('>');
  if (!isSlice || !hasDuration(type)) return;
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'map':
      throw invalidRequest('Slice conditions are not supported on collections containing durations');
    case 'tuple':
      throw invalidRequest('Slice conditions are not supported on tuples containing durations');
    case 'udt':
      throw invalidRequest('Slice conditions are not supported on UDTs containing durations');
    default:
      throw invalidRequest(`Slice conditions ( ${operator} ) are not supported on durations`);
  }
}
