import { compressSync as compressLz4, uncompressSync as uncompressLz4 } from 'lz4-napi';
import { compressSync as compressSnappy, uncompressSync as uncompressSnappy } from 'snappy';
import type { BlockCompressor, SegmentCompressor } from './block-compressor.ts';
import { ProtocolError } from './protocol-error.ts';
import { RequestTooBig } from './request-too-big.ts';

// The LZ4 package puts the length of what was compressed before the block, little-endian. Versions 3 and 4 want it
// big-endian, so the four bytes are turned around where they lie; version 5 wants none.

const lengthBytes = 4;
// What a block of one byte can at most become: LZ4 adds 255 for each byte of a length, Snappy copies 64 for three.
const largestRatio = 255;

export const lz4: BlockCompressor & SegmentCompressor = {
  name: 'lz4',

  compressBody(body: Buffer): Buffer {
    const compressed = compressLz4(body);
    compressed.writeUInt32BE(compressed.readUInt32LE());
    return compressed;
  },

  decompressBody(body: Buffer, maxLength: number): Buffer | ProtocolError | RequestTooBig {
    if (body.length < lengthBytes) return damaged();
    const length = body.readUInt32BE();
    if (length > maxLength) return new RequestTooBig(length, maxLength);
    return inflateLz4(body, length) ?? damaged();
  },

  compressBlock(payload: Buffer): Buffer {
    return compressLz4(payload).subarray(lengthBytes);
  },

  decompressBlock(block: Buffer, length: number): Buffer | undefined {
    const withLength = Buffer.from(block.buffer, block.byteOffset - lengthBytes, block.length + lengthBytes);
    return inflateLz4(withLength, length);
  },
};

export const snappy: BlockCompressor = {
  name: 'snappy',

  compressBody(body: Buffer): Buffer {
    return compressSnappy(body);
  },

  decompressBody(body: Buffer, maxLength: number): Buffer | ProtocolError | RequestTooBig {
    const length = snappyLength(body);
    if (length === undefined || length > body.length * largestRatio) return damaged();
    if (length > maxLength) return new RequestTooBig(length, maxLength);
    try {
      const inflated = uncompressSnappy(body, { asBuffer: true });
      return typeof inflated !== 'string' && inflated.length === length ? inflated : damaged();
    } catch {
      // The package throws for every damage, and in no other case.
      return damaged();
    }
  },
};

/** Overwrites the first four bytes, which stand before the block. */
function inflateLz4(withLength: Buffer, length: number): Buffer | undefined {
  if (length > withLength.length * largestRatio) return undefined;
  withLength.writeUInt32LE(length);
  try {
    const inflated = uncompressLz4(withLength);
    return inflated.length === length ? inflated : undefined;
  } catch {
    // The package throws for every damage, and in no other case.
    return undefined;
  }
}

/** The length stands first, seven bits a byte, lowest first. */
function snappyLength(body: Buffer): number | undefined {
  let length = 0;
  for (let at = 0; at < 5; at++) {
    const byte = body[at];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return length;
  }
  return undefined;
}

function damaged(): ProtocolError {
  return new ProtocolError('The body of the message could not be decompressed');
}
