// What UPDATE does to parts of a column: `c = c + x`, `c[k] = x`, `c.f = x`; and to counters.

import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { fieldPath, keyedCell, pathTypeOf } from '../../../execution/cql/writes/cell-paths.ts';
import { readCollection } from '../../../values/cql-elements.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import type { TypedTerm } from '../expressions/typed-term.ts';
import type { ColumnOperation } from './column-operation.ts';
import { cellsOfValue, listCell } from './set-column.ts';
import { liveCell } from './step-builder.ts';

export function appendToColumn(column: ColumnSchema, term: TypedTerm): ColumnOperation {
  return {
    column,
    requiresRead: false,
    apply(step, moment) {
      const value = term.evaluate(moment.bindings);
      if (value) step.cells(column.id, undefined, cellsOfValue(column.type, value, moment));
    },
  };
}

export function prependToList(column: ColumnSchema, term: TypedTerm): ColumnOperation {
  return {
    column,
    requiresRead: false,
    apply(step, moment) {
      const value = term.evaluate(moment.bindings);
      if (!value) return;
      const fromLast = readCollection(value, 1).reverse();
      const cells = fromLast.map((element) => listCell(moment.ticks.previousUuid(), element, moment));
      step.cells(column.id, undefined, cells);
    },
  };
}

/** The values of a list, wherever they are in it. */
export function discardFromList(column: ColumnSchema, term: TypedTerm): ColumnOperation {
  return {
    column,
    requiresRead: true,
    apply(step, { bindings, tombstone }) {
      const value = term.evaluate(bindings);
      if (!value) return;
      step.edit({ kind: 'list-discard', columnId: column.id, values: readCollection(value, 1), tombstone });
    },
  };
}

/** Elements of a set, keys of a map. */
export function discardKeys(column: ColumnSchema, term: TypedTerm): ColumnOperation {
  const keyType = pathTypeOf(column.type);
  return {
    column,
    requiresRead: false,
    apply(step, { bindings, tombstone }) {
      const value = term.evaluate(bindings);
      if (!value) return;
      const keys = readCollection(value, 1);
      step.cells(
        column.id,
        undefined,
        keys.map((key) => keyedCell(keyType, key, tombstone)),
      );
    },
  };
}

export function setListElement(column: ColumnSchema, index: TypedTerm, term: TypedTerm): ColumnOperation {
  return {
    column,
    requiresRead: true,
    apply(step, moment) {
      const at = index.evaluate(moment.bindings);
      const value = term.evaluate(moment.bindings);
      if (at === undefined) throw invalidRequest('Invalid unset value for list index');
      const cell = value === null ? moment.tombstone : value && liveCell(moment, value);
      step.edit({ kind: 'list-set', columnId: column.id, index: indexOf(at), cell });
    },
  };
}

export function deleteListElement(column: ColumnSchema, index: TypedTerm): ColumnOperation {
  return {
    column,
    requiresRead: true,
    apply(step, { bindings, tombstone }) {
      const at = index.evaluate(bindings);
      if (at === undefined) return;
      step.edit({ kind: 'list-remove', columnId: column.id, index: indexOf(at), tombstone });
    },
  };
}

export function setMapEntry(column: ColumnSchema, key: TypedTerm, term: TypedTerm): ColumnOperation {
  const keyType = pathTypeOf(column.type);
  return {
    column,
    requiresRead: false,
    apply(step, moment) {
      const bytes = key.evaluate(moment.bindings);
      const value = term.evaluate(moment.bindings);
      const found = presentKey(bytes, 'map key');
      if (value === undefined) return;
      const cell = value === null ? moment.tombstone : liveCell(moment, value);
      step.cells(column.id, undefined, [keyedCell(keyType, found, cell)]);
    },
  };
}

/** `DELETE m['k']`, `DELETE s['e']`. */
export function deleteKey(column: ColumnSchema, key: TypedTerm): ColumnOperation {
  const isMap = column.type.kind === 'map';
  const keyType: CqlType = pathTypeOf(column.type);
  return {
    column,
    requiresRead: false,
    apply(step, { bindings, tombstone }) {
      const value = key.evaluate(bindings);
      // Of a set Cassandra then deletes nothing; of a map it refuses.
      if (value === undefined && !isMap) return;
      const bytes = presentKey(value, isMap ? 'map key' : 'set element');
      step.cells(column.id, undefined, [keyedCell(keyType, bytes, tombstone)]);
    },
  };
}

export function setField(column: ColumnSchema, index: number, term: TypedTerm): ColumnOperation {
  const path = fieldPath(index);
  return {
    column,
    requiresRead: false,
    apply(step, moment) {
      const value = term.evaluate(moment.bindings);
      if (value === undefined) return;
      const cell = value === null ? moment.tombstone : liveCell(moment, value);
      step.cells(column.id, undefined, [{ path, pathAsWritten: undefined, cell }]);
    },
  };
}

export function deleteField(column: ColumnSchema, index: number): ColumnOperation {
  const path = fieldPath(index);
  return {
    column,
    requiresRead: false,
    apply(step, { tombstone }) {
      step.cells(column.id, undefined, [{ path, pathAsWritten: undefined, cell: tombstone }]);
    },
  };
}

export function addToCounterColumn(column: ColumnSchema, term: TypedTerm, sign: 1n | -1n): ColumnOperation {
  return {
    column,
    requiresRead: false,
    apply(step, { bindings, timestamp }) {
      const value = term.evaluate(bindings);
      // No bytes at all are a bigint too; Cassandra fails on them with an error of Java's.
      if (value === null || value?.length === 0)
        throw invalidRequest('Invalid null value for counter increment');
      if (value === undefined) return;
      const amount = value.readBigInt64BE();
      if (sign === -1n && amount === -(2n ** 63n)) {
        throw invalidRequest(
          `The negation of ${amount} overflows supported counter precision (signed 8 bytes integer)`,
        );
      }
      step.edit({ kind: 'add-counter', columnId: column.id, increment: sign * amount, timestamp });
    },
  };
}

/** `v = v + 1`, which only a conditional update may say of a number or a text: it has read the row. */
export function addToValue(column: ColumnSchema, term: TypedTerm): ColumnOperation {
  return {
    column,
    requiresRead: true,
    apply(step, { bindings, timestamp, expiry }) {
      const value = term.evaluate(bindings);
      if (!value) return;
      step.edit({ kind: 'add', columnId: column.id, type: column.type, value, timestamp, expiry });
    },
  };
}

function indexOf(bytes: Buffer | null): number {
  if (bytes === null) throw invalidRequest('Invalid null value for list index');
  return bytes.readInt32BE();
}

function presentKey(bytes: Buffer | null | undefined, what: string): Buffer {
  if (bytes === null) throw invalidRequest(`Invalid null ${what}`);
  if (bytes === undefined) throw invalidRequest(`Invalid unset ${what}`);
  return bytes;
}
