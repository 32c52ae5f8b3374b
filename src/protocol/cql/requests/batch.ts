import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { BodyReader } from '../body-reader.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { ProtocolVersion } from '../protocol-version.ts';
import { type QueryParameters, readQueryParameters, readValues } from './query-parameters.ts';

export interface BatchRequest {
  readonly kind: 'batch';
  readonly type: BatchType;
  readonly statements: readonly BatchEntry[];
  /** Values stand with their statements; there are none here. */
  readonly parameters: QueryParameters;
}

export type BatchType = 'logged' | 'unlogged' | 'counter';

/** One statement, by its text or by the id it was prepared under. */
export type BatchEntry = { readonly values: readonly BoundValue[] } & (
  | { readonly text: string }
  | { readonly id: ByteString }
);

const types: readonly BatchType[] = ['logged', 'unlogged', 'counter'];

export function readBatch(body: BodyReader, version: ProtocolVersion): BatchRequest {
  const typeCode = body.signedByte();
  const statements: BatchEntry[] = [];
  for (let left = body.short(); left > 0; left--) statements.push(readEntry(body, version));
  const parameters = readQueryParameters(body, version);
  const type = types[typeCode];
  if (type === undefined) throw new ProtocolError(`Invalid BATCH message type ${typeCode}`);
  return { kind: 'batch', type, statements, parameters };
}

function readEntry(body: BodyReader, version: ProtocolVersion): BatchEntry {
  const kind = body.signedByte();
  if (kind === 0) {
    const text = body.longString();
    return { text, values: readValues(body, version) };
  }
  if (kind === 1) {
    const id = body.shortBytes();
    return { id, values: readValues(body, version) };
  }
  throw new ProtocolError(`Invalid query kind in BATCH messages. Must be 0 or 1 but got ${kind}`);
}
