/** Copying byte by byte is faster up to here: a view of longer ones is made for the copy. */
const longestByBytes = 56;
const slabLength = 64 * 1024;

/**
 * Values in the form of the protocol, one behind another: [int] length, bytes. They lie in slabs that go on to the next result, and what
 * was taken is never written again.
 */
export class RowBytes {
  #slab: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** Of what was written since it was last taken. */
  get length(): number {
    return this.#end - this.#start;
  }

  take(): Buffer {
    const taken = this.#slab.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return taken;
  }

  value(bytes: Buffer | null): void {
    if (bytes === null) this.int(-1);
    else this.copy(bytes, 0, bytes.length);
  }

  int(value: number): void {
    const at = this.#reserve(4);
    writeInt(this.#slab, at, value);
  }

  /** A value that is a part of these bytes. */
  copy(source: Buffer, start: number, length: number): void {
    const at = this.#reserve(4 + length);
    const slab = this.#slab;
    writeInt(slab, at, length);
    if (length > longestByBytes) source.copy(slab, at + 4, start, start + length);
    else for (let index = 0; index < length; index++) slab[at + 4 + index] = source[start + index] as number;
  }

  /** A value whose bytes the caller puts at the place that this returns, in `slab`, before it writes the next. */
  room(length: number): number {
    const at = this.#reserve(4 + length);
    writeInt(this.#slab, at, length);
    return at + 4;
  }

  get slab(): Buffer {
    return this.#slab;
  }

  #reserve(length: number): number {
    const at = this.#end;
    if (at + length <= this.#slab.length) {
      this.#end = at + length;
      return at;
    }
    const kept = this.length;
    const grown = Buffer.allocUnsafeSlow(Math.max(slabLength, (kept + length) * 2));
    this.#slab.copy(grown, 0, this.#start, at);
    this.#slab = grown;
    this.#start = 0;
    this.#end = kept + length;
    return kept;
  }
}

function writeInt(target: Buffer, at: number, value: number): void {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
}
