// A CQL server that knows three statements and keeps rows in a Map: about the least that a server in Node can do, so what the
// generator reaches against it is what the generator can reach.

import { createServer, type Server, type Socket } from 'node:net';
import { headerLength, opcodes, preparedBody, responseFrame, rowsHead, voidBody } from './cql-frames.ts';

/** What a statement does with its first value, the partition key, and its second, where the table has clustering rows. */
interface NullStatement {
  readonly rows: Map<string, Buffer[]>;
  readonly isWrite: boolean;
  readonly isClustered: boolean;
  readonly columns: number;
}

const idLength = 16;
/** Behind the id: consistency, flags, number of values. */
const valuesAt = 2 + idLength + 2 + 1 + 2;
const slabBytes = 64 * 1024;

export class NullServer {
  readonly #server: Server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  readonly #statements: NullStatement[] = [];
  readonly #tables = new Map<string, Map<string, Buffer[]>>();

  /** Resolves with the port. */
  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  }

  close(): void {
    this.#server.close();
  }

  #serve(socket: Socket): void {
    const output = new NullOutput(socket);
    let begun: Buffer | undefined;
    socket.on('data', (chunk: Buffer) => {
      const source = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
      begun = undefined;
      let at = 0;
      while (at < source.length) {
        const isHeaderThere = source.length - at >= headerLength;
        const length = isHeaderThere ? headerLength + source.readUInt32BE(at + 5) : 0;
        if (!isHeaderThere || source.length - at < length) {
          begun = source.subarray(at);
          break;
        }
        this.#answer(source, at, length, output);
        at += length;
      }
      output.flush();
    });
    socket.on('error', () => socket.destroy());
  }

  #answer(source: Buffer, at: number, length: number, output: NullOutput): void {
    const stream = source.readInt16BE(at + 2);
    const bodyAt = at + headerLength;
    const opcode = source[at + 4];
    if (opcode === opcodes.execute) this.#execute(source, bodyAt, at + length - 4, stream, output);
    else if (opcode === opcodes.startup) output.frame(responseFrame(stream, opcodes.ready, Buffer.alloc(0)));
    else if (opcode === opcodes.prepare) {
      const id = this.#prepare(source.toString('latin1', bodyAt + 4, at + length));
      output.frame(responseFrame(stream, opcodes.result, preparedBody(id)));
    } else output.frame(responseFrame(stream, opcodes.result, voidBody()));
  }

  /** The id is the statement's number in a place of the usual length. */
  #prepare(text: string): Buffer {
    const table = /bench\.(\w+)/.exec(text)?.[1] ?? '';
    const rows = this.#tables.get(table) ?? new Map<string, Buffer[]>();
    this.#tables.set(table, rows);
    const columnList = /\((.*?)\)|SELECT (.*) FROM/.exec(text);
    const columns = (columnList?.[1] ?? columnList?.[2] ?? '').split(',').length;
    const isWrite = text.startsWith('INSERT');
    this.#statements.push({ rows, isWrite, isClustered: table === 'events', columns });
    const id = Buffer.alloc(idLength);
    id.writeUInt32BE(this.#statements.length - 1);
    return id;
  }

  /** The values of a row that is written are kept as they came, which is how they go out again. */
  #execute(source: Buffer, bodyAt: number, end: number, stream: number, output: NullOutput): void {
    const statement = this.#statements[source.readUInt32BE(bodyAt + 2)];
    if (statement === undefined) throw new Error('the generator executes what it did not prepare');
    const keyAt = bodyAt + valuesAt + 4;
    const keyEnd = keyAt + source.readInt32BE(keyAt - 4);
    const key = source.toString('latin1', keyAt, keyEnd);
    const rows = statement.rows.get(key);
    if (!statement.isWrite) {
      output.rows(stream, statement.columns, rows ?? []);
      return;
    }
    const row = Buffer.from(source.subarray(keyAt - 4, end));
    const place = statement.isClustered ? source.readInt32BE(keyEnd + 4) : 0;
    if (rows === undefined) statement.rows.set(key, placed([], place, row));
    else placed(rows, place, row);
    output.nothing(stream);
  }
}

function placed(rows: Buffer[], place: number, row: Buffer): Buffer[] {
  rows[place] = row;
  return rows;
}

/** Answers written one behind another, sent together. */
class NullOutput {
  readonly #socket: Socket;
  #bytes = Buffer.allocUnsafe(slabBytes);
  #sent = 0;
  #length = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  frame(frame: Buffer): void {
    this.#reserve(frame.length);
    frame.copy(this.#bytes, this.#length);
    this.#length += frame.length;
  }

  nothing(stream: number): void {
    this.#reserve(voidFrame.length);
    voidFrame.copy(this.#bytes, this.#length);
    this.#bytes.writeInt16BE(stream, this.#length + 2);
    this.#length += voidFrame.length;
  }

  rows(stream: number, columns: number, rows: readonly Buffer[]): void {
    let length = rowsFrame.length;
    for (const row of rows) length += row.length;
    this.#reserve(length);
    const at = this.#length;
    rowsFrame.copy(this.#bytes, at);
    this.#bytes.writeInt16BE(stream, at + 2);
    this.#bytes.writeUInt32BE(length - headerLength, at + 5);
    this.#bytes.writeInt32BE(columns, at + headerLength + 8);
    this.#bytes.writeInt32BE(rows.length, at + headerLength + 12);
    let next = at + rowsFrame.length;
    for (const row of rows) next += row.copy(this.#bytes, next);
    this.#length = next;
  }

  flush(): void {
    if (this.#length === this.#sent) return;
    this.#socket.write(this.#bytes.subarray(this.#sent, this.#length));
    this.#sent = this.#length;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    this.flush();
    this.#bytes = Buffer.allocUnsafe(Math.max(slabBytes, length));
    this.#sent = 0;
    this.#length = 0;
  }
}

const voidFrame = responseFrame(0, opcodes.result, voidBody());
const rowsFrame = responseFrame(0, opcodes.result, rowsHead(0, 0));
