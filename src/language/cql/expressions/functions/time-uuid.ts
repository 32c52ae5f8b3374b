// Version 1 UUIDs: the time as tenths of microseconds since 1582-10-15, then a clock sequence and a node.

import { randomBytes } from 'node:crypto';

const ticksToEpoch = 122_192_928_000_000_000n;
const ticksPerMs = 10_000n;

/** A time far out of range runs over into the version's four bits, as in Cassandra; then it is no timeuuid (`isTimeUuid`). */
function timeUuidBytes(ticksSinceEpoch: bigint, sequenceAndNode: Buffer): Buffer {
  const ticks = BigInt.asUintN(64, ticksSinceEpoch + ticksToEpoch);
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(Number(ticks & 0xffff_ffffn), 0);
  bytes.writeUInt16BE(Number((ticks >> 32n) & 0xffffn), 4);
  bytes.writeUInt16BE(Number(ticks >> 48n) | 0x1000, 6);
  sequenceAndNode.copy(bytes, 8);
  return bytes;
}

export function isTimeUuid(uuid: Buffer): boolean {
  return uuid.length === 16 && uuid.readUInt8(6) >> 4 === 1;
}

/** Milliseconds since the epoch. */
export function timeOfUuid(uuid: Buffer): bigint {
  const high = BigInt(uuid.readUInt16BE(6) & 0xfff);
  const ticks = (high << 48n) | (BigInt(uuid.readUInt16BE(4)) << 32n) | BigInt(uuid.readUInt32BE(0));
  return (ticks - ticksToEpoch) / ticksPerMs;
}

/** Unique by chance: a node of its own for each, marked as none that a network card has. */
export function newTimeUuid(nowMicros: bigint): Buffer {
  const sequenceAndNode = randomBytes(8);
  sequenceAndNode.writeUInt8((sequenceAndNode.readUInt8(0) & 0x3f) | 0x80, 0);
  sequenceAndNode.writeUInt8(sequenceAndNode.readUInt8(2) | 0x01, 2);
  return timeUuidBytes(nowMicros * 10n, sequenceAndNode);
}

// In Cassandra's order these bytes, taken as signed, come before and after all others.
const smallest = Buffer.alloc(8, 0x80);
const largest = Buffer.alloc(8, 0x7f);

export function smallestTimeUuid(ms: bigint): Buffer {
  return timeUuidBytes(ms * ticksPerMs, smallest);
}

export function largestTimeUuid(ms: bigint): Buffer {
  return timeUuidBytes((ms + 1n) * ticksPerMs - 1n, largest);
}
