import type { ColumnSchema } from '../../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { CellTimes } from '../../../../execution/cql/read-row.ts';
import { encodeCqlValue } from '../../../../values/cql-codec.ts';
import { longBytes } from '../../../../values/cql-text.ts';
import { type CqlType, isMultiCell } from '../../../../values/cql-type.ts';
import { fitOfType } from '../type-compatibility.ts';
import { latestTimes, printTimes } from './times-of-cells.ts';
import type { PreparedSelector, SelectorRun, UntypedSelectable } from './untyped-selectable.ts';

type Property = 'writetime' | 'maxwritetime' | 'ttl';

const int: CqlType = { kind: 'int' };
const bigint: CqlType = { kind: 'bigint' };

/** `writetime(a)`: one for each cell, where there are many; maxwritetime is one for them all. */
export function selectCellProperty(
  property: Property,
  column: ColumnSchema,
  operand: UntypedSelectable,
): UntypedSelectable {
  return {
    text: `${property}(${operand.text})`,
    isMarker: false,
    arrayLength: undefined,
    fit: (receiver) => fitOfType(typeOf(property, column.type), receiver.type),
    exactType: () => typeOf(property, column.type),
    likelyType: () => typeOf(property, column.type),
    prepare(expected, scope) {
      if (column.kind === 'partition_key' || column.kind === 'clustering') {
        throw invalidRequest(`Cannot use selection function ${property} on PRIMARY KEY part ${column.name}`);
      }
      const inner = operand.prepare(expected, scope);
      scope.reads.add(column);
      return propertySelector(property, inner);
    },
  };
}

function typeOf(property: Property, type: CqlType): CqlType {
  const single = property === 'ttl' ? int : bigint;
  if (property === 'maxwritetime' || !isMultiCell(type)) return single;
  return { kind: 'list', element: single, frozen: true };
}

function propertySelector(property: Property, inner: PreparedSelector): PreparedSelector {
  return {
    name: `${property}(${inner.name})`,
    type: typeOf(property, inner.type),
    isAggregate: false,
    column: undefined,
    begin: (bindings) => propertyRun(property, inner.begin(bindings)),
  };
}

function propertyRun(property: Property, inner: SelectorRun): SelectorRun {
  const print = property === 'ttl' ? printTtl : printTimestamp;
  let isSet = false;
  let output: Buffer | null = null;
  return {
    add(row) {
      if (isSet) return;
      isSet = true;
      inner.add(row);
      const times = inner.times();
      output = printTimes(property === 'maxwritetime' ? latestTimes(times) : times, print);
    },
    output: () => output,
    reset() {
      isSet = false;
      output = null;
      inner.reset();
    },
    times: () => 'none',
  };
}

function printTimestamp({ timestamp }: CellTimes): Buffer {
  return longBytes(timestamp);
}

function printTtl({ ttlSeconds }: CellTimes): Buffer | null {
  return encodeCqlValue(int, ttlSeconds ?? null);
}
