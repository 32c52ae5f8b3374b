import { errorText, headerLength, opcodes, prefixLength, resultKinds, rowCountAt } from './cql-frames.ts';

/** Enough of a body to know its kind and its number of rows, behind a payload of a few entries. */
const headOfBody = 256;

export interface ResponseListener {
  /** A whole response has come. `problem` says what is wrong with it. */
  onResponse(stream: number, problem: string | undefined): void;
  /** The same, where bodies are wanted. `source` is valid during the call only. */
  onBody(opcode: number, body: Buffer): void;
}

/**
 * Cuts a byte stream into responses and looks at no more of them than their head: the rest of a body is counted, not read. The bytes
 * pushed are not kept, so the caller may read into the same buffer again.
 */
export class ResponseReader {
  readonly #listener: ResponseListener;
  #wantsBodies = true;
  #expectedRows: number | undefined;
  /** The beginning of a response whose head is not there yet. */
  #begun: Buffer | undefined;
  /** Of the response whose head was seen last. */
  #bytesToCome = 0;
  #stream = 0;
  #problem: string | undefined;

  constructor(listener: ResponseListener) {
    this.#listener = listener;
  }

  wantBodies(): void {
    this.#wantsBodies = true;
  }

  /** From now on every response must be a RESULT with so many rows, or without rows when undefined. */
  expect(rows: number | undefined): void {
    this.#wantsBodies = false;
    this.#expectedRows = rows;
  }

  push(chunk: Buffer): void {
    let at = 0;
    if (this.#bytesToCome > 0) {
      at = Math.min(this.#bytesToCome, chunk.length);
      this.#bytesToCome -= at;
      if (this.#bytesToCome > 0) return;
      this.#listener.onResponse(this.#stream, this.#problem);
    }
    const source = this.#begun === undefined ? chunk : Buffer.concat([this.#begun, chunk]);
    this.#begun = undefined;
    while (at < source.length) {
      const next = this.#read(source, at);
      if (next === undefined) {
        this.#begun = Buffer.from(source.subarray(at));
        return;
      }
      at = next;
    }
  }

  /** Where the next response begins; undefined when the head of this one is not there yet. */
  #read(source: Buffer, at: number): number | undefined {
    const there = source.length - at;
    if (there < headerLength) return undefined;
    const flags = source.readUInt8(at + 1);
    const stream = source.readInt16BE(at + 2);
    const opcode = source.readUInt8(at + 4);
    const length = headerLength + source.readUInt32BE(at + 5);
    const isWhole = this.#wantsBodies || opcode !== opcodes.result;
    if (there < (isWhole ? length : Math.min(length, headOfBody))) return undefined;
    const bodyAt = at + headerLength;
    const ownAt = flags === 0 ? bodyAt : bodyAt + prefixLength(source, bodyAt, flags);
    if (this.#wantsBodies) {
      this.#listener.onBody(opcode, source.subarray(ownAt, at + length));
      return at + length;
    }
    const problem = this.#problemOf(source, opcode, ownAt);
    if (there >= length) {
      this.#listener.onResponse(stream, problem);
      return at + length;
    }
    this.#bytesToCome = length - there;
    this.#stream = stream;
    this.#problem = problem;
    return source.length;
  }

  #problemOf(source: Buffer, opcode: number, ownAt: number): string | undefined {
    if (opcode === opcodes.error) return errorText(source, ownAt);
    if (opcode !== opcodes.result) return `opcode ${opcode} instead of a RESULT`;
    const kind = source.readInt32BE(ownAt);
    const expectedKind = this.#expectedRows === undefined ? resultKinds.void : resultKinds.rows;
    if (kind !== expectedKind) return `a RESULT of kind ${kind} instead of ${expectedKind}`;
    if (this.#expectedRows === undefined) return undefined;
    const rows = rowCountAt(source, ownAt);
    if (rows === undefined || rows === this.#expectedRows) return undefined;
    return `${rows} rows instead of ${this.#expectedRows}`;
  }
}
