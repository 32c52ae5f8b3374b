// Opening a log: what it says, from as little of it as tells all. The first frame of a segment says in short what all the ones before
// it said. So segments that may hold what is not in the row store yet are read whole and checked frame by frame, as is the last; of older ones,
// which are kept for nodes that come late, only the beginning. Who reads those later checks them then, and so does the scrub.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Disk } from '../disk.ts';
import { decodeEntries } from './log-entry.ts';
import { decodeNextFrame, type Frame, hasFrameBehind } from './log-frame.ts';
import { LogState, type RowProgress } from './log-state.ts';
import {
  damagedLog,
  decodeSegmentHeader,
  type LogIdentity,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
  seedOf,
} from './segment-header.ts';

export const LOG_FOLDER = 'log';

/** Mostly enough for the first frame of a segment; where it is not, the whole segment is read. */
const beginningBytes = 16 * 1024;

export interface Segment extends SegmentHeader {
  readonly path: string;
  sizeBytes: number;
  /** For each partition the last LSN it had when the segment began: what lies behind it is in this segment or a later one. */
  readonly startLsns: ReadonlyMap<number, number>;
  readonly rowProgress: RowProgress;
}

export interface OpenedSegments {
  readonly segments: Segment[];
  readonly state: LogState;
  readonly nextFrame: number;
  /** Of the last frame. */
  readonly chain: number;
}

/** A segment by its beginning. */
interface Beginning {
  readonly path: string;
  readonly header: SegmentHeader;
  /** What the log said when the segment began; undefined where the first frame is not sound. */
  readonly state: LogState | undefined;
}

/**
 * Rejects with `corrupt-data` when a frame that was durable is found damaged. Unless the node was stopped in order, the last frame that reads
 * back may never have reached the disk, and a sync that failed once proves nothing when it succeeds later: so the last segment is written anew,
 * up to its last sound frame, before anything is built upon it.
 */
export async function openSegments(
  disk: Disk,
  identity: LogIdentity,
  wasStopped: boolean,
): Promise<OpenedSegments> {
  const seed = seedOf(identity);
  const { beginnings, stump } = await readBeginnings(disk, identity, seed);
  const firstWhole = firstToRead(beginnings, wasStopped);
  const older: Segment[] = [];
  for (const [index, { path, header }] of beginnings.slice(0, firstWhole).entries()) {
    const state = stateAt(beginnings, index);
    if (state === undefined) throw damagedLog(path, SEGMENT_HEADER_BYTES);
    const sizeBytes = (await disk.sizeOf(path)) ?? 0;
    older.push({ path, ...header, sizeBytes, startLsns: lsnsOf(state), rowProgress: state.rowProgress });
  }
  const { lastFile, ...replayed } = await replay(disk, seed, beginnings.slice(firstWhole));
  const { segments, nextFrame } = replayed;
  if (stump !== undefined && hasFrameBehind(await readWhole(disk, stump), 0, nextFrame - 1, seed))
    throw damagedLog(stump, 0);
  const last = segments.at(-1);
  if (last !== undefined && lastFile !== undefined && !wasStopped)
    await disk.replace(last.path, lastFile.subarray(0, last.sizeBytes));
  return { ...replayed, segments: [...older, ...segments] };
}

/** Reads segments whole, each going on where the one before it ended. */
async function replay(
  disk: Disk,
  seed: number,
  beginnings: readonly Beginning[],
): Promise<OpenedSegments & { lastFile: Buffer | undefined }> {
  const state = new LogState();
  const segments: Segment[] = [];
  let nextFrame = beginnings[0]?.header.firstFrame ?? 1;
  let chain = beginnings[0]?.header.previousChain ?? 0;
  let lastFile: Buffer | undefined;
  for (const { path, header } of beginnings) {
    if (header.firstFrame !== nextFrame || header.previousChain !== chain) throw damagedLog(path, 0);
    const file = await readWhole(disk, path);
    let at = SEGMENT_HEADER_BYTES;
    let startLsns: ReadonlyMap<number, number> | undefined;
    for (;;) {
      const frame = decodeNextFrame(file, at, seed, nextFrame, chain);
      if (frame === undefined) {
        if (hasFrameBehind(file, at, nextFrame, seed)) throw damagedLog(path, at);
        break;
      }
      for (const entry of decodeEntries(frame.body)) state.apply(entry);
      startLsns ??= lsnsOf(state);
      nextFrame = frame.number + 1;
      chain = frame.chain;
      at = frame.end;
    }
    const { rowProgress } = state;
    segments.push({ path, ...header, sizeBytes: at, startLsns: startLsns ?? lsnsOf(state), rowProgress });
    lastFile = file;
  }
  return { segments, state, nextFrame, chain, lastFile };
}

