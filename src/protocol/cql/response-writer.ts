import { assert } from '../../foundation/assert.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { type BlockCompressor, type SegmentCompressor, shortestCompressed } from './block-compressor.ts';
import { flagBits, headerLength } from './frame.ts';
import type { ProtocolVersion } from './protocol-version.ts';
import { segmentsOf } from './segment.ts';

/** What goes before a response's own fields. Only version 4 and later know warnings and payloads. */
export interface ResponsePrefix {
  readonly tracingId?: Buffer;
  readonly warnings?: readonly string[];
  readonly customPayload?: ReadonlyMap<string, Buffer>;
  /** Goes into the payload as Cosmos has it: `RequestCharge`, a double. */
  readonly chargeRu?: number;
}

// One entry of a [bytes map], up to its eight bytes.
const chargeEntry = Buffer.from('\0\x0dRequestCharge\0\0\0\x08', 'latin1');

/** With room behind the answers at which a connection hands them on, for the one that takes it there. */
const slabLength = 128 * 1024;
/** A slab that had to be larger than this is not kept for the next answers. */
const longestReused = 512 * 1024;

/**
 * Writes responses one behind another and gives them away together: all that one turn answers goes to the socket in one
 * write. A response is begun, filled and ended before the next begins.
 */
export class ResponseWriter {
  readonly version: ProtocolVersion;
  #bytes: Buffer;
  /** What was given away lies before it; the rest of the slab is used on. */
  #given = 0;
  #length = 0;
  #frameStart = 0;
  #isBegun = false;
  #ends: number[] = [];
  #takenCount = 0;
  #usesSegments = false;
  #isPayloadFirst = false;
  #segmentCompressor: SegmentCompressor | undefined;
  #compressor: BlockCompressor | undefined;

