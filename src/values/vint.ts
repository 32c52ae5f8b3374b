import { invalidValue } from './invalid-value.ts';

// Cassandra's signed vint: zig-zag, then as many leading ones in the first byte as bytes follow it, at most eight.

export function readVint(bytes: Buffer, at: number): { readonly value: bigint; readonly end: number } {
  const first = bytes[at] ?? 0;
  const extraBytes = Math.clz32(~(first << 24));
  const end = at + 1 + Math.min(extraBytes, 8);
  if (end > bytes.length) throw invalidValue('Not enough bytes to read a vint');
  let unsigned = extraBytes >= 8 ? 0n : BigInt(first & (0xff >> extraBytes));
  for (let next = at + 1; next < end; next++) unsigned = (unsigned << 8n) | BigInt(bytes[next] ?? 0);
  return { value: (unsigned >> 1n) ^ -(unsigned & 1n), end };
}

export function writeVint(value: bigint): Buffer {
  let unsigned = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  let extraBytes = 0;
  while (extraBytes < 8 && unsigned >> BigInt(7 * (extraBytes + 1)) !== 0n) extraBytes++;
  const bytes = Buffer.alloc(extraBytes + 1);
  for (let at = extraBytes; at > 0; at--) {
    bytes[at] = Number(unsigned & 0xffn);
    unsigned >>= 8n;
  }
  bytes[0] = (0xff & ~(0xff >> extraBytes)) | Number(unsigned);
  return bytes;
}
