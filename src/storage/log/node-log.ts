// A node's log on its disk: segments of frames, appended and synced, replayed at start, read back for catch-up, trimmed
// when old. Any failure closes it for good: a write that failed may have reached the disk in part, and a sync that failed
// may have dropped what it was asked to keep, so neither is tried again on the same handle.

import { crc32 } from 'node:zlib';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { assert } from '../../foundation/assert.ts';
import type { AppendFile, Disk } from '../disk.ts';
import { decodeEntries, type LogEntry } from './log-entry.ts';
import { decodeFrame, encodeFrameHeader, type Frame, hasFrameBehind } from './log-frame.ts';
import { LogState, type RowProgress } from './log-state.ts';

const folder = 'log';
const segmentMagic = 'RINGFOLD';
const segmentFormat = 1;
const segmentHeaderBytes = 50;
/** Reading and decoding so much takes a fraction of a millisecond. */
const bytesBetweenRests = 64 * 1024;

/** Awaited now and then by whoever reads much of a log, so that others get their turn. */
export type Rest = () => Promise<void>;

export interface LogIdentity {
  /** 32 hexadecimal digits. */
  readonly clusterId: string;
  readonly nodeId: number;
}

interface Segment {
  readonly path: string;
  readonly number: number;
  readonly firstFrame: number;
  readonly previousChain: number;
  sizeBytes: number;
  /** For each partition the last LSN it had when the segment began: what lies behind it is in this segment or a later one. */
  readonly startLsns: ReadonlyMap<number, number>;
  readonly rowProgress: RowProgress;
}

/** What the log asks of the row store behind it, so as to know what must be kept. */
export interface RowStoreProgress {
  readonly rowBytes: number;
  isApplied(partition: number, lsn: number): boolean;
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

  private constructor(
    disk: Disk,
    identity: LogIdentity,
    segments: Segment[],
    state: LogState,
    nextFrame: number,
    chain: number,
  ) {
    this.#disk = disk;
    this.#identity = identity;
    this.#seed = seedOf(identity);
    this.#segments = segments;
    this.state = state;
    this.#nextFrame = nextFrame;
    this.#chain = chain;
  }

  /**
   * Replays what is there. Rejects with `corrupt-data` when a frame that was durable is damaged. Unless the node was stopped in order,
   * the last frame that reads back may never have reached the disk, and a sync that failed once proves nothing when it succeeds later: so
   * the last segment is written anew, up to its last sound frame, before anything is built upon it.
   */
  static async open(disk: Disk, identity: LogIdentity, wasStopped = false): Promise<NodeLog> {
    const names = ((await disk.list(folder)) ?? []).filter((name) => name.endsWith('.log'));
    const seed = seedOf(identity);
    const state = new LogState();
    const segments: Segment[] = [];
    let nextFrame = 1;
    let chain = 0;
    let lastFile: Buffer | undefined;
    for (const name of names) {
      const path = `${folder}/${name}`;
      const file = await disk.read(path);
      if (file === undefined) throw new RingfoldError('corrupt-data', { what: 'segment vanished', path });
      const header = decodeSegmentHeader(file, identity, path);
      if (header === undefined) {
        // A crash between creating a segment and its first sync leaves a stump; only the last one can be such.
        if (name !== names.at(-1) || hasFrameBehind(file, 0, nextFrame - 1, seed)) throw damaged(path, 0);
        continue;
      }
      if (segments.length === 0) {
        nextFrame = header.firstFrame;
        chain = header.previousChain;
      } else if (header.firstFrame !== nextFrame || header.previousChain !== chain) {
        throw damaged(path, 0);
      }
      let at = segmentHeaderBytes;
      let startLsns: ReadonlyMap<number, number> | undefined;
      for (;;) {
        const frame = decodeFrame(file, at, seed);
        if (frame === undefined || frame.number !== nextFrame || frame.previousChain !== chain) {
          if (hasFrameBehind(file, at, nextFrame, seed)) throw damaged(path, at);
          break;
        }
        for (const entry of decodeEntries(frame.body)) state.apply(entry);
        startLsns ??= lsnsOf(state);
        nextFrame = frame.number + 1;
        chain = frame.chain;
        at = frame.end;
      }
      segments.push({
        path,
        ...header,
        sizeBytes: at,
        startLsns: startLsns ?? lsnsOf(state),
        rowProgress: state.rowProgress,
      });
      lastFile = file;
    }
    const last = segments.at(-1);
    if (last !== undefined && lastFile !== undefined && !wasStopped) {
      await disk.replace(last.path, lastFile.subarray(0, last.sizeBytes));
    }
    return new NodeLog(disk, identity, segments, state, nextFrame, chain);
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
    const path = `${folder}/${String(number).padStart(10, '0')}.log`;
    await this.#guarded(async () => {
      await this.#removeStump(path);
      await this.#file?.close();
      this.#file = await this.#disk.createAppendFile(path, true);
      const header = encodeSegmentHeader(this.#identity, number, this.#nextFrame, this.#chain);
      const startLsns = lsnsOf(this.state);
      const { rowProgress } = this.state;
      const chained = { firstFrame: this.#nextFrame, previousChain: this.#chain };
      const segment = { path, number, ...chained, sizeBytes: 0, startLsns, rowProgress };
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
        const durableBytes = segment.sizeBytes;
        await this.#walk(segment.path, await this.#disk.read(segment.path), durableBytes, rest, visit);
      }
    } finally {
      this.#readers -= 1;
    }
  }