  constructor(version: ProtocolVersion, capacity: number = slabLength) {
    this.version = version;
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  /** Version 5 after STARTUP was answered; what was written before goes out bare. */
  useSegments(compressor: SegmentCompressor | undefined): void {
    assert(this.#ends.length === 0, 'what goes out bare has gone out');
    this.#usesSegments = true;
    this.#segmentCompressor = compressor;
  }

  /**
   * The Java drivers (native-protocol 1.5) read the payload before the warnings, every other driver the warnings first, as
   * Cassandra writes them; it hardly ever sends both, so nobody noticed.
   */
  putPayloadFirst(): void {
    this.#isPayloadFirst = true;
  }

  /** Versions 3 and 4: from the next response on bodies are compressed where that makes them shorter. */
  useCompression(compressor: BlockCompressor): void {
    this.#compressor = compressor;
  }

  /** Bytes that wait to be taken. */
  get pendingBytes(): number {
    return this.#length - this.#given;
  }

  /** How many responses were taken last. */
  get takenCount(): number {
    return this.#takenCount;
  }

  begin(opcode: number, stream: number, prefix?: ResponsePrefix): void {
    const at = this.#reserve(headerLength);
    this.#frameStart = at;
    this.#isBegun = true;
    const bytes = this.#bytes;
    bytes[at] = 0x80 | this.version;
    bytes[at + 1] = 0;
    bytes[at + 2] = stream >> 8;
    bytes[at + 3] = stream;
    bytes[at + 4] = opcode;
    if (prefix !== undefined) this.#writePrefix(prefix);
  }

  end(): void {
    if (this.#compressor !== undefined) this.#compressBody(this.#compressor);
    this.#bytes.writeUInt32BE(this.#length - this.#frameStart - headerLength, this.#frameStart + 5);
    this.#ends.push(this.#length - this.#given);
    this.#isBegun = false;
  }

  /** Gives up a response that was begun and not ended, if there is one: its making failed half-way. */
  abandon(): void {
    if (this.#isBegun) this.#length = this.#frameStart;
    this.#isBegun = false;
  }

  /** Everything that was ended since the last time, in the pieces it lies in. Empty if there is nothing. */
  take(): Buffer[] {
    if (this.#ends.length === 0) return [];
    const written = this.#bytes.subarray(this.#given, this.#length);
    const ends = this.#ends;
    this.#given = this.#length;
    this.#ends = [];
    this.#takenCount = ends.length;
    return this.#usesSegments ? segmentsOf(written, ends, this.#segmentCompressor) : [written];
  }

  /** What was taken has been read by whoever it was given to: its bytes may be written over. */
  reuse(): void {
    if (this.#given < this.#length || this.#bytes.length > longestReused) return;
    this.#given = 0;
    this.#length = 0;
  }

  /** The body of the one response that was written, bare; for parts that are made once and sent often. */
  takeBody(): Buffer {
    assert(this.#ends.length === 1 && !this.#usesSegments, 'there is one response');
    return this.#bytes.subarray(this.#frameStart + headerLength, this.#length);
  }

  byte(value: number): void {
    const at = this.#reserve(1);
    this.#bytes.writeUInt8(value, at);
  }

  short(value: number): void {
    const at = this.#reserve(2);
    this.#bytes.writeUInt16BE(value, at);
  }

  int(value: number): void {
    const at = this.#reserve(4);
    this.#bytes.writeInt32BE(value, at);
  }

  /** A place for a number that is known later; `fillInt` takes what this returns. */
  laterInt(): number {
    return this.#reserve(4) - this.#frameStart;
  }

  fillInt(place: number, value: number): void {
    this.#bytes.writeInt32BE(value, this.#frameStart + place);
  }

  /** Cut, at a whole character, to what a [string] can hold; only messages of errors can be as long. */
  string(text: string): void {
    const length = Buffer.byteLength(text);
    if (length > 0xffff) {
      this.string(
        Buffer.from(text)
          .subarray(0, 0xfffc)
          .toString()
          .replace(/\ufffd+$/, ''),
      );
      return;
    }
    const at = this.#reserve(2 + length);
    this.#bytes.writeUInt16BE(length, at);
    this.#bytes.write(text, at + 2);
  }

  stringList(texts: readonly string[]): void {
    this.short(texts.length);
    for (const text of texts) this.string(text);
  }

  /** [value] or [bytes]. */
  value(bytes: Uint8Array | null): void {
    if (bytes === null) {
      this.int(-1);
      return;
    }
    const { length } = bytes;
    const at = this.#reserve(4 + length);
    this.#bytes.writeInt32BE(length, at);
    this.#bytes.set(bytes, at + 4);
  }

  shortBytes(id: ByteString): void {
    const at = this.#reserve(2 + id.length);
    this.#bytes.writeUInt16BE(id.length, at);
    this.#bytes.write(id, at + 2, 'latin1');
  }

  /** Bytes that are in the form of the wire already. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Tracing id, warnings, payload: in this order, whatever the specification's text says (reference/cql.md §1.1). */
  #writePrefix({ tracingId, warnings, customPayload, chargeRu }: ResponsePrefix): void {
    const hasWarnings = warnings !== undefined && warnings.length > 0 && this.version >= 4;
    const hasPayload = (customPayload !== undefined || chargeRu !== undefined) && this.version >= 4;
    if (tracingId !== undefined) this.raw(tracingId);
    if (hasPayload && this.#isPayloadFirst) this.#writePayload(customPayload, chargeRu);
    if (hasWarnings) this.stringList(warnings);
    if (hasPayload && !this.#isPayloadFirst) this.#writePayload(customPayload, chargeRu);
    const flags =
      (tracingId === undefined ? 0 : flagBits.tracing) |
      (hasWarnings ? flagBits.warning : 0) |
      (hasPayload ? flagBits.customPayload : 0);
    this.#bytes.writeUInt8(flags, this.#frameStart + 1);
  }

  #writePayload(payload: ReadonlyMap<string, Buffer> | undefined, chargeRu: number | undefined): void {
    this.short((payload?.size ?? 0) + (chargeRu === undefined ? 0 : 1));
    for (const [key, value] of payload ?? []) {
      this.string(key);
      this.value(value);
    }
    if (chargeRu === undefined) return;
    this.raw(chargeEntry);
    const at = this.#reserve(8);
    this.#bytes.writeDoubleBE(chargeRu, at);
  }

  /** Cassandra compresses every body; one that would grow is sent as it is, which the flag allows. */
  #compressBody(compressor: BlockCompressor): void {
    const start = this.#frameStart + headerLength;
    if (this.#length - start < shortestCompressed) return;
    const compressed = compressor.compressBody(this.#bytes.subarray(start, this.#length));
    if (compressed.length >= this.#length - start) return;
    this.#bytes.set(compressed, start);
    this.#length = start + compressed.length;
    this.#bytes.writeUInt8(
      this.#bytes.readUInt8(this.#frameStart + 1) | flagBits.compressed,
      this.#frameStart + 1,
    );
  }

  /** Full slabs are left to those who were given parts of them; what was not given away moves to a new one. */
  #reserve(length: number): number {
    const at = this.#length;
    if (at + length <= this.#bytes.length) {
      this.#length = at + length;
      return at;
    }
    const kept = at - this.#given;
    const grown = Buffer.allocUnsafeSlow(Math.max(slabLength, (kept + length) * 2));
    grown.set(this.#bytes.subarray(this.#given, at));
    this.#bytes = grown;
    this.#frameStart -= this.#given;
    this.#given = 0;
    this.#length = kept + length;
    return kept;
  }
}
