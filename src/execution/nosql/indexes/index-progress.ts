import type { ByteString } from '../../../foundation/byte-string.ts';
import type { PartitionIndex } from './partition-index.ts';

/** In percent, of what is to be looked at before all that the policy asks for can be found. */
export function progressOf(partitions: readonly PartitionIndex[]): number {
  if (partitions.length === 0) return 100;
  const done = partitions.map(doneOf);
  if (done.every((share) => share === 1)) return 100;
  const sum = done.reduce((total, share) => total + share, 0);
  return Math.min(99, Math.floor((100 * sum) / partitions.length));
}

function doneOf({ lanes, range }: PartitionIndex): number {
  if (lanes.length === 0) return 1;
  return Math.max(...lanes.map(({ rest }) => (rest === undefined ? 1 : shareBefore(rest, range))));
}

function shareBefore(
  rest: ByteString,
  { min, max }: { readonly min: ByteString; readonly max: ByteString },
): number {
  const start = numberOf(min);
  const share = (numberOf(rest) - start) / (numberOf(max) - start);
  return Math.min(0.99, Math.max(0, share));
}

/** Six bytes tell more than percents do. */
function numberOf(position: ByteString): number {
  const bytes = Buffer.alloc(6);
  bytes.write(position.slice(0, 6), 'latin1');
  return bytes.readUIntBE(0, 6);
}
