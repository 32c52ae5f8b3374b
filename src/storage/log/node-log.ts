// A node's log on its disk: segments of frames, appended and synced, replayed at start, read back for catch-up, trimmed
// when old. Any failure closes it for good: a write that failed may have reached the disk in part, and a sync that failed
// may have dropped what it was asked to keep, so neither is tried again on the same handle.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import { assert } from '../../foundation/assert.ts';
import type { AppendFile, Disk } from '../disk.ts';
import { decodeEntries, type LogEntry } from './log-entry.ts';
import { decodeNextFrame, encodeFrameHeader, type Frame } from './log-frame.ts';
import type { LogState } from './log-state.ts';
import { LOG_FOLDER, lsnsOf, type OpenedSegments, openSegments, type Segment } from './open-segments.ts';
import {
  damagedLog,
  decodeSegmentHeader,
  encodeSegmentHeader,
  type LogIdentity,
  SEGMENT_HEADER_BYTES,
  seedOf,
} from './segment-header.ts';

/** Reading and decoding so much takes a fraction of a millisecond. */
const bytesBetweenRests = 64 * 1024;

/** Awaited now and then by whoever reads much of a log, so that others get their turn. */
export type Rest = () => Promise<void>;

/** What the log asks of the row store behind it, so as to know what must be kept. */
export interface RowStoreProgress {
  readonly rowBytes: number;
  isApplied(partition: number, lsn: number): boolean;
}

interface Extent {
  readonly durableBytes: number;
  /** The segment that follows; undefined for the one that is written to. */
  readonly next: Segment | undefined;
}

export class NodeLog {
  readonly #disk: Disk;
  readonly #identity: LogIdentity;
  readonly #segments: Segment[];
  readonly state: LogState;
  #file: AppendFile | undefined;
  #nextFrame: number;
  #chain: number;
  #isBusy = false;
  #readers = 0;
  readonly #seed: number;
  #failure: unknown;

  private constructor(disk: Disk, identity: LogIdentity, opened: OpenedSegments) {
    this.#disk = disk;
    this.#identity = identity;
    this.#seed = seedOf(identity);
    this.#segments = opened.segments;
    this.state = opened.state;
    this.#nextFrame = opened.nextFrame;
    this.#chain = opened.chain;
  }

  /** Replays what is there. Rejects with `corrupt-data` when that is found damaged. */
  static async open(disk: Disk, identity: LogIdentity, wasStopped = false): Promise<NodeLog> {
    return new NodeLog(disk, identity, await openSegments(disk, identity, wasStopped));
  }

  get isUsable(): boolean {
    return this.#failure === undefined && this.#file !== undefined;
  }

