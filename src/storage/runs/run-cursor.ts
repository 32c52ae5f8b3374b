import { type ByteString, bytesOf } from '../../foundation/byte-string.ts';
import { positionEnd } from '../../partitioning/logical-partition.ts';
import type { LaidRow } from '../laid-row.ts';
import type { KeyRange } from '../storage-engine.ts';
import type { BlockPlace, IndexBlock } from './index-block.ts';
import { positionHash } from './key-filter.ts';
import { type BlockBuilder, RowBlock } from './row-block.ts';
import type { Run, UncheckedBlock } from './run.ts';

/** A cursor that goes on reads more at a time: twice as much as before, up to this. */
const maxReadAheadBytes = 256 * 1024;
/** At first, where much is expected of the run. */
const maxFirstReadBytes = 2 ** 20;
/** At first, where it may not need any more. */
const firstReadBytes = 4 * 1024;
/** At first, where filters tell which blocks have something of the range. */
const firstPositionBytes = 32 * 1024;

/** An index block, by its number, or data blocks in the order of walking. */
type Missing = number | readonly BlockPlace[];

/**
 * Walks the rows of a run through one range after the other, or all of that backwards. `load` brings it to its first row; within the
 * blocks it has read it then moves on without waiting.
 */
export class RunCursor {
  readonly #run: Run;
  readonly #reverse: boolean;
  /** Those still to be walked, in the order of walking. */
  readonly #ranges: KeyRange[];
  #range: KeyRange | undefined;
  /** Blocks that were read, in the order of walking, behind `#block`. */
  #ready: UncheckedBlock[] = [];
  #block: RowBlock | undefined;
  #row = 0;
  /** The index block at hand, undefined until it was read, and its number in the run; the next data block to read is its entry `#entry`. */
  #index: IndexBlock | undefined;
  #slot = 0;
  #entry = 0;
  /** How much is read at once; a block that is larger is read alone. */
  #readAheadBytes = 0;
  readonly #expectedBytes: number;
  /** The hash of the one ring position that the range is of; undefined where it spans several. */
  #position: number | undefined;
  /** There is no block of the range beyond those that were read. */
  #isRangeRead = false;
  /** The range was entered, and its first block is still to be looked for. */
  #isEntering = false;
  /** The same of its first row. */
  #isSeeking = false;
  #key: ByteString | undefined;
  #hasEnded = false;

  /** `expectedBytes`, about, are read of the run; 0 where nobody knows. */
  constructor(run: Run, ranges: readonly KeyRange[], reverse: boolean, expectedBytes = 0) {
    this.#run = run;
    this.#reverse = reverse;
    this.#expectedBytes = Math.min(expectedBytes, maxFirstReadBytes);
    this.#ranges = ranges.filter(({ from, to }) => from < to);
    if (reverse) this.#ranges.reverse();
  }

  /** The row it stands at; undefined when more must be loaded, and at the end. */
  get key(): ByteString | undefined {
    return this.#key;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isRemoval(): boolean {
    return this.#block?.isRemovalAt(this.#row) === true;
  }

  /** Undefined where the row was removed. */
  get row(): LaidRow | undefined {
    return this.#key === undefined ? undefined : this.#block?.laidRow(this.#row, this.#key);
  }

  copyTo(builder: BlockBuilder): void {
    this.#block?.copyTo(builder, this.#row);
  }

  /** Moves on by one row. When `key` is then undefined and the cursor has not ended, `load` must be called. */
  advance(): void {
    this.#row += this.#reverse ? -1 : 1;
    this.#settle();
  }

  /** No promise where nothing has to be read. */
  load(): Promise<void> | undefined {
    const missing = this.#missing();
    return missing === undefined ? undefined : this.#loadAll(missing);
  }

