import type { BlockCompressor } from './block-compressor.ts';
import { ChunkQueue } from './chunk-queue.ts';
import { opcodeProblem } from './opcode.ts';
import { ProtocolError } from './protocol-error.ts';
import {
  isVersion,
  nameOfVersion,
  newestVersion,
  type ProtocolVersion,
  unsupportedVersionText,
} from './protocol-version.ts';
import { RequestTooBig } from './request-too-big.ts';

// The envelope of a message, "frame" in versions 3 and 4: nine bytes of header, then the body (specification §2).

export const headerLength = 9;

export const flagBits = {
  compressed: 0x01,
  tracing: 0x02,
  customPayload: 0x04,
  warning: 0x08,
  beta: 0x10,
} as const;

export interface Frame {
  readonly version: ProtocolVersion;
  readonly flags: number;
  readonly stream: number;
  readonly opcode: number;
  /** Decompressed; shares memory with what came from the socket where it can. */
  readonly body: Buffer;
}

/** A frame that cannot be read. Its bytes are passed over, unless the connection cannot go on. */
export interface FrameFault {
  readonly fault: ProtocolError | RequestTooBig;
  /** In which version and on which stream to answer. */
  readonly version: ProtocolVersion;
  readonly stream: number;
  /** Where the next frame begins is no longer known: nothing more is read. */
  readonly closes: boolean;
}

/**
 * Cuts a byte stream into frames. Call `next` until it returns undefined after every `push`. A body above the limit is
 * refused by its header and passed over as it comes.
 */
export class FrameDecoder {
  readonly #queue = new ChunkQueue();
  readonly #maxLength: number;
  #version: ProtocolVersion | undefined;
  #compressor: BlockCompressor | undefined;
  #toDiscard = 0;
  #isDead = false;

  /** The limit counts header and body, and the body again after it is decompressed. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** A STARTUP was taken: frames of other versions are refused from now on. Before it a client may try several. */
  fixVersion(version: ProtocolVersion): void {
    this.#version = version;
  }

  /** From now on frames with the flag are decompressed; without a compressor the flag means nothing, as in Cassandra. */
  useCompression(compressor: BlockCompressor): void {
    this.#compressor = compressor;
  }

  /** Whether no frame has begun that has not ended. */
  get isBetweenFrames(): boolean {
    return this.#toDiscard === 0 && this.#queue.isEmpty;
  }

  /** Memory that a frame has which has not come whole. */
  get heldBytes(): number {
    return this.#queue.heldBytes;
  }

  push(chunk: Buffer): void {
    if (!this.#isDead) this.#queue.push(chunk);
  }

  /** What was received and not decoded: the first segment, when version 5 begins. */
  drain(): Buffer {
    return this.#queue.drain();
  }

  next(): Frame | FrameFault | undefined {
    if (this.#isDead || !this.#discardRest()) return undefined;
    if (!this.#queue.ensure(1)) return undefined;
    const version = this.#queue.source.readUInt8(this.#queue.offset) & 0x7f;
    // Before anything else of the header: versions 1 and 2 have a shorter one.
    if (!isVersion(version)) return this.#die(new ProtocolError(unsupportedVersionText(version)));
    return this.#queue.ensure(headerLength) ? this.#frame(version) : undefined;
  }

  #frame(version: ProtocolVersion): Frame | FrameFault | undefined {
    const { source, offset } = this.#queue;
    const isResponse = source.readUInt8(offset) >= 0x80;
    const flags = source.readUInt8(offset + 1);
    const stream = source.readInt16BE(offset + 2);
    const opcode = source.readUInt8(offset + 4);
    const bodyLength = source.readInt32BE(offset + 5);
    if (bodyLength < 0) {
      const text = `Invalid value for envelope header body length field: ${bodyLength}`;
      return this.#die(new ProtocolError(text), version, stream);
    }
    const length = headerLength + bodyLength;
    const problem =
      opcodeProblem(opcode, isResponse) ??
      this.#versionProblem(version) ??
      (length > this.#maxLength ? new RequestTooBig(length, this.#maxLength) : undefined);
    if (problem !== undefined) {
      this.#toDiscard = length;
      this.#discardRest();
      return { fault: problem, version: this.#version ?? version, stream, closes: false };
    }
    if (!this.#queue.ensure(length)) return undefined;
    const bodyStart = this.#queue.offset + headerLength;
    const body = this.#queue.source.subarray(bodyStart, bodyStart + bodyLength);
    this.#queue.skip(length);
    if (this.#compressor === undefined || (flags & flagBits.compressed) === 0)
      return { version, flags, stream, opcode, body };
    return this.#decompress(this.#compressor, { version, flags, stream, opcode, body });
  }

  #decompress(compressor: BlockCompressor, frame: Frame): Frame | FrameFault {
    const body = compressor.decompressBody(frame.body, this.#maxLength);
    if (body instanceof Error)
      return { fault: body, version: frame.version, stream: frame.stream, closes: false };
    return { ...frame, body };
  }

  #versionProblem(version: ProtocolVersion): ProtocolError | undefined {
    if (this.#version === undefined || this.#version === version) return undefined;
    const [got, before] = [nameOfVersion(version), nameOfVersion(this.#version)];
    return new ProtocolError(
      `Invalid message version. Got ${got} but previous messages on this connection had version ${before}`,
    );
  }

  /** Stream 0 where none was read: so does Cassandra answer a version it does not know. */
  #die(
    fault: ProtocolError,
    version: ProtocolVersion = this.#version ?? newestVersion,
    stream = 0,
  ): FrameFault {
    this.#isDead = true;
    this.#queue.drain();
    return { fault, version, stream, closes: true };
  }

  #discardRest(): boolean {
    while (this.#toDiscard > 0) {
      const discarded = this.#queue.discard(this.#toDiscard);
      if (discarded === 0) return false;
      this.#toDiscard -= discarded;
    }
    return true;
  }
}
