import { shortestTwosComplement } from './cql-number.ts';
import type { KeyReader, KeyWriter } from './key-bytes.ts';

// Numbers as bytes that sort by value; each has one form.

/** Two's complement of the type's own length: only the sign bit stands in the way. */
export function writeSigned(writer: KeyWriter, bytes: Buffer): void {
  writer.byte(bytes.readUInt8(0) ^ 0x80);
  writer.bytes(bytes, 1);
}

export function readSigned(reader: KeyReader, length: number): Buffer {
  const bytes = reader.bytes(length);
  bytes.writeUInt8(bytes.readUInt8(0) ^ 0x80, 0);
  return bytes;
}

/** IEEE 754, four or eight bytes: positive ones need their sign bit set, negative ones all bits turned. */
export function writeFloat(writer: KeyWriter, bytes: Buffer): void {
  const negative = bytes.readUInt8(0) >= 0x80;
  for (const [at, byte] of bytes.entries()) {
    writer.byte(byte ^ (negative ? 0xff : at === 0 ? 0x80 : 0x00));
  }
}

export function readFloat(reader: KeyReader, length: number): Buffer {
  const bytes = reader.bytes(length);
  const negative = bytes.readUInt8(0) < 0x80;
  for (const [at, byte] of bytes.entries()) {
    bytes[at] = byte ^ (negative ? 0xff : at === 0 ? 0x80 : 0x00);
  }
  return bytes;
}

// Lengths up to here fit into a varint's first byte; longer ones follow it in four bytes.
const longVarint = 0x7f;

/** An integer of any length: sign and length in the first byte, a longer one being further from zero. */
export function writeVarint(writer: KeyWriter, bytes: Buffer): void {
  const shortest = shortestTwosComplement(bytes);
  const negative = shortest.readUInt8(0) >= 0x80;
  const header = Math.min(shortest.length, longVarint);
  writer.byte(negative ? 0x7f - header : 0x80 + header);
  if (header === longVarint) writer.u32(negative ? 0xffffffff - shortest.length : shortest.length);
  writer.bytes(shortest);
}

export function readVarint(reader: KeyReader): Buffer {
  const first = reader.byte();
  const negative = first < 0x80;
  const header = negative ? 0x7f - first : first - 0x80;
  if (header === 0) throw reader.corrupt('a varint has no bytes');
  if (header < longVarint) return reader.bytes(header);
  const length = reader.u32();
  return reader.bytes(negative ? 0xffffffff - length : length);
}