/** Of all segments, and the stump that a crash between creating a segment and its first sync leaves: only the last one can be such. */
async function readBeginnings(
  disk: Disk,
  identity: LogIdentity,
  seed: number,
): Promise<{ beginnings: Beginning[]; stump: string | undefined }> {
  const beginnings: Beginning[] = [];
  let stump: string | undefined;
  for (const path of await pathsOfSegments(disk)) {
    if (stump !== undefined) throw damagedLog(stump, 0);
    const beginning = await readWhole(disk, path, beginningBytes);
    const header = decodeSegmentHeader(beginning, identity, path);
    if (header === undefined) {
      stump = path;
      continue;
    }
    const before = beginnings.at(-1)?.header.number;
    if (before !== undefined && header.number !== before + 1) throw damagedLog(path, 0);
    const { firstFrame, previousChain } = header;
    const first = (file: Buffer): Frame | undefined =>
      decodeNextFrame(file, SEGMENT_HEADER_BYTES, seed, firstFrame, previousChain);
    const isCut = beginning.length === beginningBytes;
    const frame = first(beginning) ?? (isCut ? first(await readWhole(disk, path)) : undefined);
    beginnings.push({ path, header, state: frame === undefined ? undefined : stateIn(frame) });
  }
  return { beginnings, stump };
}

/** The first segment with an entry that may not be in the row store; the last of all where there is none, as after a stop in order. */
function firstToRead(beginnings: readonly Beginning[], wasStopped: boolean): number {
  const newest = beginnings.findLastIndex(({ state }) => state !== undefined);
  if (wasStopped) return Math.max(0, newest);
  const unapplied = beginnings[newest]?.state?.rowProgress.firstUnapplied ?? 0;
  const first = beginnings.findIndex(({ header }) => header.number >= unapplied);
  return Math.max(0, first < 0 ? newest : Math.min(first, newest));
}

/** What the log said when the segment began; undefined where its first frame was damaged. */
function stateAt(beginnings: readonly Beginning[], index: number): LogState | undefined {
  const [here, next] = beginnings.slice(index);
  if (here?.state !== undefined || next === undefined) return here?.state;
  // Before it had a frame there was a crash, and the next one begins where it would have.
  const isEmpty = here?.header.firstFrame === next.header.firstFrame;
  return isEmpty ? stateAt(beginnings, index + 1) : undefined;
}

function stateIn({ body }: Frame): LogState {
  const state = new LogState();
  for (const entry of decodeEntries(body)) state.apply(entry);
  return state;
}

async function readWhole(disk: Disk, path: string, maxBytes?: number): Promise<Buffer> {
  const file = await disk.read(path, maxBytes);
  if (file === undefined) throw new RingfoldError('corrupt-data', { what: 'segment vanished', path });
  return file;
}

/** In order. */
async function pathsOfSegments(disk: Disk): Promise<string[]> {
  const names = (await disk.list(LOG_FOLDER)) ?? [];
  return names.filter((name) => name.endsWith('.log')).map((name) => `${LOG_FOLDER}/${name}`);
}

export function lsnsOf(state: LogState): Map<number, number> {
  return new Map([...state.partitions].map(([partition, { lastLsn }]) => [partition, lastLsn]));
}

/** Throws when the log was written by another node, or in a format this version does not know. Changes nothing. */
export async function checkLogFormat(disk: Disk, identity: LogIdentity): Promise<void> {
  const newest = (await pathsOfSegments(disk)).at(-1);
  const header = newest === undefined ? undefined : await disk.read(newest, SEGMENT_HEADER_BYTES);
  if (newest !== undefined && header !== undefined) decodeSegmentHeader(header, identity, newest);
}
