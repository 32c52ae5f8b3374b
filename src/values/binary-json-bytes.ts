/** Takes little-endian values one after another and never past the end. */
export class BinaryJsonBytes {
  readonly malformed: () => Error;
  readonly #bytes: Buffer;
  position: number;

  constructor(bytes: Buffer, position: number, malformed: () => Error) {
    this.#bytes = bytes;
    this.position = position;
    this.malformed = malformed;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Another place of the same bytes. */
  at(position: number): BinaryJsonBytes {
    return new BinaryJsonBytes(this.#bytes, position, this.malformed);
  }

  /** Shares memory with the bytes. */
  take(length: number): Buffer {
    const end = this.position + length;
    if (end > this.#bytes.length) throw this.malformed();
    const taken = this.#bytes.subarray(this.position, end);
    this.position = end;
    return taken;
  }

  unsigned(width: number): number {
    return this.take(width).readUIntLE(0, width);
  }
}
