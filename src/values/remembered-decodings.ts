/** What is smaller is decoded faster than it is looked for. */
const smallestBytes = 2_048;
const mostKept = 8;
const mostKeptBytes = 8 * 2 ** 20;

/**
 * The last few large things that were decoded, by their bytes. Whoever has deleted thousands of ranges in a partition would else have them
 * decoded for every request to it.
 */
export class RememberedDecodings<T> {
  readonly #decode: (bytes: Buffer) => T;
  /** The latest first. */
  #kept: readonly { readonly bytes: Buffer; readonly decoded: T }[] = [];

  constructor(decode: (bytes: Buffer) => T) {
    this.#decode = decode;
  }

  /** May share memory with bytes of its own, which never change. */
  of(bytes: Buffer): T {
    if (bytes.length < smallestBytes) return this.#decode(bytes);
    const known = this.#kept.find((one) => one.bytes.equals(bytes));
    if (known !== undefined) return known.decoded;
    const own = Buffer.from(bytes);
    const decoded = this.#decode(own);
    this.#keep(own, decoded);
    return decoded;
  }

  /** Of what was just encoded, and will be asked for next. Neither may change any more. */
  note(bytes: Buffer, decoded: T): void {
    if (bytes.length >= smallestBytes) this.#keep(bytes, decoded);
  }

  #keep(bytes: Buffer, decoded: T): void {
    let keptBytes = 0;
    this.#kept = [{ bytes, decoded }, ...this.#kept].filter((one, at) => {
      keptBytes += one.bytes.length;
      return at < mostKept && keptBytes <= mostKeptBytes;
    });
  }
}
