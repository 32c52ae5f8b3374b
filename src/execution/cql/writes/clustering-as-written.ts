import { readFields, writeFields } from '../../../values/cql-elements.ts';
import type { KeyColumn } from '../../../values/key-component.ts';
import { isKeptByKey } from '../../../values/ordered-key.ts';

/** All clustering values, where the key would not give one of them back as it was written (`CqlRow.clusteringAsWritten`). */
export function clusteringAsWritten(
  columns: readonly KeyColumn[],
  values: readonly Buffer[],
): Buffer | undefined {
  for (const [at, { type }] of columns.entries()) {
    const value = values[at];
    if (value !== undefined && !isKeptByKey(type, value)) return writeFields(values);
  }
  return undefined;
}

/** @public */
export function readClusteringAsWritten(columns: readonly KeyColumn[], bytes: Buffer): Buffer[] {
  return readFields(bytes, columns.length).map((value) => value ?? Buffer.alloc(0));
}
