import type { ByteString } from '../foundation/byte-string.ts';

/** The places where walks over many partitions have begun a page, the latest so many. */
const maxPlaces = 10_000;

/** Tells a walk that comes again from one that comes once, as a copy of everything does, and is not worth remembering. */
export class WalkedBefore {
  readonly #places = new Set<ByteString>();

  /** Whether a page began here before. From now on one has. */
  isAgain(from: ByteString): boolean {
    const isAgain = this.#places.delete(from);
    this.#places.add(from);
    if (this.#places.size > maxPlaces) {
      const [oldest] = this.#places;
      if (oldest !== undefined) this.#places.delete(oldest);
    }
    return isAgain;
  }
}
