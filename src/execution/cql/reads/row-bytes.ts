const noBytes = Buffer.alloc(0);
const noView = new DataView(new ArrayBuffer(0));

/** Copying by four bytes is faster up to here, byte by byte up to there: for a copy of all at once an object is made. */
const longestByWords = 600;
const longestByBytes = 40;
const slabLength = 64 * 1024;
/** A slab that had to be larger than this is not kept for the next result. */
const longestReused = 512 * 1024;

/** Values in the form of the protocol, one behind another: [int] length, bytes. What was taken is not written again before `reuse`. */
export class RowBytes {
  #slab: Buffer = noBytes;
  #view: DataView = noView;
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

  /** Whoever has what was taken has copied it. */
  reuse(): void {
    this.#start = 0;
    this.#end = 0;
    if (this.#slab.length <= longestReused) return;
    this.#slab = noBytes;
    this.#view = noView;
  }

  value(bytes: Buffer | null): void {
    if (bytes === null) this.int(-1);
    else this.copy(bytes, 0, bytes.length);
  }

  int(value: number): void {
    const at = this.#reserve(4);
    this.#view.setInt32(at, value);
  }

  /** A value that is a part of these bytes; a view of the same bytes makes it faster. */
  copy(source: Buffer, start: number, length: number, view?: DataView): void {
    const at = this.room(length);
    if (view !== undefined && length <= longestByWords) this.#copyWords(view, start, length, at);
    else if (length <= longestByBytes) {
      const slab = this.#slab;
      for (let index = 0; index < length; index++) slab[at + index] = source[start + index] as number;
    } else this.#slab.set(new Uint8Array(source.buffer, source.byteOffset + start, length), at);
  }

  /** A value whose bytes the caller puts at the place that this returns, in `slab`, before it writes the next. */
  room(length: number): number {
    const at = this.#reserve(4 + length);
    this.#view.setInt32(at, length);
    return at + 4;
  }

  get slab(): Buffer {
    return this.#slab;
  }

  #copyWords(source: DataView, start: number, length: number, at: number): void {
    const target = this.#view;
    let from = start;
    let to = at;
    for (const end = start + (length & ~15); from < end; from += 16, to += 16) {
      target.setInt32(to, source.getInt32(from, true), true);
      target.setInt32(to + 4, source.getInt32(from + 4, true), true);
      target.setInt32(to + 8, source.getInt32(from + 8, true), true);
      target.setInt32(to + 12, source.getInt32(from + 12, true), true);
    }
    for (const end = start + length; from < end; from++, to++) target.setUint8(to, source.getUint8(from));
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
    this.#view = new DataView(grown.buffer, grown.byteOffset, grown.length);
    this.#start = 0;
    this.#end = kept + length;
    return kept;
  }
}
