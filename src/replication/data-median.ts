// Where a partition's data divides in two halves. A small one is read row by row; of a large one the row store is asked how big
// ranges are, which costs no reading but knows nothing of logical partitions, so the cut is moved to the next key that is there.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { type ByteString, byteStringOf, bytesOf, concatBytes, keyAfter } from '../foundation/byte-string.ts';
import { containerPrefix, positionInKey } from '../partitioning/logical-partition.ts';
import type { PartitionKeyDefinition } from '../partitioning/partition-key.ts';
import { cutAtDataMedian, type PositionSample } from '../partitioning/partition-split.ts';
import type { RingPosition } from '../partitioning/ring-position.ts';
import { canonicalBoundary, type RingRange } from '../partitioning/ring-range.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { RowReader } from './row-reader.ts';

const smallBytes = 32 * 2 ** 20;
const page = { maxRows: 1_000, maxBytes: 2 ** 20, reverse: false };
/** The ring is halved by the first six bytes of a position: a number JavaScript counts in exactly. */
const bisectedBytes = 6;

export async function cutAtMedian(
  partition: ReplicatedPartition,
  range: RingRange,
  definition: PartitionKeyDefinition,
  reader: RowReader,
): Promise<RingPosition> {
  const sizeBytes = await reader.sizeOf(partition, partition);
  if (sizeBytes < smallBytes) {
    return cutAtDataMedian(range, await sampleAll(partition, definition, reader));
  }
  const half = await positionOfHalf(partition, range, reader, sizeBytes);
  const first = await nextPosition(partition.from, partition, definition, reader);
  const next = await nextPosition(
    concatBytes(containerPrefix(partition.address.container), half),
    partition,
    definition,
    reader,
  );
  if (next === undefined || next === first)
    throw new RingfoldError('split-refused', { reason: 'one partition key has half of the data' });
  return canonicalBoundary(next);
}

async function sampleAll(
  partition: ReplicatedPartition,
  definition: PartitionKeyDefinition,
  reader: RowReader,
): Promise<PositionSample[]> {
  const samples: PositionSample[] = [];
  for (let { from } = partition; ; ) {
    const { rows, complete } = await reader.scan(partition, { from, to: partition.to, ...page });
    for (const { key, value } of rows)
      samples.push({ position: positionInKey(key, definition), bytes: key.length + value.length });
    const last = rows.at(-1);
    if (complete || last === undefined) return samples;
    from = keyAfter(last.key);
  }
}

async function positionOfHalf(
  partition: ReplicatedPartition,
  range: RingRange,
  reader: RowReader,
  sizeBytes: number,
): Promise<RingPosition> {
  const prefix = containerPrefix(partition.address.container);
  let low = leadingNumber(range.min);
  let high = leadingNumber(range.max);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const to = concatBytes(prefix, positionOf(middle));
    const below = await reader.sizeOf(partition, { from: partition.from, to });
    if (below < sizeBytes / 2) low = middle;
    else high = middle;
  }
  return positionOf(high);
}

async function nextPosition(
  from: ByteString,
  partition: ReplicatedPartition,
  definition: PartitionKeyDefinition,
  reader: RowReader,
): Promise<RingPosition | undefined> {
  const { rows } = await reader.scan(partition, { from, to: partition.to, ...page, maxRows: 1 });
  const [row] = rows;
  return row === undefined ? undefined : positionInKey(row.key, definition);
}

function leadingNumber(position: ByteString): number {
  const bytes = Buffer.alloc(bisectedBytes);
  bytesOf(position).copy(bytes);
  return bytes.readUIntBE(0, bisectedBytes);
}

function positionOf(number: number): RingPosition {
  const bytes = Buffer.alloc(bisectedBytes);
  bytes.writeUIntBE(number, 0, bisectedBytes);
  return byteStringOf(bytes) as RingPosition;
}
