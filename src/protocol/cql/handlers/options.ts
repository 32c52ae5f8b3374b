import type { Exchange } from '../exchange.ts';
import { writeSupported } from '../messages/simple-responses.ts';
import { versionNames } from '../protocol-version.ts';

const supported: ReadonlyMap<string, readonly string[]> = new Map([
  ['PROTOCOL_VERSIONS', versionNames],
  ['COMPRESSION', ['snappy', 'lz4']],
  ['CQL_VERSION', ['3.4.7']],
]);

export function handleOptions({ out, stream }: Exchange): void {
  writeSupported(out, stream, supported);
}
