import type { Random } from '../../foundation/random.ts';

/** Of version 4. */
export function randomUuid(random: Random): string {
  const bytes = Buffer.from(Array.from({ length: 16 }, () => Math.floor(random.next() * 256)));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return textOfUuid(bytes);
}

const gregorianOffsetMs = 12_219_292_800_000;

/** Of version 1, as Cassandra gives tables that are created. */
export function timeUuid(nowMs: number, random: Random): string {
  const ticks = (BigInt(Math.floor(nowMs)) + BigInt(gregorianOffsetMs)) * 10_000n;
  const bytes = Buffer.from(Array.from({ length: 16 }, () => Math.floor(random.next() * 256)));
  bytes.writeUInt32BE(Number(ticks & 0xffff_ffffn), 0);
  bytes.writeUInt16BE(Number((ticks >> 32n) & 0xffffn), 4);
  bytes.writeUInt16BE(Number((ticks >> 48n) & 0x0fffn) | 0x1000, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return textOfUuid(bytes);
}

export function textOfUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
