import type { ByteString } from '../foundation/byte-string.ts';

/** What is known of a physical partition's size, and of the keys in it that are large (`LogicalPartitionLimit`). */
export class PartitionGrowth {
  /** By the monotonic clock: when its size is to be looked at. */
  nextLookMs = 0;
  /** It holds as much as a logical partition may, so one of its keys may be too large. */
  isLarge = false;
  /** When a key of which nothing is known may be looked at. */
  nextKeyLookMs = 0;
  /** By the prefix of stored keys. */
  readonly keys: Map<ByteString, KeySize> = new Map();
}

export interface KeySize {
  readonly sizeBytes: number;
  nextKeyLookMs: number;
}
