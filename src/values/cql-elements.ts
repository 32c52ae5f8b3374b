import { assert } from '../foundation/assert.ts';
import { ByteReader } from '../foundation/byte-reader.ts';
import { ByteWriter } from '../foundation/byte-writer.ts';
import { type CqlType, fixedLength } from './cql-type.ts';

// The parts of a frozen value as the native protocol (v3 and later) writes them. Parts share memory with the whole.

/** Elements of a list or set, or keys and values of a map in turn (`perEntry` 2). */
export function readCollection(bytes: Buffer, perEntry: 1 | 2): Buffer[] {
  const reader = new ByteReader(bytes);
  const elements: Buffer[] = [];
  const count = reader.u32() * perEntry;
  // A part takes four bytes at least, so a count that lies ends at the end of the bytes, not of the memory.
  for (let at = 0; at < count; at++) elements.push(reader.bytes(reader.u32()));
  reader.expectEnd();
  return elements;
}

export function writeCollection(elements: readonly Buffer[], perEntry: 1 | 2): Buffer {
  const writer = new ByteWriter();
  writer.u32(elements.length / perEntry);
  for (const element of elements) {
    writer.u32(element.length);
    writer.bytes(element);
  }
  return writer.take();
}

/** Fields of a tuple or user type; those that are missing at the end are null, as are those of negative length. */
export function readFields(bytes: Buffer, fieldCount: number): (Buffer | null)[] {
  const reader = new ByteReader(bytes);
  const fields: (Buffer | null)[] = [];
  for (let at = 0; at < fieldCount; at++) {
    const length = reader.remaining === 0 ? -1 : reader.i32();
    fields.push(length < 0 ? null : reader.bytes(length));
  }
  reader.expectEnd();
  return fields;
}

export function writeFields(fields: readonly (Buffer | null)[]): Buffer {
  const writer = new ByteWriter();
  for (const field of fields) {
    writer.i32(field === null ? -1 : field.length);
    if (field !== null) writer.bytes(field);
  }
  return writer.take();
}

/** Elements of a vector: bare where they have one length, else each behind an unsigned vint of its length. */
export function readVector(elementType: CqlType, dimension: number, bytes: Buffer): Buffer[] {
  const reader = new ByteReader(bytes);
  const length = fixedLength(elementType);
  const elements: Buffer[] = [];
  for (let at = 0; at < dimension; at++) elements.push(reader.bytes(length ?? readVint(reader)));
  reader.expectEnd();
  return elements;
}

export function writeVector(elementType: CqlType, elements: readonly Buffer[]): Buffer {
  const writer = new ByteWriter();
  const length = fixedLength(elementType);
  for (const element of elements) {
    if (length === undefined) writeVint(writer, element.length);
    else assert(element.length === length, 'an element of a vector has the length of its type');
    writer.bytes(element);
  }
  return writer.take();
}

/** Cassandra's unsigned vint: as many leading ones in the first byte as bytes follow it. Lengths need at most four. */
function readVint(reader: ByteReader): number {
  const first = reader.u8();
  const extraBytes = Math.clz32(~(first << 24));
  let value = first & (0xff >> extraBytes);
  for (let at = 0; at < extraBytes; at++) value = value * 256 + reader.u8();
  return value;
}

function writeVint(writer: ByteWriter, value: number): void {
  let extraBytes = 0;
  while (value >= 2 ** (7 * (extraBytes + 1))) extraBytes++;
  assert(extraBytes <= 4, 'a length has 32 bits');
  const leadingOnes = 0xff & ~(0xff >> extraBytes);
  writer.u8(leadingOnes | Math.floor(value / 2 ** (8 * extraBytes)));
  for (let at = extraBytes - 1; at >= 0; at--) writer.u8(Math.floor(value / 2 ** (8 * at)) % 256);
}
