// What a segment of a log begins with: whose log it is, which segment, and the frame that comes first in it.

import { crc32 } from 'node:zlib';
import { RingfoldError } from '../../errors/ringfold-error.ts';

export interface LogIdentity {
  /** 32 hexadecimal digits. */
  readonly clusterId: string;
  readonly nodeId: number;
}

export interface SegmentHeader {
  readonly number: number;
  readonly firstFrame: number;
  /** Of the last frame of the segment before. */
  readonly previousChain: number;
}

export const SEGMENT_HEADER_BYTES = 50;

const magic = 'RINGFOLD';
const segmentFormat = 1;

export function encodeSegmentHeader(identity: LogIdentity, segment: SegmentHeader): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  header.write(magic, 0, 'latin1');
  header.writeUInt32BE(segmentFormat, 8);
  header.write(identity.clusterId, 12, 16, 'hex');
  header.writeUInt32BE(identity.nodeId, 28);
  header.writeUInt32BE(segment.number, 32);
  header.writeUIntBE(segment.firstFrame, 36, 6);
  header.writeUInt32BE(segment.previousChain, 42);
  header.writeUInt32BE(crc32(header.subarray(0, 46)), 46);
  return header;
}

/** Undefined when the header is torn or damaged; throws when it is sound and of another node or format. */
export function decodeSegmentHeader(
  file: Buffer,
  identity: LogIdentity,
  path: string,
): SegmentHeader | undefined {
  if (file.length < SEGMENT_HEADER_BYTES || file.toString('latin1', 0, 8) !== magic) return undefined;
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

/** Checksums of frames begin with it. */
export function seedOf({ clusterId, nodeId }: LogIdentity): number {
  return crc32(`${clusterId}/${nodeId}`);
}

export function damagedLog(path: string, at: number): RingfoldError {
  return new RingfoldError('corrupt-data', { what: 'log', path, at });
}
