import type { ColumnSpec } from '../../execution/cql/column-spec.ts';
import type { BoundValue } from '../../execution/cql/statement-request.ts';
import { printCqlLiteral } from '../../values/cql-text.ts';
import type { QueryParameters } from './requests/query-parameters.ts';

const maxValueLength = 1_000;

/** The parameters of a trace, under Cassandra's names. */
export function parametersForTrace(
  { pageSize, consistency, serialConsistency }: QueryParameters,
  text: string | undefined,
  bound?: { readonly variables: readonly ColumnSpec[]; readonly values: readonly BoundValue[] },
): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  bound?.variables.forEach(({ name, type }, at) => {
    parameters.set(`bound_var_${at}_${name}`, printBound(type, bound.values[at]));
  });
  parameters.set('consistency_level', consistency);
  if (pageSize !== undefined) parameters.set('page_size', String(pageSize));
  if (text !== undefined) parameters.set('query', text);
  parameters.set('serial_consistency_level', serialConsistency);
  return parameters;
}

function printBound(type: ColumnSpec['type'], value: BoundValue): string {
  if (value === undefined) return '<unset>';
  const printed = printOrHex(type, value);
  return printed.length <= maxValueLength ? printed : `${printed.slice(0, maxValueLength)}...'`;
}

/** It was not checked yet, and a trace must not fail before the statement does. */
function printOrHex(type: ColumnSpec['type'], value: Buffer | null): string {
  try {
    return printCqlLiteral(type, value);
  } catch {
    return value === null ? 'null' : `0x${value.toString('hex')}`;
  }
}
