import { type ByteString, bytesOf } from '../../foundation/byte-string.ts';
import type { ReadFile } from '../disk.ts';
import type { KeyRange } from '../storage-engine.ts';
import type { BlockPlace, IndexBlock } from './index-block.ts';
import { type IndexCache, IndexSlot } from './index-cache.ts';
import { type RunRoot, readBlock, readIndexBlock, readRoot } from './run-file.ts';
import type { SoughtKey } from './sought-key.ts';

/** What the manifest keeps of a run. */
export interface RunRecord {
  /** Names its file; never given twice. */
  readonly number: number;
  /** Age: of two runs that have a key, the one with the higher sequence is right. A merged run takes that of its newest part. */
  readonly sequence: number;
  readonly sizeBytes: number;
  /** What it holds: a file of another run is not taken for it, and runs of two nodes with the same rows have the same. */
  readonly crc: number;
}

/** As it was read. It becomes a block when it is needed, which is when it is looked whether it is the one of this CRC. */
export interface UncheckedBlock {
  readonly bytes: Buffer;
  readonly crc: number;
}

/** A run's file, opened for reading. Only its root is kept in memory. */
export class Run {
  readonly record: RunRecord;
  /** How many it holds, removals included. */
  readonly rows: number;
  readonly #file: ReadFile;
  readonly #cache: IndexCache;
  readonly #root: IndexBlock;
  readonly #slots: readonly IndexSlot[];
  /** How many lists it is in. */
  lists = 0;

  private constructor(record: RunRecord, file: ReadFile, cache: IndexCache, { index: root, rows }: RunRoot) {
    this.record = record;
    this.rows = rows;
    this.#file = file;
    this.#cache = cache;
    this.#root = root;
    this.#slots = Array.from({ length: root.entries }, (_, slot) => new IndexSlot(root.placeAt(slot)));
  }

  /** Takes over the file, also when it turns out to be damaged. */
  static async open(record: RunRecord, file: ReadFile, cache: IndexCache): Promise<Run> {
    try {
      return new Run(record, file, cache, await readRoot(file, record.sizeBytes, record.crc));
    } catch (error) {
      await file.close().catch(() => {});
      throw error;
    }
  }

  /**
   * The row as stored, null where it was removed, undefined where this run knows nothing of it. No promise where that can be said at
   * once, as in most runs that do not have the key.
   */
  get(sought: SoughtKey): Promise<Buffer | null | undefined> | undefined {
    const slot = this.#root.floor(sought.key, sought.prefix);
    if (slot < 0) return undefined;
    const index = this.cachedIndexBlock(slot);
    if (index === undefined) return this.indexBlock(slot).then((read) => this.#find(read, sought));
    return this.#find(index, sought);
  }

  /** False when what is in memory says that this run knows nothing of the key. */
  mayHold({ key, prefix, hash }: SoughtKey): boolean {
    const slot = this.#root.floor(key, prefix);
    if (slot < 0) return false;
    const index = this.cachedIndexBlock(slot);
    if (index === undefined) return true;
    const entry = index.floor(key, prefix);
    return entry >= 0 && index.mayHold(entry, hash);
  }

  #find(index: IndexBlock, { key, prefix, hash }: SoughtKey): Promise<Buffer | null | undefined> | undefined {
    const entry = index.floor(key, prefix);
    if (entry < 0 || !index.mayHold(entry, hash)) return undefined;
    return this.#findIn(index.placeAt(entry), key);
  }

  async #findIn(place: BlockPlace, key: ByteString): Promise<Buffer | null | undefined> {
    const block = await readBlock(this.#file, place);
    const row = block.find(bytesOf(key));
    return row < 0 ? undefined : (block.valueAt(row) ?? null);
  }

  get slots(): number {
    return this.#slots.length;
  }

  /** The index block that tells of this key: the last that begins at or below it, or the first of all. */
  slotOf(key: ByteString): number {
    return Math.max(0, this.#root.floor(key));
  }

  /** The last index block that begins below this key; -1 when all of the run is at or above it. */
  slotBelow(key: ByteString): number {
    return this.#root.firstNotBelow(key) - 1;
  }

  cachedIndexBlock(slot: number): IndexBlock | undefined {
    return this.#cache.get(this.#slots[slot] as IndexSlot);
  }

  async indexBlock(slot: number): Promise<IndexBlock> {
    const place = this.#slots[slot] as IndexSlot;
    const block = await readIndexBlock(this.#file, place.place);
    this.#cache.put(place, block);
    return block;
  }

  /** Data blocks that stand one behind the other, in one read. */
  async blocks(places: readonly BlockPlace[]): Promise<UncheckedBlock[]> {
    const [first] = places;
    const last = places.at(-1);
    if (first === undefined || last === undefined) return [];
    const start = first.position;
    const bytes = await this.#file.readAt(start, last.position + last.sizeBytes - start);
    return places.map(({ position, sizeBytes, crc }) => ({
      bytes: bytes.subarray(position - start, position - start + sizeBytes),
      crc,
    }));
  }

  /** About how many bytes of the run lie in the range: to the accuracy of a data block. */
  async sizeOf(range: KeyRange): Promise<number> {
    if (range.from >= range.to) return 0;
    return (await this.#positionOf(range.to)) - (await this.#positionOf(range.from));
  }

  async #positionOf(key: ByteString): Promise<number> {
    const slot = this.#root.floor(key);
    if (slot < 0) return 0;
    const index = this.cachedIndexBlock(slot) ?? (await this.indexBlock(slot));
    const entry = index.firstNotBelow(key);
    if (entry < index.entries) return index.placeAt(entry).position;
    const next = this.#slots[slot + 1];
    const last = index.placeAt(index.entries - 1);
    return next === undefined ? last.position + last.sizeBytes : last.position;
  }

  /** Reads footer and root again, past what is kept in memory. Throws when they are not what was written. */
  async verifyRoot(): Promise<void> {
    await readRoot(this.#file, this.record.sizeBytes, this.record.crc);
  }

  /** The same for an index block. */
  async verifySlot(slot: number): Promise<void> {
    await readIndexBlock(this.#file, (this.#slots[slot] as IndexSlot).place);
  }

  async close(): Promise<void> {
    for (const slot of this.#slots) this.#cache.drop(slot);
    await this.#file.close();
  }
}
