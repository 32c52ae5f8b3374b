import { crc32 } from 'node:zlib';
import { type SegmentCompressor, shortestCompressed } from './block-compressor.ts';
import { ChunkQueue } from './chunk-queue.ts';
import { crc24 } from './crc24.ts';
import { type Frame, FrameDecoder, type FrameFault } from './frame.ts';
import { ProtocolError } from './protocol-error.ts';

// Version 5 carries frames in segments: a header with its own checksum, a payload of one or more whole frames or of a
// part of one, and the checksum of the payload as it is sent. Numbers of a segment are little-endian (v5, §2).

export const maxPayloadLength = 0x1_ffff;

const trailerLength = 4;
// Cassandra begins the checksum of the payload with these bytes; the specification does not say so.
const crcSeed = crc32(Buffer.from('fa2d55ca', 'hex'));

export interface SegmentPayload {
  readonly payload: Buffer;
  /** Self-contained: the payload is whole frames, not a part of one. */
  readonly isWhole: boolean;
}

/** Cuts a byte stream into segments and checks them. Damage is a text, and the last thing that is read. */
export class SegmentReader {
  readonly #queue = new ChunkQueue();
  readonly #compressor: SegmentCompressor | undefined;
  readonly #headerLength: number;
  #isDead = false;

  constructor(compressor: SegmentCompressor | undefined) {
    this.#compressor = compressor;
    this.#headerLength = compressor === undefined ? 6 : 8;
  }

  push(chunk: Buffer): void {
    if (!this.#isDead) this.#queue.push(chunk);
  }

  next(): SegmentPayload | string | undefined {
    const headerLength = this.#headerLength;
    if (this.#isDead || !this.#queue.ensure(headerLength)) return undefined;
    const { source, offset } = this.#queue;
    const expected = source.readUIntLE(offset + headerLength - 3, 3);
    const computed = crc24(source, offset, headerLength - 3);
    if (expected !== computed) return this.#die(mismatch('header', expected, computed));
    const length = source.readUIntLE(offset, 3) & maxPayloadLength;
    return this.#queue.ensure(headerLength + length + trailerLength) ? this.#payload(length) : undefined;
  }

  #payload(length: number): SegmentPayload | string {
    const { source, offset } = this.#queue;
    const start = offset + this.#headerLength;
    const sent = source.subarray(start, start + length);
    const expected = source.readInt32LE(start + length);
    const computed = crc32(sent, crcSeed) | 0;
    if (expected !== computed) return this.#die(mismatch('body', expected, computed));
    this.#queue.skip(this.#headerLength + length + trailerLength);
    if (this.#compressor === undefined)
      return { payload: sent, isWhole: (source.readUInt8(offset + 2) & 0x02) !== 0 };
    // 17 bits each of compressed and uncompressed length, then the flag; no uncompressed length: stored as it is.
    const isWhole = (source.readUInt8(offset + 4) & 0x04) !== 0;
    const uncompressedLength = Math.floor(source.readUIntLE(offset, 5) / 2 ** 17) & maxPayloadLength;
    if (uncompressedLength === 0) return { payload: sent, isWhole };
    const payload = this.#compressor.decompressBlock(sent, uncompressedLength);
    return payload === undefined ? this.#die('A segment could not be decompressed') : { payload, isWhole };
  }

  #die(problem: string): string {
    this.#isDead = true;
    this.#queue.drain();
    return problem;
  }
}

/** Frames out of segments; the counterpart of FrameDecoder, once STARTUP has agreed on version 5. */
export class SegmentDecoder {
  readonly #segments: SegmentReader;
  readonly #frames: FrameDecoder;
  #lastWasWhole = true;
  #isDead = false;

  constructor(maxLength: number, compressor: SegmentCompressor | undefined) {
    this.#segments = new SegmentReader(compressor);
    this.#frames = new FrameDecoder(maxLength);
    this.#frames.fixVersion(5);
  }

  /** Memory that a frame has which has not come whole; its last segment is not counted. */
  get heldBytes(): number {
    return this.#frames.heldBytes;
  }

  push(chunk: Buffer): void {
    this.#segments.push(chunk);
  }

  next(): Frame | FrameFault | undefined {
    while (!this.#isDead) {
      const frame = this.#frames.next();
      if (frame !== undefined) return frame;
      if (this.#lastWasWhole && !this.#frames.isBetweenFrames)
        return this.#die('A self-contained segment ended inside a message');
      const segment = this.#segments.next();
      if (segment === undefined) return undefined;
      if (typeof segment === 'string') return this.#die(segment);
      this.#lastWasWhole = segment.isWhole;
      this.#frames.push(segment.payload);
    }
    return undefined;
  }

  #die(text: string): FrameFault {
    this.#isDead = true;
    return { fault: new ProtocolError(text), version: 5, stream: 0, closes: true };
  }
}

function mismatch(where: string, read: number, computed: number): string {
  return `unrecoverable CRC mismatch detected in frame ${where}. Read ${read}, Computed ${computed}`;
}

/**
 * Puts whole frames, one after another in one buffer, into segments. `ends` says where each frame ends: small ones share
 * a segment, one that does not fit is cut over several with nothing between.
 */
export function segmentsOf(
  frames: Buffer,
  ends: readonly number[],
  compressor: SegmentCompressor | undefined,
): Buffer[] {
  const out: Buffer[] = [];
  let start = 0;
  let end = 0;
  for (const next of ends) {
    if (next - start > maxPayloadLength && end > start) {
      writeSegment(out, frames.subarray(start, end), true, compressor);
      start = end;
    }
    end = next;
    while (end - start > maxPayloadLength) {
      writeSegment(out, frames.subarray(start, start + maxPayloadLength), false, compressor);
      start += maxPayloadLength;
      // The last part of a frame that was cut ends it, and shares its segment with nothing.
      if (end - start <= maxPayloadLength) {
        writeSegment(out, frames.subarray(start, end), false, compressor);
        start = end;
      }
    }
  }
  if (end > start) writeSegment(out, frames.subarray(start, end), true, compressor);
  return out;
}

/** One buffer for each segment, so that a turn's answers are one piece for the socket. */
function writeSegment(
  out: Buffer[],
  payload: Buffer,
  isWhole: boolean,
  compressor: SegmentCompressor | undefined,
): void {
  const compressed = payload.length < shortestCompressed ? undefined : compressor?.compressBlock(payload);
  const isSmaller = compressed !== undefined && compressed.length < payload.length;
  const sent = isSmaller ? compressed : payload;
  const fieldLength = compressor === undefined ? 3 : 5;
  const headerLength = fieldLength + 3;
  const segment = Buffer.allocUnsafe(headerLength + sent.length + trailerLength);
  const uncompressedLength = isSmaller ? payload.length : 0;
  const flag = isWhole ? 2 ** (compressor === undefined ? 17 : 34) : 0;
  segment.writeUIntLE(sent.length + uncompressedLength * 2 ** 17 + flag, 0, fieldLength);
  segment.writeUIntLE(crc24(segment, 0, fieldLength), fieldLength, 3);
  segment.set(sent, headerLength);
  segment.writeUInt32LE(crc32(sent, crcSeed), headerLength + sent.length);
  out.push(segment);
}
