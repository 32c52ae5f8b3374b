import type { ProtocolError } from './protocol-error.ts';
import type { RequestTooBig } from './request-too-big.ts';

/**
 * Shorter ones are sent as they are. A call of the packages costs 3 to 4 µs, and of 100 bytes of rows it leaves 100.
 */
export const shortestCompressed = 128;

/** LZ4 or Snappy, as versions 3 and 4 put them on the body of a frame. */
export interface BlockCompressor {
  readonly name: 'lz4' | 'snappy';
  compressBody(body: Buffer): Buffer;
  /** What would be longer than the limit is refused before it is decompressed; the memory given may be overwritten. */
  decompressBody(body: Buffer, maxLength: number): Buffer | ProtocolError | RequestTooBig;
}

/** LZ4 as version 5 puts it on the payload of a segment: bare blocks whose lengths stand in the segment's header. */
export interface SegmentCompressor {
  compressBlock(payload: Buffer): Buffer;
  /**
   * Undefined for a block that is damaged or has another length. The four bytes before the block in its memory may be
   * overwritten, so there must be four that are not needed.
   */
  decompressBlock(block: Buffer, length: number): Buffer | undefined;
}
