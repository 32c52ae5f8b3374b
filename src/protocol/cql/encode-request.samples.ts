import type { BoundValue } from '../../execution/cql/statement-request.ts';
import { bytesOf } from '../../foundation/byte-string.ts';
import { codeOfConsistency } from './consistency.ts';
import { flagBits, headerLength } from './frame.ts';
import { opcodes } from './opcode.ts';
import type { ProtocolVersion } from './protocol-version.ts';
import { type QueryParameters, queryFlags } from './requests/query-parameters.ts';
import type { Request } from './requests/request.ts';

// Requests as a client would write them: the mirror of requests/, for tests.

export const plainParameters: QueryParameters = {
  consistency: 'ONE',
  values: [],
  names: undefined,
  skipMetadata: false,
  pageSize: undefined,
  pagingState: null,
  serialConsistency: 'SERIAL',
  timestamp: undefined,
  keyspace: undefined,
  nowInSeconds: undefined,
};

const opcodeOf: Readonly<Record<Request['kind'], number>> = {
  startup: opcodes.startup,
  options: opcodes.options,
  'auth-response': opcodes.authResponse,
  query: opcodes.query,
  prepare: opcodes.prepare,
  execute: opcodes.execute,
  batch: opcodes.batch,
  register: opcodes.register,
};

export function encodeRequest(
  version: ProtocolVersion,
  stream: number,
  request: Request,
  customPayload?: ReadonlyMap<string, Buffer | null>,
): Buffer {
  const payload = customPayload === undefined ? [] : [bytesMap(customPayload)];
  const body = Buffer.concat([...payload, bodyOf(version, request)]);
  return frameOf(
    version,
    payload.length > 0 ? flagBits.customPayload : 0,
    stream,
    opcodeOf[request.kind],
    body,
  );
}

export function frameOf(
  version: number,
  flags: number,
  stream: number,
  opcode: number,
  body: Buffer,
): Buffer {
  const header = Buffer.alloc(headerLength);
  header.writeUInt8(version, 0);
  header.writeUInt8(flags, 1);
  header.writeInt16BE(stream, 2);
  header.writeUInt8(opcode, 4);
  header.writeUInt32BE(body.length, 5);
  return Buffer.concat([header, body]);
}

function bodyOf(version: ProtocolVersion, request: Request): Buffer {
  switch (request.kind) {
    case 'startup':
      return Buffer.concat([
        short(request.options.size),
        ...Array.from(request.options, ([key, value]) => Buffer.concat([string(key), string(value)])),
      ]);
    case 'options':
      return Buffer.alloc(0);
    case 'auth-response':
      return value(request.token);
    case 'query':
      return Buffer.concat([longString(request.text), parameters(version, request.parameters)]);
    case 'prepare':
      return Buffer.concat([longString(request.text), prepareFlags(version, request.keyspace)]);
    case 'execute':
      return Buffer.concat([
        shortBytes(bytesOf(request.id)),
        request.resultMetadataId === undefined
          ? Buffer.alloc(0)
          : shortBytes(bytesOf(request.resultMetadataId)),
        parameters(version, request.parameters),
      ]);
    case 'batch':
      return Buffer.concat([
        byte(['logged', 'unlogged', 'counter'].indexOf(request.type)),
        short(request.statements.length),
        ...request.statements.map((entry) =>
          Buffer.concat([
            'text' in entry
              ? Buffer.concat([byte(0), longString(entry.text)])
              : Buffer.concat([byte(1), shortBytes(bytesOf(entry.id))]),
            short(entry.values.length),
            ...entry.values.map(value),
          ]),
        ),
        parameters(version, request.parameters),
      ]);
    case 'register':
      return Buffer.concat([short(request.events.length), ...request.events.map(string)]);
  }
}

function prepareFlags(version: ProtocolVersion, keyspace: string | undefined): Buffer {
  if (version < 5) return Buffer.alloc(0);
  return keyspace === undefined ? int(0) : Buffer.concat([int(1), string(keyspace)]);
}

function parameters(version: ProtocolVersion, given: QueryParameters): Buffer {
  const fields: Buffer[] = [];
  let flags = given.skipMetadata ? queryFlags.skipMetadata : 0;
  const add = (flag: number, ...parts: Buffer[]): void => {
    flags |= flag;
    fields.push(...parts);
  };
  if (given.values.length > 0) {
    const named = given.values.flatMap((each, at) => [
      ...(given.names === undefined ? [] : [string(given.names[at] ?? '')]),
      value(each),
    ]);
    add(
      queryFlags.values | (given.names === undefined ? 0 : queryFlags.names),
      short(given.values.length),
      ...named,
    );
  }
  if (given.pageSize !== undefined) add(queryFlags.pageSize, int(given.pageSize));
  if (given.pagingState !== null) add(queryFlags.pagingState, value(given.pagingState));
  if (given.serialConsistency !== 'SERIAL')
    add(queryFlags.serialConsistency, short(codeOfConsistency(given.serialConsistency)));
  if (given.timestamp !== undefined) add(queryFlags.timestamp, long(given.timestamp));
  if (given.keyspace !== undefined) add(queryFlags.keyspace, string(given.keyspace));
  if (given.nowInSeconds !== undefined) add(queryFlags.nowInSeconds, int(given.nowInSeconds | 0));
  const flagBytes = version >= 5 ? int(flags) : byte(flags);
  return Buffer.concat([short(codeOfConsistency(given.consistency)), flagBytes, ...fields]);
}

function bytesMap(entries: ReadonlyMap<string, Buffer | null>): Buffer {
  return Buffer.concat([
    short(entries.size),
    ...Array.from(entries, ([key, bytes]) => Buffer.concat([string(key), value(bytes)])),
  ]);
}

function byte(number: number): Buffer {
  return Buffer.from([number]);
}

function short(number: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(number);
  return bytes;
}

function int(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}

function long(number: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(number);
  return bytes;
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([short(bytes.length), bytes]);
}

function longString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([int(bytes.length), bytes]);
}

function shortBytes(bytes: Buffer): Buffer {
  return Buffer.concat([short(bytes.length), bytes]);
}

function value(bytes: BoundValue): Buffer {
  if (bytes === undefined) return int(-2);
  return bytes === null ? int(-1) : Buffer.concat([int(bytes.length), bytes]);
}