  async #loadAll(first: Missing): Promise<void> {
    for (let missing: Missing | undefined = first; missing !== undefined; missing = this.#missing()) {
      if (typeof missing === 'number') this.#open(await this.#run.indexBlock(missing));
      else await this.#read(missing);
    }
  }

  async #read(places: readonly BlockPlace[]): Promise<void> {
    const blocks = await this.#run.blocks(this.#reverse ? places.toReversed() : places);
    this.#ready = this.#reverse ? blocks.reverse() : blocks;
    this.#readAheadBytes = this.#nextReadAhead();
    this.#block = undefined;
    this.#settle();
  }

  /** What was expected has been read: a part of it may still be wanted. */
  #nextReadAhead(): number {
    const last = this.#readAheadBytes;
    if (last === this.#expectedBytes) return Math.max(firstReadBytes, Math.ceil(last / 4));
    return Math.min(last * 2, maxReadAheadBytes);
  }

  /** What must be read before it can go on; undefined when it stands at a row, or at the end. */
  #missing(): Missing | undefined {
    while (this.#key === undefined && !this.#hasEnded) {
      if (this.#range === undefined || this.#isRangeRead) {
        this.#hasEnded = !this.#enterNextRange();
        continue;
      }
      const index = this.#index ?? this.#run.cachedIndexBlock(this.#slot);
      if (index === undefined) return this.#slot;
      if (index !== this.#index) this.#open(index);
      const places = this.#nextPlaces(index, this.#range);
      if (places.length > 0) return places;
    }
    return undefined;
  }

  /** Finds the row to stand at in what was read; at a row outside the range the range is done. */
  #settle(): void {
    for (;;) {
      const block = this.#block;
      if (block !== undefined && this.#row >= 0 && this.#row < block.rows) {
        const key = block.keyAt(this.#row);
        if (this.#isInside(key)) {
          this.#key = key;
          return;
        }
        this.#leaveRange();
        return;
      }
      const next = this.#ready.shift();
      if (next === undefined) {
        this.#block = undefined;
        this.#key = undefined;
        return;
      }
      this.#block = new RowBlock(next.bytes, next.crc);
      this.#row = this.#firstRowOf(this.#block);
    }
  }

  #firstRowOf(block: RowBlock): number {
    if (!this.#isSeeking) return this.#reverse ? block.rows - 1 : 0;
    this.#isSeeking = false;
    const { from, to } = this.#range as KeyRange;
    return this.#reverse ? block.firstNotBelow(bytesOf(to)) - 1 : block.firstNotBelow(bytesOf(from));
  }

  #isInside(key: ByteString): boolean {
    const { from, to } = this.#range as KeyRange;
    return this.#reverse ? key >= from : key < to;
  }

  #leaveRange(): void {
    this.#key = undefined;
    this.#block = undefined;
    this.#ready = [];
    this.#range = undefined;
  }

  #enterNextRange(): boolean {
    for (let range = this.#ranges.shift(); range !== undefined; range = this.#ranges.shift()) {
      const slot = this.#reverse ? this.#run.slotBelow(range.to) : this.#run.slotOf(range.from);
      if (slot < 0 || slot >= this.#run.slots) continue;
      this.#range = range;
      this.#slot = slot;
      this.#index = undefined;
      this.#isEntering = true;
      this.#isSeeking = true;
      this.#isRangeRead = false;
      this.#position = positionOf(range);
      this.#readAheadBytes =
        this.#position === undefined ? Math.max(firstReadBytes, this.#expectedBytes) : firstPositionBytes;
      return true;
    }
    return false;
  }

  /** Goes to the first entry of an index block that may be of the range. */
  #open(index: IndexBlock): void {
    this.#index = index;
    if (this.#isEntering) {
      const { from, to } = this.#range as KeyRange;
      this.#entry = this.#reverse ? index.firstNotBelow(to) - 1 : Math.max(0, index.floor(from));
    } else this.#entry = this.#reverse ? index.entries - 1 : 0;
    this.#isEntering = false;
  }

  /** The next data blocks that may hold rows of the range and stand side by side, in the order of walking; goes to the next index block when there are none in this one. */
  #nextPlaces(index: IndexBlock, { from, to }: KeyRange): readonly BlockPlace[] {
    const places: BlockPlace[] = [];
    const largestBytes = Math.max(maxReadAheadBytes, this.#readAheadBytes);
    for (let bytes = 0; !this.#isRangeRead && bytes < this.#readAheadBytes; ) {
      if (this.#entry < 0 || this.#entry >= index.entries) {
        if (places.length === 0) this.#nextIndex();
        break;
      }
      const firstKey = index.keyAt(this.#entry);
      // Forwards, a block that begins behind the range is beyond it; backwards, the one that begins at or before it is its last.
      const isLast = this.#reverse ? firstKey <= from : firstKey >= to;
      if (isLast && !this.#reverse) {
        this.#isRangeRead = true;
        break;
      }
      if (this.#position === undefined || index.mayHold(this.#entry, this.#position)) {
        const place = index.placeAt(this.#entry);
        // Another block of moderate size goes along, one that is large is read alone.
        if (places.length > 0 && bytes + place.sizeBytes > largestBytes) break;
        places.push(place);
        bytes += place.sizeBytes;
      } else if (places.length > 0) break;
      this.#isRangeRead = isLast;
      this.#entry += this.#reverse ? -1 : 1;
    }
    return places;
  }

  #nextIndex(): void {
    this.#slot += this.#reverse ? -1 : 1;
    this.#index = undefined;
    this.#isRangeRead = this.#slot < 0 || this.#slot >= this.#run.slots;
  }
}

function positionOf({ from, to }: KeyRange): number | undefined {
  if (from.length < positionEnd || from.slice(0, positionEnd) !== to.slice(0, positionEnd)) return undefined;
  const bytes = bytesOf(from);
  return positionHash(bytes, 0, bytes.length);
}
