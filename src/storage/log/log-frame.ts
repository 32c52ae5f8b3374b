// A frame is what one write and one sync make durable together. Frames are numbered without a gap and chained: each
// carries the checksum of the one before and its own, taken over both. So a frame can be checked by itself, and a run
// of frames cannot lose one from its middle, or gain one from an older life of the file, without being noticed. Checksums begin with
// a seed of the log's own, so that rows which happen to hold a piece of another log are never taken for frames of this one.
//
//   u32 magic · u48 number · u32 body length · u32 previous chain · u32 chain · body

import { crc32 } from 'node:zlib';

const frameHeaderBytes = 22;
const magic = 0x52464c31; // "RFL1"
const chainAt = 18;

export interface Frame {
  readonly number: number;
  readonly previousChain: number;
  readonly chain: number;
  readonly body: Buffer;
  /** Where the next frame begins. */
  readonly end: number;
}

export function encodeFrameHeader(
  number: number,
  previousChain: number,
  body: readonly Buffer[],
  seed: number,
): { header: Buffer; chain: number } {
  const header = Buffer.allocUnsafe(frameHeaderBytes);
  let bodyLength = 0;
  for (const part of body) bodyLength += part.length;
  header.writeUInt32BE(magic, 0);
  header.writeUIntBE(number, 4, 6);
  header.writeUInt32BE(bodyLength, 10);
  header.writeUInt32BE(previousChain, 14);
  let chain = crc32(header.subarray(0, chainAt), seed);
  for (const part of body) chain = crc32(part, chain);
  header.writeUInt32BE(chain, chainAt);
  return { header, chain };
}

/** The frame that begins at `at`, or undefined when there is no whole and sound one. */
export function decodeFrame(file: Buffer, at: number, seed: number): Frame | undefined {
  const bodyAt = at + frameHeaderBytes;
  if (bodyAt > file.length || file.readUInt32BE(at) !== magic) return undefined;
  const end = bodyAt + file.readUInt32BE(at + 10);
  if (end > file.length) return undefined;
  const chain = crc32(file.subarray(bodyAt, end), crc32(file.subarray(at, at + chainAt), seed));
  if (chain !== file.readUInt32BE(at + chainAt)) return undefined;
  return {
    number: file.readUIntBE(at + 4, 6),
    previousChain: file.readUInt32BE(at + 14),
    chain,
    body: file.subarray(bodyAt, end),
    end,
  };
}

/** The same, if it is the one of that number and follows the one that ended with that chain. */
export function decodeNextFrame(
  file: Buffer,
  at: number,
  seed: number,
  number: number,
  previousChain: number,
): Frame | undefined {
  const frame = decodeFrame(file, at, seed);
  return frame?.number === number && frame.previousChain === previousChain ? frame : undefined;
}

/**
 * Whether a sound frame later than `number` stands anywhere behind `at`. One write is in flight at a time and each is synced before the next,
 * so a crash tears only the last frame: a bad one with a sound one behind it was damaged after it was durable.
 */
export function hasFrameBehind(file: Buffer, at: number, number: number, seed: number): boolean {
  const mark = Buffer.from([0x52, 0x46, 0x4c, 0x31]);
  for (let next = file.indexOf(mark, at + 1); next >= 0; next = file.indexOf(mark, next + 1)) {
    const frame = decodeFrame(file, next, seed);
    if (frame !== undefined && frame.number > number) return true;
  }
  return false;
}
