import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import { printCqlJson, quoteJson } from '../../../values/cql-json.ts';

/** A row of SELECT JSON. A name that is not lower case is in quotes inside its quotes. */
export function printJsonRow(columns: readonly ColumnSpec[], values: readonly (Buffer | null)[]): Buffer {
  const members = columns.map(({ name, type }, at) => {
    const value = values[at] ?? null;
    const key = name === name.toLowerCase() ? name : `"${name}"`;
    return `${quoteJson(key)}: ${value === null ? 'null' : printCqlJson(type, value)}`;
  });
  return Buffer.from(`{${members.join(', ')}}`);
}
