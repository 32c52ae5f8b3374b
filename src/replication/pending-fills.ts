import type { ByteString } from '../foundation/byte-string.ts';

interface PendingFill {
  readonly from: ByteString;
  readonly to: ByteString;
  isSpoiled: boolean;
}

/** What is being read for the cache just now, so that a commit can spoil what it makes stale. */
export class PendingFills {
  /** Reads of one row, by key: there may be hundreds, and every commit asks. */
  readonly #points = new Map<ByteString, PendingFill[]>();
  readonly #ranges = new Set<PendingFill>();

  begin(from: ByteString, to: ByteString): PendingFill {
    const fill = { from, to, isSpoiled: false };
    const sameKey = this.#points.get(from);
    if (!isOneRow(from, to)) this.#ranges.add(fill);
    else if (sameKey === undefined) this.#points.set(from, [fill]);
    else sameKey.push(fill);
    return fill;
  }

  /** True when nothing has spoiled it. A fill ends once; afterwards it counts as spoiled. */
  end(fill: PendingFill): boolean {
    const isGood = !fill.isSpoiled;
    this.#spoil(fill);
    return isGood;
  }

  get areSome(): boolean {
    return this.#points.size > 0 || this.#ranges.size > 0;
  }

  noteCommit(key: ByteString): void {
    if (this.#points.size > 0) this.#points.get(key)?.slice().forEach(this.#spoil);
    if (this.#ranges.size === 0) return;
    for (const fill of this.#ranges) if (key >= fill.from && key < fill.to) this.#spoil(fill);
  }

  noteEviction(from: ByteString, to: ByteString): void {
    for (const fill of this.#all()) if (fill.from < to && from < fill.to) this.#spoil(fill);
  }

  noteEvictionOfAll(): void {
    for (const fill of this.#all()) this.#spoil(fill);
  }

  #all(): PendingFill[] {
    return [...this.#ranges, ...[...this.#points.values()].flat()];
  }

  /** What is spoiled is no longer looked at, so a slow read costs later commits nothing. */
  #spoil = (fill: PendingFill): void => {
    fill.isSpoiled = true;
    this.#ranges.delete(fill);
    const others = this.#points.get(fill.from)?.filter((other) => other !== fill);
    if (others === undefined) return;
    if (others.length === 0) this.#points.delete(fill.from);
    else this.#points.set(fill.from, others);
  };
}

/** Nothing lies between a key and the key followed by a zero byte. */
export function isOneRow(from: ByteString, to: ByteString): boolean {
  return to.length === from.length + 1 && to.endsWith('\0') && to.startsWith(from);
}
