import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { fitOfHint } from '../literals/type-hint.ts';
import type { UntypedSelectable } from './untyped-selectable.ts';

export function selectHint(typeText: string, type: CqlType, operand: UntypedSelectable): UntypedSelectable {
  const text = `(${typeText})${operand.text}`;
  return {
    text,
    isMarker: false,
    arrayLength: undefined,
    fit: (receiver) => fitOfHint(type, receiver),
    exactType: () => type,
    likelyType: () => type,
    prepare(_expected, scope) {
      const { keyspace, name: table } = scope.table;
      if (operand.fit({ keyspace, table, name: text, type }) === 'none') {
        throw invalidRequest(`Cannot assign value ${text} to ${text} of type ${printCqlType(type)}`);
      }
      const inner = operand.prepare(type, scope);
      return { ...inner, name: `(${typeText})${inner.name}`, type, column: undefined };
    },
  };
}
