import type { KeyReader, KeyWriter } from './key-bytes.ts';
import { type JsonComponent, jsonMarkers } from './key-component.ts';
import { readFloat, writeFloat } from './sortable-number.ts';

/** One JSON value, ascending. Numbers are doubles, as Cosmos DB compares them; strings sort by their UTF-8 bytes. */
export function encodeJsonComponent(writer: KeyWriter, value: JsonComponent): void {
  switch (typeof value) {
    case 'undefined':
      writer.byte(jsonMarkers.undefined);
      break;
    case 'boolean':
      writer.byte(value ? jsonMarkers.true : jsonMarkers.false);
      break;
    case 'number':
      writer.byte(jsonMarkers.number);
      writeFloat(writer, doubleBytes(value));
      break;
    case 'string':
      writer.byte(jsonMarkers.string);
      writer.escaped(Buffer.from(value, 'utf8'));
      break;
    default:
      writer.byte(jsonMarkers.null);
      break;
  }
}

export function decodeJsonComponent(reader: KeyReader): JsonComponent {
  const marker = reader.byte();
  switch (marker) {
    case jsonMarkers.undefined:
      return undefined;
    case jsonMarkers.null:
      return null;
    case jsonMarkers.false:
      return false;
    case jsonMarkers.true:
      return true;
    case jsonMarkers.number:
      return readFloat(reader, 8).readDoubleBE();
    case jsonMarkers.string:
      return reader.escaped().toString('utf8');
    default:
      throw reader.corrupt('a component has no such marker');
  }
}

function doubleBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  // JSON can write -0, and it equals 0; adding 0 makes it so.
  bytes.writeDoubleBE(value + 0);
  return bytes;
}
