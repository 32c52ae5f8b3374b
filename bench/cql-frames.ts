// Just enough of CQL's native protocol, version 4, for a load generator and its null server. Written apart from src/protocol on
// purpose: what measures the server shares no mistake with it.

export const headerLength = 9;

export const opcodes = {
  error: 0x00,
  startup: 0x01,
  ready: 0x02,
  query: 0x07,
  result: 0x08,
  prepare: 0x09,
  execute: 0x0a,
} as const;

export const resultKinds = { void: 1, rows: 2, setKeyspace: 3, prepared: 4, schemaChange: 5 } as const;

const requestVersion = 0x04;
const responseVersion = 0x84;
const localOne = 0x000a;
const queryFlags = { values: 0x01, skipMetadata: 0x02, pageSize: 0x04 } as const;
const frameFlags = { tracing: 0x02, customPayload: 0x04, warning: 0x08 } as const;
const rowsFlags = { hasMorePages: 0x02, noMetadata: 0x04 } as const;
/** As drivers send it with every statement. */
const pageSize = 5_000;

export interface ExecuteFrame {
  readonly bytes: Buffer;
  /** Where the bytes of the first value begin. */
  readonly firstValueAt: number;
}

function requestFrame(opcode: number, body: Buffer): Buffer {
  return frame(requestVersion, 0, opcode, body);
}

export function responseFrame(stream: number, opcode: number, body: Buffer): Buffer {
  return frame(responseVersion, stream, opcode, body);
}

export function startupFrame(): Buffer {
  return requestFrame(opcodes.startup, Buffer.concat([short(1), string('CQL_VERSION'), string('3.0.0')]));
}

export function queryFrame(text: string): Buffer {
  return requestFrame(opcodes.query, Buffer.concat([longString(text), short(localOne), Buffer.of(0)]));
}

export function prepareFrame(text: string): Buffer {
  return requestFrame(opcodes.prepare, longString(text));
}

/** As drivers send it: no metadata wanted, a page size given. */
export function executeFrame(id: Buffer, values: readonly Buffer[]): ExecuteFrame {
  const flags = queryFlags.values | queryFlags.skipMetadata | queryFlags.pageSize;
  const before = Buffer.concat([
    short(id.length),
    id,
    short(localOne),
    Buffer.of(flags),
    short(values.length),
  ]);
  const encoded = values.flatMap((value) => [int(value.length), value]);
  return {
    bytes: requestFrame(opcodes.execute, Buffer.concat([before, ...encoded, int(pageSize)])),
    firstValueAt: headerLength + before.length + 4,
  };
}

/** What begins an answer with so many rows and no metadata; the cells follow. */
export function rowsHead(columns: number, rows: number): Buffer {
  return Buffer.concat([int(resultKinds.rows), int(rowsFlags.noMetadata), int(columns), int(rows)]);
}

export function voidBody(): Buffer {
  return int(resultKinds.void);
}

/** With neither parameters nor columns told: the generator asks for neither. */
export function preparedBody(id: Buffer): Buffer {
  const noColumns = Buffer.concat([int(rowsFlags.noMetadata), int(0)]);
  return Buffer.concat([int(resultKinds.prepared), short(id.length), id, int(0), int(0), int(0), noColumns]);
}

export function preparedIdOf(body: Buffer): Buffer {
  return body.subarray(6, 6 + body.readUInt16BE(4));
}

/** How many bytes stand before a response's own fields. */
export function prefixLength(source: Buffer, bodyAt: number, flags: number): number {
  let at = bodyAt;
  if ((flags & frameFlags.tracing) !== 0) at += 16;
  if ((flags & frameFlags.warning) !== 0) {
    const count = source.readUInt16BE(at);
    at += 2;
    for (let warning = 0; warning < count; warning++) at += 2 + source.readUInt16BE(at);
  }
  if ((flags & frameFlags.customPayload) !== 0) {
    const count = source.readUInt16BE(at);
    at += 2;
    for (let entry = 0; entry < count; entry++) {
      at += 2 + source.readUInt16BE(at);
      at += 4 + Math.max(0, source.readInt32BE(at));
    }
  }
  return at - bodyAt;
}

/** How many rows an answer has; undefined where only its metadata would tell. */
export function rowCountAt(source: Buffer, kindAt: number): number | undefined {
  const flags = source.readInt32BE(kindAt + 4);
  if (flags !== rowsFlags.noMetadata) return undefined;
  return source.readInt32BE(kindAt + 12);
}

/** The code and text of an ERROR, without what follows them. */
export function errorText(source: Buffer, at: number): string {
  const code = source.readInt32BE(at).toString(16).padStart(4, '0');
  return `0x${code} ${source.toString('utf8', at + 6, at + 6 + source.readUInt16BE(at + 4))}`;
}

export function int(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(number);
  return bytes;
}

function frame(version: number, stream: number, opcode: number, body: Buffer): Buffer {
  const header = Buffer.alloc(headerLength);
  header.writeUInt8(version, 0);
  header.writeInt16BE(stream, 2);
  header.writeUInt8(opcode, 4);
  header.writeUInt32BE(body.length, 5);
  return Buffer.concat([header, body]);
}

function short(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeUInt16BE(number);
  return bytes;
}

function string(text: string): Buffer {
  return Buffer.concat([short(Buffer.byteLength(text)), Buffer.from(text)]);
}

function longString(text: string): Buffer {
  return Buffer.concat([int(Buffer.byteLength(text)), Buffer.from(text)]);
}
