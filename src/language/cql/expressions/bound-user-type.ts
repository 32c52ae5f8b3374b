import { ByteReader } from '../../../foundation/byte-reader.ts';
import { readFields, writeFields } from '../../../values/cql-elements.ts';
import type { CqlType } from '../../../values/cql-type.ts';

/**
 * Fields that a driver sends as not set (a length of -2) become nulls (-1): in a key the bytes decide where a row is. Fields missing at
 * the end stay missing, and tuples and user-defined types inside other values stay as they came, as in Cassandra.
 */
export function withNullFields({ fields }: Extract<CqlType, { kind: 'udt' }>, bytes: Buffer): Buffer {
  const reader = new ByteReader(bytes);
  let count = 0;
  let hasUnset = false;
  for (; reader.remaining > 0; count++) {
    const length = reader.i32();
    if (length < -1) hasUnset = true;
    if (length > 0) reader.bytes(length);
  }
  return hasUnset ? writeFields(readFields(bytes, Math.min(count, fields.length))) : bytes;
}
