import type { SchemaChange } from '../../catalog/cql/cql-schema.ts';
import type { ColumnSpec } from '../../execution/cql/column-spec.ts';
import { ByteReader } from '../../foundation/byte-reader.ts';
import type { CqlType } from '../../values/cql-type.ts';
import { parseTypeClass } from '../../values/cql-type-class.ts';
import { consistencyOfCode } from './consistency.ts';
import { flagBits } from './frame.ts';
import {
  type ErrorMessage,
  plainErrorCodes,
  type WriteType,
  writeErrorMessage,
} from './messages/error-message.ts';
import { type NodeEvent, writeNodeEvent } from './messages/event.ts';
import { type PreparedResult, writePreparedResult } from './messages/prepared-result.ts';
import { type MetadataOptions, metadataFlags, ResultMetadata } from './messages/result-metadata.ts';
import { writeRowsResult } from './messages/rows-result.ts';
import { writeSchemaChangeEvent, writeSchemaChangeResult } from './messages/schema-change.ts';
import {
  writeAuthenticate,
  writeAuthSuccess,
  writeReady,
  writeSetKeyspaceResult,
  writeSupported,
  writeVoidResult,
} from './messages/simple-responses.ts';
import { opcodes } from './opcode.ts';
import type { ProtocolVersion } from './protocol-version.ts';
import type { ResponsePrefix, ResponseWriter } from './response-writer.ts';
import { nativeOfCode, typeCodes } from './type-option.ts';

// Responses as a client reads them, for tests. Decoding yields what writes the same response again: so a response of a
// real Cassandra is understood if, and only if, its bytes come out once more.

export interface ResponseFrame {
  readonly version: ProtocolVersion;
  readonly flags: number;
  readonly stream: number;
  readonly opcode: number;
  readonly body: Buffer;
}

export interface DecodedResponse {
  /** For messages of failed tests, and to count what was seen. */
  readonly what: string;
  /** What was said, for tests that look at it. */
  readonly prefix?: ResponsePrefix;
  readonly error?: ErrorMessage;
  readonly rows?: readonly (readonly (Buffer | null)[])[];
  readonly metadata?: ResultMetadata;
  readonly options?: MetadataOptions;
  readonly prepared?: PreparedResult;
  readonly change?: SchemaChange;
  readonly text?: string;
  readonly supported?: ReadonlyMap<string, readonly string[]>;
  rewrite(out: ResponseWriter): void;
}

export function decodeResponse(frame: ResponseFrame): DecodedResponse {
  const body = new ResponseReader(frame.body);
  const prefix = body.prefix(frame.flags);
  const decoded = decodeBody(frame, body, prefix);
  body.reader.expectEnd();
  return decoded;
}

function decodeBody(
  { opcode, stream, version }: ResponseFrame,
  body: ResponseReader,
  prefix: ResponsePrefix,
): DecodedResponse {
  switch (opcode) {
    case opcodes.ready:
      return { what: 'ready', rewrite: (out) => writeReady(out, stream) };
    case opcodes.authenticate: {
      const name = body.string();
      return { what: 'authenticate', text: name, rewrite: (out) => writeAuthenticate(out, stream, name) };
    }
    case opcodes.supported: {
      const options = new Map(body.times(body.reader.u16(), () => [body.string(), body.strings()] as const));
      return {
        what: 'supported',
        supported: options,
        rewrite: (out) => writeSupported(out, stream, options),
      };
    }
    case opcodes.error: {
      const error = body.error(version);
      return {
        what: `error ${error.error}`,
        prefix,
        error,
        rewrite: (out) => writeErrorMessage(out, stream, error, prefix),
      };
    }
    case opcodes.authSuccess: {
      const token = body.value();
      return { what: 'auth success', rewrite: (out) => writeAuthSuccess(out, stream, token) };
    }
    case opcodes.event:
      return decodeEvent(body);
    case opcodes.result:
      return decodeResult(body, stream, version, prefix);
    default:
      throw new Error(`opcode ${opcode} is no response`);
  }
}

function decodeEvent(body: ResponseReader): DecodedResponse {
  const type = body.string();
  if (type === 'SCHEMA_CHANGE') {
    const change = body.schemaChange();
    return { what: 'event schema', change, rewrite: (out) => writeSchemaChangeEvent(out, change) };
  }
  const event = { type, change: body.string() } as NodeEvent;
  const address = body.reader.bytes(body.reader.u8());
  const port = body.reader.i32();
  return { what: 'event node', rewrite: (out) => writeNodeEvent(out, event, address, port) };
}