  get sizeBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.sizeBytes, 0);
  }

  get segmentCount(): number {
    return this.#segments.length;
  }

  get activeSizeBytes(): number {
    return this.#file?.sizeBytes ?? 0;
  }

  /** Whether the active file is still where it was made and as long as it was written. */
  async isIntact(): Promise<boolean> {
    const active = this.#segments.at(-1);
    return active === undefined || (await this.#disk.isIntact(active.path, active.sizeBytes));
  }

  /** Starts a new segment whose first frame says in short what all the ones before it said. */
  async beginSegment(timeMs: number, rows: RowStoreProgress): Promise<void> {
    this.state.rowProgress = { rowBytes: rows.rowBytes, firstUnapplied: this.#firstUnapplied(rows) };
    const number = (this.#segments.at(-1)?.number ?? 0) + 1;
    const path = `${LOG_FOLDER}/${String(number).padStart(10, '0')}.log`;
    await this.#guarded(async () => {
      await this.#removeStump(path);
      await this.#file?.close();
      this.#file = await this.#disk.createAppendFile(path, true);
      const segmentHeader = { number, firstFrame: this.#nextFrame, previousChain: this.#chain };
      const header = encodeSegmentHeader(this.#identity, segmentHeader);
      const startLsns = lsnsOf(this.state);
      const { rowProgress } = this.state;
      const segment = { path, ...segmentHeader, sizeBytes: 0, startLsns, rowProgress };
      await this.#appendFrame([this.state.snapshotEntry(timeMs)], header, true);
      segment.sizeBytes = this.#file.sizeBytes;
      this.#segments.push(segment);
    });
  }

  /** Writes the parts as one frame and syncs. One at a time. */
  async append(parts: readonly Buffer[], sync: boolean): Promise<void> {
    await this.#guarded(() => this.#appendFrame(parts, undefined, sync));
    const active = this.#segments.at(-1);
    if (active !== undefined) active.sizeBytes = this.activeSizeBytes;
  }

  async #appendFrame(parts: readonly Buffer[], before: Buffer | undefined, sync: boolean): Promise<void> {
    const file = this.#file;
    assert(file !== undefined, 'a log is appended to after its segment was begun');
    const { header, chain } = encodeFrameHeader(this.#nextFrame, this.#chain, parts, this.#seed);
    await file.append(before === undefined ? [header, ...parts] : [before, header, ...parts]);
    if (sync) await file.sync();
    this.#nextFrame += 1;
    this.#chain = chain;
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    assert(!this.#isBusy, 'one write is in flight in a log');
    if (this.#failure !== undefined) throw this.#failure;
    this.#isBusy = true;
    try {
      await work();
    } catch (error) {
      this.#failure = error;
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /** A file of this name can only be what a crash left before its header was durable. */
  async #removeStump(path: string): Promise<void> {
    if ((await this.#disk.read(path)) !== undefined) await this.#disk.remove(path);
  }

  /** No segment is removed until the function returned is called: somebody reads the log in several passes. */
  hold(): () => void {
    this.#readers += 1;
    return () => {
      this.#readers -= 1;
    };
  }

  /** The last LSN of the partition that was in a segment which is gone. */
  trimmedLsn(partition: number): number {
    return this.#segments[0]?.startLsns.get(partition) ?? 0;
  }

  /** The LSN behind which the log holds every entry of the partition. */
  reach(partition: number, baseLsn: number): number {
    return Math.max(baseLsn, this.trimmedLsn(partition));
  }

  /**
   * Hands over every durable entry from the first segment that may hold one of `wanted` (partition → LSN after which it is
   * wanted), in log order. Entries of all partitions are seen: the caller picks, and follows splits as they come.
   */
  async readFrom(
    wanted: ReadonlyMap<number, number>,
    rest: Rest,
    visit: (entries: readonly LogEntry[]) => Promise<void>,
  ): Promise<void> {
    await this.#readSegments(this.#firstFor(wanted), rest, visit);
  }

  /** As `readFrom`, but from early enough to hold all that the row store was given in its last `rowBytes` bytes. */
  async readForRows(
    rowBytes: number,
    wanted: ReadonlyMap<number, number>,
    rest: Rest,
    visit: (entries: readonly LogEntry[]) => Promise<void>,
  ): Promise<void> {
    await this.#readSegments(
      Math.min(this.#firstForRows(this.state.rowProgress.rowBytes - rowBytes), this.#firstFor(wanted)),
      rest,
      visit,
    );
  }

  /** Every entry that was given to the row store after its counter stood at `rowBytes` is in this segment or a later one. */
  #firstForRows(rowBytes: number): number {
    const mark = this.#segments.findLast((segment) => segment.rowProgress.rowBytes <= rowBytes);
    const first = this.#segments.findIndex(
      (segment) => segment.number >= (mark?.rowProgress.firstUnapplied ?? 0),
    );
    return first < 0 ? this.#segments.length : first;
  }

  #firstUnapplied(rows: RowStoreProgress): number {
    for (const [index, segment] of this.#segments.entries()) {
      const endLsns = this.#segments[index + 1]?.startLsns ?? lsnsOf(this.state);
      for (const [partition, lsn] of endLsns) if (!rows.isApplied(partition, lsn)) return segment.number;
    }
    return (this.#segments.at(-1)?.number ?? 0) + 1;
  }

  /** The last segment that lies wholly behind every LSN wanted. */
  #firstFor(wanted: ReadonlyMap<number, number>): number {
    const first = this.#segments.findLastIndex((segment) =>
      [...wanted].every(([partition, lsn]) => (segment.startLsns.get(partition) ?? 0) <= lsn),
    );
    return Math.max(first, 0);
  }

  async #readSegments(
    first: number,
    rest: Rest,
    visit: (entries: readonly LogEntry[]) => Promise<void>,
  ): Promise<void> {
    await this.#readFrames(first, rest, (frame) => visit(decodeEntries(frame.body)));
  }

  async #readFrames(first: number, rest: Rest, visit: (frame: Frame) => Promise<void>): Promise<void> {
    this.#readers += 1;
    try {
      for (let index = first; index < this.#segments.length; index++) {
        const segment = this.#segments[index];
        assert(segment !== undefined, 'segments stay while somebody reads them');
        await this.#walk(segment, this.#extentOf(index), await this.#disk.read(segment.path), rest, visit);
      }
    } finally {
      this.#readers -= 1;
    }
  }

  /** What of a segment is to be read, as of now. */
  #extentOf(index: number): Extent {
    return { durableBytes: this.#segments[index]?.sizeBytes ?? 0, next: this.#segments[index + 1] };
  }

  /** Every frame of a segment that was read: up to the one that the next segment begins with, or as far as the last one is durable. */
  async #walk(
    { path, number, firstFrame, previousChain }: Segment,
    { durableBytes, next }: Extent,
    file: Buffer | undefined,
    rest: Rest,
    visit: (frame: Frame) => Promise<void>,
  ): Promise<void> {
    const isWhole = file !== undefined && (next !== undefined || file.length >= durableBytes);
    if (!isWhole || decodeSegmentHeader(file, this.#identity, path)?.number !== number)
      throw damagedLog(path, 0);
    let bytesToRest = bytesBetweenRests;
    let frameNumber = firstFrame;
    let chain = previousChain;
    for (
      let at = SEGMENT_HEADER_BYTES;
      next === undefined ? at < durableBytes : frameNumber < next.firstFrame;
    ) {
      const frame = decodeNextFrame(file, at, this.#seed, frameNumber, chain);
      if (frame === undefined) throw damagedLog(path, at);
      await visit(frame);
      bytesToRest -= frame.end - at;
      at = frame.end;
      frameNumber += 1;
      chain = frame.chain;
      if (bytesToRest > 0) continue;
      bytesToRest = bytesBetweenRests;
      await rest();
    }
    if (next !== undefined && chain !== next.previousChain) throw damagedLog(path, file.length);
  }

  /**
   * Reads every segment there is again and checks each frame; false when one is damaged or cannot be read. At leisure that takes long, so
   * segments are kept from being trimmed only while they are read, and not while they are looked at.
   */
  async verify(rest: Rest): Promise<boolean> {
    const last = this.#segments.at(-1)?.number ?? 0;
    for (let number = 0; ; ) {
      const index = this.#segments.findIndex((other) => other.number > number);
      const segment = this.#segments[index];
      if (segment === undefined || segment.number > last) return true;
      number = segment.number;
      const extent = this.#extentOf(index);
      const release = this.hold();
      try {
        const file = await this.#disk.read(segment.path).finally(release);
        await this.#walk(segment, extent, file, rest, async () => {});
      } catch {
        return false;
      }
    }
  }

  /**
   * Removes the oldest segments while more than `keepBytes` remain, nothing in them is unapplied, and the row store could
   * be made good from the rest if it lost what it was given in its last `rowBytes` bytes.
   */
  async trim(keepBytes: number, rowBytes: number, rows: RowStoreProgress): Promise<void> {
    while (this.#segments.length > 1 && this.#readers === 0) {
      const [oldest, next] = this.#segments;
      if (oldest === undefined || next === undefined || this.sizeBytes - oldest.sizeBytes < keepBytes) return;
      if (this.#firstForRows(rows.rowBytes - rowBytes) === 0) return;
      for (const [partition, lsn] of next.startLsns) if (!rows.isApplied(partition, lsn)) return;
      this.#segments.shift();
      await this.#disk.remove(oldest.path);
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#failure ??= new RingfoldError('stopping');
    await file?.close();
  }
}
