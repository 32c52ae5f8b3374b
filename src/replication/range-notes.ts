import type { KnownRange } from './known-range.ts';

/** Something that a reader made of the rows of a known range, to find it again until one of them changes. It is never changed. */
export interface RangeNote {
  readonly sizeBytes: number;
}

/** The ranges that have notes, within a limit in bytes: for a new note go those that nobody asked for since they came, or came round. */
export class RangeNotes {
  readonly #limitBytes: number;
  /** Those that came first stand first. */
  readonly #ranges = new Set<KnownRange>();
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Whether there is room for a note. Not where the one whose turn it is to go was asked for: while many more are read than there is
   * room for, it is not worth while to keep making them. `drop` is told which go.
   */
  makeRoom(bytes: number, drop: (range: KnownRange) => void): boolean {
    if (bytes > this.#limitBytes) return false;
    while (this.#sizeBytes + bytes > this.#limitBytes) {
      const [oldest] = this.#ranges;
      if (oldest === undefined) return false;
      if (oldest.isNoteRead) {
        oldest.isNoteRead = false;
        this.#ranges.delete(oldest);
        this.#ranges.add(oldest);
        return false;
      }
      drop(oldest);
    }
    return true;
  }

  /** The range has no note; there is room for this one. */
  add(range: KnownRange, note: RangeNote): void {
    range.note = note;
    range.isNoteRead = false;
    this.#ranges.add(range);
    this.#sizeBytes += note.sizeBytes;
  }

  remove(range: KnownRange): void {
    if (range.note === undefined) return;
    this.#sizeBytes -= range.note.sizeBytes;
    this.#ranges.delete(range);
    range.note = undefined;
  }

  clear(): void {
    this.#ranges.clear();
    this.#sizeBytes = 0;
  }
}
