import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { freeze } from '../../../../values/cql-type.ts';
import { resolveType } from '../../definitions/resolve-type.ts';
import type { QualifiedName } from '../../names.ts';
import type { Selectable } from '../../selectors.ts';
import type { Term } from '../../terms.ts';
import { operatorNames } from '../functions/operator-names.ts';
import { printFunctionName, resolveFunction } from '../functions/resolve-function.ts';
import { printHintedType } from '../hint-text.ts';
import { untypedTerm } from '../prepare-term.ts';
import { selectCall } from './call.ts';
import { selectCast } from './cast.ts';
import { selectCellProperty } from './cell-property.ts';
import { findColumn, selectColumn } from './column.ts';
import { selectElement, selectSlice } from './element.ts';
import { selectField } from './field.ts';
import { selectArray, selectParentheses, selectSet } from './literals.ts';
import { selectMapOrUserType } from './map-or-user-type.ts';
import { selectTerm } from './term.ts';
import { selectHint } from './type-hint.ts';
import type { SelectionScope, UntypedSelectable } from './untyped-selectable.ts';

type Scope = Pick<SelectionScope, 'table' | 'context'>;

/** Looks up its columns and functions: both must exist. */
export function untypedSelectable(selectable: Selectable, scope: Scope): UntypedSelectable {
  const { table, context } = scope;
  const one = (inner: Selectable) => untypedSelectable(inner, scope);
  const all = (inner: readonly Selectable[]) => inner.map(one);
  const term = (inner: Term | null) => (inner === null ? null : untypedTerm(inner, context));
  switch (selectable.kind) {
    case 'constant':
    case 'marker':
    case 'null':
      return selectTerm(untypedTerm(selectable, context));
    case 'column':
      return selectColumn(findColumn(table, selectable.name));
    case 'countRows':
      return call({ keyspace: 'system', name: 'count_rows' }, [], scope);
    case 'function':
      return functionCall(selectable, scope);
    case 'negation':
      return call({ keyspace: 'system', name: '_negate' }, all([selectable.selectable]), scope);
    case 'operation': {
      const name = { keyspace: 'system', name: operatorNames[selectable.operator] };
      return call(name, all([selectable.left, selectable.right]), scope);
    }
    case 'cast':
      return selectCast(one(selectable.selectable), selectable.type);
    case 'cellProperty': {
      const column = findColumn(table, columnInside(selectable.selectable));
      return selectCellProperty(selectable.property, column, one(selectable.selectable));
    }
    case 'field': {
      const inside = selectable.selectable;
      const [only] = inside.kind === 'parentheses' ? all(inside.elements) : [];
      return selectField(one(inside), only, selectable.name);
    }
    case 'element':
      return selectElement(one(selectable.selectable), untypedTerm(selectable.key, context));
    case 'slice':
      return selectSlice(one(selectable.selectable), term(selectable.from), term(selectable.to));
    case 'typeHint': {
      const type = freeze(resolveType(selectable.type, context.schema, table.keyspace));
      return selectHint(printHintedType(selectable.type, table.keyspace), type, one(selectable.selectable));
    }
    case 'list':
      return selectArray(all(selectable.elements));
    case 'set':
      return selectSet(all(selectable.elements));
    case 'parentheses':
      return selectParentheses(all(selectable.elements));
    case 'mapOrUserType':
      return selectMapOrUserType(
        selectable.entries.map(({ key, value }) => {
          const fieldName = key.kind === 'column' ? key.name : undefined;
          return { fieldName, keyText: fieldName ?? one(key).text, key: () => one(key), value: one(value) };
        }),
      );
  }
}

/** What writetime and ttl are asked of: a column, or a part of one. */
function columnInside(selectable: Selectable): string {
  if (selectable.kind === 'column') return selectable.name;
  if (selectable.kind === 'field' || selectable.kind === 'element' || selectable.kind === 'slice') {
    return columnInside(selectable.selectable);
  }
  throw new Error('invariant broken: the grammar has only columns and parts of them here');
}

/** `count(1)`, with whatever literal, counts rows. */
function functionCall(
  { name, arguments: operands }: Extract<Selectable, { kind: 'function' }>,
  scope: Scope,
): UntypedSelectable {
  const isNative = name.keyspace === null || name.keyspace === 'system';
  if (isNative && name.name === 'count' && operands.length === 1 && operands[0]?.kind === 'constant') {
    return call({ keyspace: 'system', name: 'count_rows' }, [], scope);
  }
  return call(
    name,
    operands.map((operand) => untypedSelectable(operand, scope)),
    scope,
  );
}

function call(
  name: QualifiedName,
  operands: readonly UntypedSelectable[],
  { table, context }: Scope,
): UntypedSelectable {
  const found = resolveFunction(name, {
    operands,
    receiverType: undefined,
    schema: context.schema,
    keyspace: table.keyspace,
    table: table.name,
  });
  if (found === undefined) throw invalidRequest(`Unknown function '${printFunctionName(name)}'`);
  return selectCall(found, operands);
}