function decodeResult(
  body: ResponseReader,
  stream: number,
  version: ProtocolVersion,
  prefix: ResponsePrefix,
): DecodedResponse {
  switch (body.reader.i32()) {
    case 1:
      return { what: 'void', prefix, rewrite: (out) => writeVoidResult(out, stream, prefix) };
    case 2: {
      const { metadata, options } = body.resultMetadata();
      const rows = body.times(body.reader.i32(), () => metadata.columns.map(() => body.value()));
      const what = `rows${options.skip ? ' skip' : ''}${options.pagingState ? ' more' : ''}${options.changedTo ? ' changed' : ''}`;
      return {
        what,
        prefix,
        metadata,
        options,
        rows,
        rewrite: (out) => writeRowsResult(out, stream, metadata, options, rows, prefix),
      };
    }
    case 3: {
      const keyspace = body.string();
      return {
        what: 'set keyspace',
        prefix,
        text: keyspace,
        rewrite: (out) => writeSetKeyspaceResult(out, stream, keyspace, prefix),
      };
    }
    case 4: {
      const prepared = {
        id: body.reader.byteString(body.reader.u16()),
        resultMetadataId: body.reader.byteString(version >= 5 ? body.reader.u16() : 0),
        ...body.variables(version),
        resultMetadata: body.preparedResult(),
      };
      return {
        what: 'prepared',
        prefix,
        prepared,
        rewrite: (out) => writePreparedResult(out, stream, prepared, prefix),
      };
    }
    default: {
      const change = body.schemaChange();
      return {
        what: 'schema change',
        prefix,
        change,
        rewrite: (out) => writeSchemaChangeResult(out, stream, change, prefix),
      };
    }
  }
}

class ResponseReader {
  readonly reader: ByteReader;

  constructor(body: Buffer) {
    this.reader = new ByteReader(body);
  }

  times<Item>(count: number, read: () => Item): Item[] {
    return Array.from({ length: count }, read);
  }

  string(): string {
    return this.reader.bytes(this.reader.u16()).toString('utf8');
  }

  strings(): string[] {
    return this.times(this.reader.u16(), () => this.string());
  }

  value(): Buffer | null {
    const length = this.reader.i32();
    return length < 0 ? null : this.reader.bytes(length);
  }

  prefix(flags: number): ResponsePrefix {
    return {
      ...((flags & flagBits.tracing) === 0 ? {} : { tracingId: this.reader.bytes(16) }),
      ...((flags & flagBits.warning) === 0 ? {} : { warnings: this.strings() }),
      ...((flags & flagBits.customPayload) === 0
        ? {}
        : {
            customPayload: new Map(
              this.times(this.reader.u16(), () => [this.string(), this.value() ?? Buffer.alloc(0)] as const),
            ),
          }),
    };
  }

  /** Of skipped metadata only the number of columns and whether they were of one table is known. */
  resultMetadata(): { metadata: ResultMetadata; options: MetadataOptions } {
    const flags = this.reader.i32();
    const count = this.reader.i32();
    const skip = (flags & metadataFlags.noMetadata) !== 0;
    const ofOneTable = (flags & metadataFlags.globalTable) !== 0;
    const options: MetadataOptions = {
      skip,
      pagingState: (flags & metadataFlags.morePages) === 0 ? undefined : (this.value() ?? undefined),
      changedTo:
        (flags & metadataFlags.changed) === 0 ? undefined : this.reader.byteString(this.reader.u16()),
    };
    const columns = skip ? unknownColumns(count, ofOneTable) : this.columns(count, ofOneTable);
    return { metadata: new ResultMetadata(columns), options };
  }

  preparedResult(): ResultMetadata | undefined {
    const { metadata, options } = this.resultMetadata();
    return options.skip ? undefined : metadata;
  }

  variables(version: ProtocolVersion): { variables: ColumnSpec[]; partitionKeyIndexes: number[] } {
    const ofOneTable = this.reader.i32() === metadataFlags.globalTable;
    const count = this.reader.i32();
    const partitionKeyIndexes = version < 4 ? [] : this.times(this.reader.i32(), () => this.reader.u16());
    return { partitionKeyIndexes, variables: this.columns(count, ofOneTable) };
  }

  columns(count: number, ofOneTable: boolean): ColumnSpec[] {
    const table = () => ({ keyspace: this.string(), table: this.string() });
    const shared = ofOneTable ? table() : undefined;
    return this.times(count, () => ({ ...(shared ?? table()), name: this.string(), type: this.type() }));
  }