  /** Every frame of a segment that was read. */
  async #walk(
    path: string,
    file: Buffer | undefined,
    durableBytes: number,
    rest: Rest,
    visit: (frame: Frame) => Promise<void>,
  ): Promise<void> {
    let bytesToRest = bytesBetweenRests;
    if (file === undefined || file.length < durableBytes) throw damaged(path, durableBytes);
    for (let at = segmentHeaderBytes; at < durableBytes; ) {
      const frame = decodeFrame(file, at, this.#seed);
      if (frame === undefined) throw damaged(path, at);
      await visit(frame);
      bytesToRest -= frame.end - at;
      at = frame.end;
      if (bytesToRest > 0) continue;
      bytesToRest = bytesBetweenRests;
      await rest();
    }
  }

  /**
   * Reads every segment there is again and checks each frame; false when one is damaged or cannot be read. At leisure that takes long, so
   * segments are kept from being trimmed only while they are read, and not while they are looked at.
   */
  async verify(rest: Rest): Promise<boolean> {
    const last = this.#segments.at(-1)?.number ?? 0;
    for (let number = 0; ; ) {
      const segment = this.#segments.find((other) => other.number > number);
      if (segment === undefined || segment.number > last) return true;
      number = segment.number;
      const durableBytes = segment.sizeBytes;
      const release = this.hold();
      try {
        const file = await this.#disk.read(segment.path).finally(release);
        await this.#walk(segment.path, file, durableBytes, rest, async () => {});
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

/** Throws when the log was written by another node, or in a format this version does not know. Changes nothing. */
export async function checkLogFormat(disk: Disk, identity: LogIdentity): Promise<void> {
  const newest = ((await disk.list(folder)) ?? []).filter((name) => name.endsWith('.log')).at(-1);
  const file = newest === undefined ? undefined : await disk.read(`${folder}/${newest}`);
  if (file !== undefined) decodeSegmentHeader(file, identity, `${folder}/${newest}`);
}

function seedOf({ clusterId, nodeId }: LogIdentity): number {
  return crc32(`${clusterId}/${nodeId}`);
}

function lsnsOf(state: LogState): Map<number, number> {
  return new Map([...state.partitions].map(([partition, { lastLsn }]) => [partition, lastLsn]));
}

function damaged(path: string, at: number): RingfoldError {
  return new RingfoldError('corrupt-data', { what: 'log', path, at });
}

function encodeSegmentHeader(
  identity: LogIdentity,
  number: number,
  firstFrame: number,
  previousChain: number,
): Buffer {
  const header = Buffer.alloc(segmentHeaderBytes);
  header.write(segmentMagic, 0, 'latin1');
  header.writeUInt32BE(segmentFormat, 8);
  header.write(identity.clusterId, 12, 16, 'hex');
  header.writeUInt32BE(identity.nodeId, 28);
  header.writeUInt32BE(number, 32);
  header.writeUIntBE(firstFrame, 36, 6);
  header.writeUInt32BE(previousChain, 42);
  header.writeUInt32BE(crc32(header.subarray(0, 46)), 46);
  return header;
}

/** Undefined when the header is torn or damaged; throws when it is sound and of another node or format. */
function decodeSegmentHeader(
  file: Buffer,
  identity: LogIdentity,
  path: string,
): { number: number; firstFrame: number; previousChain: number } | undefined {
  if (file.length < segmentHeaderBytes || file.toString('latin1', 0, 8) !== segmentMagic) return undefined;
  const format = file.readUInt32BE(8);
  if (crc32(file.subarray(0, 46)) !== file.readUInt32BE(46)) return undefined;
  if (format !== segmentFormat)
    throw new RingfoldError('unknown-format', { what: 'log segment', path, format });
  if (file.toString('hex', 12, 28) !== identity.clusterId || file.readUInt32BE(28) !== identity.nodeId) {
    throw new RingfoldError('data-directory-foreign', { what: 'log segment', path });
  }
  return {
    number: file.readUInt32BE(32),
    firstFrame: file.readUIntBE(36, 6),
    previousChain: file.readUInt32BE(42),
  };
}
