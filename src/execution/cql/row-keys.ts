// Where the rows of a logical partition stand: container · ring position · partition key · kind · row key (docs/stored-forms.md).

import { assert } from '../../foundation/assert.ts';
import { type ByteString, concatBytes, emptyBytes, endOfPrefix } from '../../foundation/byte-string.ts';
import { cqlStoredKey, type LogicalPartition } from '../../partitioning/logical-partition.ts';

/** The header sorts before the rows, so a read of the whole partition meets it first. */
const kinds = { header: '\x01' as ByteString, row: '\x02' as ByteString } as const;

export function headerKey({ prefix }: Pick<LogicalPartition, 'prefix'>): ByteString {
  return concatBytes(prefix, kinds.header);
}

/** The clustering key is empty in a table without clustering columns. */
export function rowKey({ prefix }: LogicalPartition, clusteringKey: ByteString): ByteString {
  return concatBytes(prefix, kinds.row, clusteringKey);
}

/** The same, of the partition key's values. */
export function rowKeyOf(
  container: number,
  partitionKey: readonly Buffer[],
  clusteringKey: ByteString,
): ByteString {
  const rest = clusteringKey === emptyBytes ? kinds.row : concatBytes(kinds.row, clusteringKey);
  return cqlStoredKey(container, partitionKey, rest);
}

/** Rows with clustering keys from `from` (included) to `to` (excluded); undefined is the partition's end. */
export function rowRange(
  { prefix }: LogicalPartition,
  from: ByteString = emptyBytes,
  to?: ByteString,
): { readonly from: ByteString; readonly to: ByteString } {
  const rows = concatBytes(prefix, kinds.row);
  const end = to === undefined ? endOfPrefix(rows) : concatBytes(rows, to);
  assert(end !== undefined, 'rows are not the last of all keys');
  return { from: concatBytes(rows, from), to: end };
}
