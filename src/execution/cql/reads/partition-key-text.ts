import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { printCqlText } from '../../../values/cql-text.ts';

/** A partition key for people, as lists of hot partitions and traces show it. */
export function partitionKeyText({ partitionKey }: TableSchema, values: readonly Buffer[]): string {
  const [column] = partitionKey;
  const [value] = values;
  if (partitionKey.length === 1 && column !== undefined && value !== undefined) {
    return printCqlText(column.type, value);
  }
  return partitionKey.map(({ type }, at) => printCqlText(type, values[at] ?? null)).join(':');
}