  type(): CqlType {
    const code = this.reader.u16();
    switch (code) {
      case typeCodes.custom:
        return parseTypeClass(this.string()).type;
      case typeCodes.list:
        return { kind: 'list', element: this.type(), frozen: true };
      case typeCodes.set:
        return { kind: 'set', element: this.type(), frozen: true };
      case typeCodes.map:
        return { kind: 'map', key: this.type(), value: this.type(), frozen: true };
      case typeCodes.tuple:
        return { kind: 'tuple', fields: this.times(this.reader.u16(), () => this.type()) };
      case typeCodes.udt: {
        const names = { keyspace: this.string(), name: this.string() };
        const fields = this.times(this.reader.u16(), () => ({ name: this.string(), type: this.type() }));
        return { kind: 'udt', ...names, fields, frozen: true };
      }
      default: {
        const kind = nativeOfCode(code);
        if (kind === undefined) throw new Error(`type ${code} is unknown`);
        return { kind };
      }
    }
  }

  schemaChange(): SchemaChange {
    const base = { change: this.string() as SchemaChange['change'] };
    const target = this.string() as SchemaChange['target'];
    const keyspace = this.string();
    if (target === 'KEYSPACE') return { ...base, target, keyspace };
    const name = this.string();
    if (target === 'TABLE' || target === 'TYPE') return { ...base, target, keyspace, name };
    return { ...base, target, keyspace, name, argumentTypes: this.strings() };
  }

  error(version: ProtocolVersion): ErrorMessage {
    const code = this.reader.i32();
    const message = this.string();
    const plain = Object.entries(plainErrorCodes).find(([, known]) => known === code)?.[0];
    if (plain !== undefined) return { error: plain as keyof typeof plainErrorCodes, message };
    switch (code) {
      case 0x1000: {
        const consistency = consistencyOfCode(this.reader.u16());
        return {
          error: 'unavailable',
          message,
          consistency,
          required: this.reader.i32(),
          alive: this.reader.i32(),
        };
      }
      case 0x1100: {
        const acknowledged = this.acknowledged();
        const writeType = this.string() as WriteType;
        const contentions = version >= 5 && writeType === 'CAS' ? { contentions: this.reader.u16() } : {};
        return { error: 'write-timeout', message, ...acknowledged, writeType, ...contentions };
      }
      case 0x1200:
        return {
          error: 'read-timeout',
          message,
          ...this.acknowledged(),
          dataPresent: this.reader.u8() !== 0,
        };
      case 0x1300: {
        const acknowledged = { ...this.acknowledged(), failures: this.failures(version) };
        return { error: 'read-failure', message, ...acknowledged, dataPresent: this.reader.u8() !== 0 };
      }
      case 0x1500: {
        const acknowledged = { ...this.acknowledged(), failures: this.failures(version) };
        return { error: 'write-failure', message, ...acknowledged, writeType: this.string() as WriteType };
      }
      case 0x1700:
        return { error: 'cas-write-unknown', message, ...this.acknowledged() };
      case 0x1400: {
        const names = { keyspace: this.string(), functionName: this.string() };
        return { error: 'function-failure', message, ...names, argumentTypes: this.strings() };
      }
      case 0x2400:
        return { error: 'already-exists', message, keyspace: this.string(), table: this.string() };
      case 0x2500:
        return { error: 'unprepared', message, id: this.reader.byteString(this.reader.u16()) };
      default:
        throw new Error(`error ${code.toString(16)} is unknown`);
    }
  }

  acknowledged(): { consistency: ReturnType<typeof consistencyOfCode>; received: number; required: number } {
    const consistency = consistencyOfCode(this.reader.u16());
    return { consistency, received: this.reader.i32(), required: this.reader.i32() };
  }

  /** Version 4 says only how many; who they were is then made up. */
  failures(version: ProtocolVersion): { address: Buffer; reason: number }[] {
    return this.times(this.reader.i32(), () =>
      version < 5
        ? { address: Buffer.alloc(4), reason: 0 }
        : { address: this.reader.bytes(this.reader.u8()), reason: this.reader.u16() },
    );
  }
}

function unknownColumns(count: number, ofOneTable: boolean): ColumnSpec[] {
  return Array.from({ length: count }, (_, at) => ({
    keyspace: 'unknown',
    table: ofOneTable ? 'unknown' : String(at),
    name: '',
    type: { kind: 'blob' },
  }));
}
