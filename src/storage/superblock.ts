import { crc32 } from 'node:zlib';
import { assert } from '../foundation/assert.ts';
import type { Disk } from './disk.ts';

// Who a storage node is. Two copies in two files, each one line of JSON and one of its CRC, so that a person can read
// it too. The valid copy with the highest sequence counts: a write that is cut off leaves the one before it. This form
// of two lines, with `format` and `sequence` in the first, stays in every later format; what else is there may change.

export interface Superblock {
  /** 16 random bytes in hexadecimal, given when the cluster is made and the same on all of its nodes. */
  readonly clusterId: string;
  readonly nodeId: number;
  /** Every node of the cluster, this one included, ascending. */
  readonly memberIds: readonly number[];
  readonly createdAtMs: number;
}

export type SuperblockReading =
  /** `isWhole` is false when one copy is bad or behind: write it again. */
  | { readonly status: 'ok'; readonly superblock: Superblock; readonly isWhole: boolean }
  /** The node's directory is not there. */
  | { readonly status: 'absent' }
  /** A directory with nothing of ours in it: a new one, or the place where a disk is not mounted. */
  | { readonly status: 'empty' }
  /** Something of a node is there, but no copy is valid. */
  | { readonly status: 'damaged' }
  | { readonly status: 'unknown-format'; readonly format: number };

const currentFormat = 1;
const copyPaths = ['superblock-a', 'superblock-b'] as const;

interface Copy {
  readonly format: number;
  readonly sequence: number;
  /** Undefined in a format this version does not know. */
  readonly superblock: Superblock | undefined;
}

export async function readSuperblock(disk: Disk): Promise<SuperblockReading> {
  const copies = await readCopies(disk);
  const newest = newestOf(copies);
  if (newest === undefined) return readingWithoutCopy(disk);
  if (newest.superblock === undefined) return { status: 'unknown-format', format: newest.format };
  const isWhole = copies.every((copy) => copy?.sequence === newest.sequence);
  return { status: 'ok', superblock: newest.superblock, isWhole };
}

export async function writeSuperblock(disk: Disk, superblock: Superblock): Promise<void> {
  const copies = await readCopies(disk);
  const newest = newestOf(copies);
  assert(
    newest === undefined || newest.superblock !== undefined,
    'a superblock of an unknown format is left alone',
  );
  const content = encode({ format: currentFormat, sequence: (newest?.sequence ?? 0) + 1, superblock });
  // The newest copy is replaced last, so that there is a valid one at every moment.
  const order = copies[0] === newest ? copyPaths.toReversed() : copyPaths;
  for (const path of order) await disk.replace(path, content);
}

async function readCopies(disk: Disk): Promise<(Copy | undefined)[]> {
  const contents = await Promise.all(copyPaths.map((path) => disk.read(path)));
  return contents.map((content) => (content === undefined ? undefined : decode(content)));
}

function newestOf(copies: readonly (Copy | undefined)[]): Copy | undefined {
  return copies
    .filter((copy) => copy !== undefined)
    .reduce<Copy | undefined>(
      (newest, copy) => (newest && newest.sequence >= copy.sequence ? newest : copy),
      undefined,
    );
}

async function readingWithoutCopy(disk: Disk): Promise<SuperblockReading> {
  const files = await disk.list('');
  if (files === undefined) return { status: 'absent' };
  const folders = await Promise.all([disk.list('log'), disk.list('rows')]);
  const isEmpty = files.length === 0 && folders.every((folder) => folder === undefined);
  return { status: isEmpty ? 'empty' : 'damaged' };
}

function encode(copy: Copy): Buffer {
  const { format, sequence, superblock } = copy;
  const line = `${JSON.stringify({ format, sequence, ...superblock })}\n`;
  return Buffer.from(`${line}${checksumOf(line)}\n`, 'utf8');
}

function decode(content: Buffer): Copy | undefined {
  const text = content.toString('utf8');
  const line = text.slice(0, text.indexOf('\n') + 1);
  if (line === '' || text !== `${line}${checksumOf(line)}\n`) return undefined;
  const fields: unknown = JSON.parse(line);
  // What has a valid checksum was written by some version of us: anything else than these is a bug, not damage.
  assert(isObject(fields), 'a superblock is an object');
  const { format, sequence } = fields;
  assert(isCount(format) && isCount(sequence), 'a superblock has a format and a sequence');
  return { format, sequence, superblock: format === currentFormat ? superblockOf(fields) : undefined };
}

function superblockOf(fields: Readonly<Record<string, unknown>>): Superblock {
  const { clusterId, nodeId, memberIds, createdAtMs } = fields;
  assert(
    typeof clusterId === 'string' && /^[0-9a-f]{32}$/.test(clusterId),
    'a cluster id is 16 bytes in hexadecimal',
  );
  assert(isCount(nodeId), 'a node id is a number');
  assert(Array.isArray(memberIds) && memberIds.every(isCount), 'member ids are numbers');
  assert(typeof createdAtMs === 'number', 'a superblock has its time of creation');
  return { clusterId, nodeId, memberIds, createdAtMs };
}

function checksumOf(line: string): string {
  return crc32(line).toString(16).padStart(8, '0');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
