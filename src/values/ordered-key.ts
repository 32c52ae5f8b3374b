import { assert } from '../foundation/assert.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import { decodeCqlComponent, encodeCqlComponent } from './cql-key-component.ts';
import type { CqlType } from './cql-type.ts';
import { decodeJsonComponent, encodeJsonComponent } from './json-key-component.ts';
import { KeyReader, KeyWriter } from './key-bytes.ts';
import type { JsonComponent, JsonKeyPath, KeyColumn } from './key-component.ts';

/**
 * Clustering values as bytes that sort as Cassandra sorts the values. Fewer values than columns make a prefix: every
 * key that begins with those values begins with these bytes, and no other key does.
 */
export function encodeClusteringKey(columns: readonly KeyColumn[], values: readonly Buffer[]): ByteString {
  assert(values.length <= columns.length, 'there is a column for every value of a clustering key');
  const writer = new KeyWriter();
  for (let at = 0; at < values.length; at++) {
    const column = columns[at];
    const value = values[at];
    assert(column !== undefined && value !== undefined, 'clustering values are not null');
    // Components are prefix-free, so the complement of one reverses the order exactly and may stand anywhere.
    if (column.descending) writer.complement();
    encodeCqlComponent(writer, column.type, value);
    if (column.descending) writer.complement();
  }
  return writer.key;
}

/** The values again, in the form `isKeptByKey` speaks of; as many as the key has. */
export function decodeClusteringKey(columns: readonly KeyColumn[], key: ByteString): Buffer[] {
  const reader = new KeyReader(key);
  const values: Buffer[] = [];
  for (const column of columns) {
    if (reader.isAtEnd) break;
    if (column.descending) reader.complement();
    const value = decodeCqlComponent(reader, column.type);
    if (column.descending) reader.complement();
    if (value === null) throw reader.corrupt('a clustering value is null');
    values.push(value);
  }
  if (!reader.isAtEnd) throw reader.corrupt('bytes follow the last clustering value');
  return values;
}

/** JSON values as bytes that sort in Cosmos DB's order; fewer values than paths make a prefix. */
export function encodeJsonKey(paths: readonly JsonKeyPath[], values: readonly JsonComponent[]): ByteString {
  assert(values.length <= paths.length, 'there is a path for every value of a JSON key');
  const writer = new KeyWriter();
  for (const [at, value] of values.entries()) {
    const descending = paths[at]?.descending === true;
    if (descending) writer.complement();
    encodeJsonComponent(writer, value);
    if (descending) writer.complement();
  }
  return writer.key;
}

export function decodeJsonKey(paths: readonly JsonKeyPath[], key: ByteString): JsonComponent[] {
  const reader = new KeyReader(key);
  const values: JsonComponent[] = [];
  for (const path of paths) {
    if (reader.isAtEnd) break;
    if (path.descending) reader.complement();
    values.push(decodeJsonComponent(reader));
    if (path.descending) reader.complement();
  }
  if (!reader.isAtEnd) throw reader.corrupt('bytes follow the last value');
  return values;
}

/**
 * The cells of a collection sort by this: the key of a map, the element of a set, the timeuuid of a list's element.
 * It is one ascending component.
 */
export function encodeCellPath(type: CqlType, value: Buffer): ByteString {
  const writer = new KeyWriter();
  encodeCqlComponent(writer, type, value);
  return writer.key;
}

/** @public */
export function decodeCellPath(type: CqlType, path: ByteString): Buffer {
  const [value] = decodeClusteringKey([{ type, descending: false }], path);
  if (value === undefined) throw new KeyReader(path).corrupt('a cell path is empty');
  return value;
}

/**
 * Equal values have equal keys, so a key cannot say whether it was made from 1.0 or from 1.00. When this is false the
 * bytes as written are kept beside the row or cell (`CqlRow.clusteringAsWritten`, `CqlCell.pathAsWritten`).
 */
export function isKeptByKey(type: CqlType, value: Buffer): boolean {
  return hasOneForm(type) || decodeCellPath(type, encodeCellPath(type, value)).equals(value);
}

function hasOneForm(type: CqlType): boolean {
  switch (type.kind) {
    case 'boolean':
    case 'float':
    case 'double':
    case 'varint':
    case 'decimal':
    case 'tuple':
    case 'udt':
      return false;
    case 'list':
    case 'set':
    case 'vector':
      return hasOneForm(type.element);
    case 'map':
      return hasOneForm(type.key) && hasOneForm(type.value);
    default:
      return true;
  }
}
