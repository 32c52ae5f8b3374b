const polynomial = 0x197_4f0b;
const initial = 0x87_5060;

/** The checksum of a segment's header: of `length` bytes from `at` on, lowest first (specification v5, §2.3). */
export function crc24(bytes: Buffer, at: number, length: number): number {
  let crc = initial;
  for (let next = at; next < at + length; next++) {
    crc ^= bytes.readUInt8(next) << 16;
    crc = (crc << 8) ^ (table[(crc >>> 16) & 0xff] ?? 0);
    crc &= 0xff_ffff;
  }
  return crc;
}

const table: Int32Array = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 16;
  for (let bit = 0; bit < 8; bit++) {
    crc <<= 1;
    if ((crc & 0x100_0000) !== 0) crc ^= polynomial;
  }
  return crc & 0xff_ffff;
});
