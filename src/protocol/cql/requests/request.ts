import type { ByteString } from '../../../foundation/byte-string.ts';
import { BodyReader } from '../body-reader.ts';
import { type Frame, flagBits } from '../frame.ts';
import { nameOfOpcode, opcodes } from '../opcode.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { ProtocolVersion } from '../protocol-version.ts';
import { type BatchRequest, readBatch } from './batch.ts';
import { type QueryParameters, readQueryParameters } from './query-parameters.ts';

export type Request =
  | StartupRequest
  | { readonly kind: 'options' }
  | { readonly kind: 'auth-response'; readonly token: Buffer | null }
  | { readonly kind: 'query'; readonly text: string; readonly parameters: QueryParameters }
  | { readonly kind: 'prepare'; readonly text: string; readonly keyspace: string | undefined }
  | ExecuteRequest
  | BatchRequest
  | { readonly kind: 'register'; readonly events: readonly EventType[] };

export interface StartupRequest {
  readonly kind: 'startup';
  /** Keys in capitals, whatever the client wrote. */
  readonly options: ReadonlyMap<string, string>;
}

export interface ExecuteRequest {
  readonly kind: 'execute';
  readonly id: ByteString;
  /** Which metadata the client has; version 5 only. */
  readonly resultMetadataId: ByteString | undefined;
  readonly parameters: QueryParameters;
}

const eventTypes = ['TOPOLOGY_CHANGE', 'STATUS_CHANGE', 'SCHEMA_CHANGE', 'TRACE_COMPLETE'] as const;

/** TRACE_COMPLETE can be asked for, and Cassandra never sends it. */
export type EventType = (typeof eventTypes)[number];

/** Throws nothing but ProtocolError. Bytes share memory with the frame. */
export function readRequest(frame: Frame): Request {
  const body = new BodyReader(frame.body);
  if ((frame.flags & flagBits.customPayload) !== 0) skipCustomPayload(body, frame.version);
  return readMessage(frame.opcode, frame.version, body);
}

/** What a client sent along, for whoever wants it; most requests have none. */
export function readCustomPayload(frame: Frame): ReadonlyMap<string, Buffer | null> | undefined {
  return (frame.flags & flagBits.customPayload) === 0 ? undefined : new BodyReader(frame.body).bytesMap();
}

export function wantsTracing(frame: Frame): boolean {
  return (frame.flags & flagBits.tracing) !== 0;
}

function skipCustomPayload(body: BodyReader, version: ProtocolVersion): void {
  body.bytesMap();
  if (version < 4)
    throw new ProtocolError('Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4');
}

function readMessage(opcode: number, version: ProtocolVersion, body: BodyReader): Request {
  switch (opcode) {
    case opcodes.execute: {
      const id = body.shortBytes();
      const resultMetadataId = version >= 5 ? body.shortBytes() : undefined;
      return { kind: 'execute', id, resultMetadataId, parameters: readQueryParameters(body, version) };
    }
    case opcodes.query: {
      const text = body.longString();
      return { kind: 'query', text, parameters: readQueryParameters(body, version) };
    }
    case opcodes.batch:
      return readBatch(body, version);
    case opcodes.prepare: {
      const text = body.longString();
      const hasKeyspace = version >= 5 && (body.int() & 0x01) !== 0;
      return { kind: 'prepare', text, keyspace: hasKeyspace ? body.string() : undefined };
    }
    case opcodes.register:
      return { kind: 'register', events: body.stringList().map(readEventType) };
    case opcodes.startup:
      return { kind: 'startup', options: inCapitals(body.stringMap()) };
    case opcodes.options:
      return { kind: 'options' };
    case opcodes.authResponse:
      return { kind: 'auth-response', token: body.bytes() };
    default:
      throw new ProtocolError(`Unexpected message ${nameOfOpcode(opcode)}`);
  }
}

function inCapitals(options: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(Array.from(options, ([key, value]) => [key.toUpperCase(), value]));
}

function readEventType(name: string): EventType {
  const type = eventTypes.find((known) => known === name.toUpperCase());
  if (type === undefined) throw new ProtocolError(`Invalid value '${name}' for Type`);
  return type;
}
