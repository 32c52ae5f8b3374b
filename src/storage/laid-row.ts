import type { ByteString } from '../foundation/byte-string.ts';
import type { Row } from './partition-store.ts';

/**
 * A row whose value lies in some larger memory. A view of it is made for who asks for one: of thousands of rows that are walked through,
 * most are only looked at where they lie, and views are most of what there would be to collect of them.
 */
export class LaidRow implements Row {
  readonly key: ByteString;
  readonly memory: Buffer;
  readonly valueAt: number;
  readonly valueEnd: number;
  #value: Buffer | undefined;

  constructor(key: ByteString, memory: Buffer, valueAt: number, valueEnd: number) {
    this.key = key;
    this.memory = memory;
    this.valueAt = valueAt;
    this.valueEnd = valueEnd;
  }

  get value(): Buffer {
    this.#value ??= this.memory.subarray(this.valueAt, this.valueEnd);
    return this.#value;
  }
}

export function valueBytesOf(row: Row): number {
  return row instanceof LaidRow ? row.valueEnd - row.valueAt : row.value.length;
}
