import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import type { BoundValue } from '../../../../execution/cql/statement-request.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { UntypedTerm } from '../untyped-term.ts';

export function valueSpec({ keyspace, table, name }: ColumnSpec, type: CqlType): ColumnSpec {
  return { keyspace, table, name: `value(${name})`, type };
}

export function keySpec({ keyspace, table, name }: ColumnSpec, type: CqlType): ColumnSpec {
  return { keyspace, table, name: `key(${name})`, type };
}

type CollectionKind = 'list' | 'set' | 'map';

export function checkElement(
  kind: CollectionKind | 'vector',
  part: 'key' | 'value',
  element: UntypedTerm,
  receiver: ColumnSpec,
  spec: ColumnSpec,
): void {
  if (element.fit(spec) !== 'none') return;
  throw invalidRequest(
    `Invalid ${kind} literal for ${receiver.name}: ${part} ${element.text} is not of type ${printCqlType(spec.type)}`,
  );
}

export function prepareElement(
  kind: CollectionKind,
  element: UntypedTerm,
  receiver: ColumnSpec,
  spec: ColumnSpec,
): TypedTerm {
  const term = element.prepare(spec);
  if (element.containsMarker) {
    throw invalidRequest(
      `Invalid ${kind} literal for ${receiver.name}: bind variables are not supported inside collection literals`,
    );
  }
  return term;
}

export function presentElements(values: readonly BoundValue[]): readonly Buffer[] {
  return values.map((value) => {
    if (!value) throw invalidRequest('null is not supported inside collections');
    return value;
  });
}
