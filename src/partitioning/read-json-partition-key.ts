import { RingfoldError } from '../errors/ringfold-error.ts';
import { type ByteString, bytesOf } from '../foundation/byte-string.ts';
import { type JsonKeyComponent, markerOf, NUMBER_MARKER, STRING_MARKER } from './json-key-component.ts';

const single = new Map<number, JsonKeyComponent>(
  [undefined, null, false, true].map((component) => [markerOf(component), component]),
);
const stringEnd = 0xff;

/** The components of a partition key from its bytes (`jsonPartitionKeyBytes`), for showing them to people. */
export function readJsonPartitionKey(key: ByteString): JsonKeyComponent[] {
  const bytes = bytesOf(key);
  const components: JsonKeyComponent[] = [];
  for (let at = 0; at < bytes.length; ) {
    const marker = bytes[at++] as number;
    if (marker === STRING_MARKER) {
      // No byte of UTF-8 is FF.
      const end = bytes.indexOf(stringEnd, at);
      if (end < 0) throw notAKey(at);
      components.push(bytes.toString('utf8', at, end));
      at = end + 1;
    } else if (marker === NUMBER_MARKER) {
      if (at + 8 > bytes.length) throw notAKey(at);
      components.push(bytes.readDoubleLE(at));
      at += 8;
    } else {
      if (!single.has(marker)) throw notAKey(at);
      components.push(single.get(marker));
    }
  }
  return components;
}

function notAKey(position: number): RingfoldError {
  return new RingfoldError('corrupt-data', { what: 'partition key', position });
}
