import type { ColumnSchema, TableSchema } from '../../catalog/cql/table-schema.ts';
import { type ByteString, bytesOf } from '../../foundation/byte-string.ts';
import { containerPrefix, positionEnd } from '../../partitioning/logical-partition.ts';
import { printCqlLiteral } from '../../values/cql-text.ts';

const endMarkLength = 2;

/**
 * A logical partition as people know it: the values of its key. Heat is counted by what stored keys begin with, which costs nothing to
 * make; any other text is its own name already.
 */
export function printPartitionKey(
  { container, partitionKey }: TableSchema,
  logicalPartition: string,
): string {
  if (container === undefined || !logicalPartition.startsWith(containerPrefix(container)))
    return logicalPartition;
  const escaped = logicalPartition.slice(positionEnd, -endMarkLength);
  const bytes = bytesOf(escaped.replaceAll('\0\xff', '\0') as ByteString);
  return printKeyValues(partitionKey, partitionKey.length === 1 ? [bytes] : componentsOf(bytes));
}

/** As CQL would have them written. */
export function printKeyValues(partitionKey: readonly ColumnSchema[], values: readonly Buffer[]): string {
  const literals = partitionKey.map(({ type }, at) => printCqlLiteral(type, values[at] ?? null));
  return literals.length === 1 ? literals.join() : `(${literals.join(', ')})`;
}

/** Each is its length, itself, and a zero. */
function componentsOf(bytes: Buffer): Buffer[] {
  const components: Buffer[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const length = bytes.readUInt16BE(at);
    components.push(bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length + 1;
  }
  return components;
}
